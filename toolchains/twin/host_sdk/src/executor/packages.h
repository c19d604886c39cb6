// Installed packages and what is in them.
#ifndef PYPTO_TWIN_SRC_EXECUTOR_PACKAGES_H_
#define PYPTO_TWIN_SRC_EXECUTOR_PACKAGES_H_

#include <string>
#include <vector>

#include "aclnn/aclnn_base.h"
#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {

// A HostError with the aclnn status it becomes.
class CallError : public HostError {
 public:
  CallError(aclnnStatus status, const std::string& text) : HostError(text), status_(status) {}
  aclnnStatus status() const { return status_; }

 private:
  aclnnStatus status_;
};

// A vendor directory.
struct Package {
  std::string directory;
  std::string backend;
  std::vector<std::string> socs;
};

// One entry of binary_info_config.json.
struct BinaryEntry {
  std::vector<std::string> simplified_keys;
  std::string json_path;  // absolute, or relative to the working directory as the package is
  std::string bin_path;
};

// An operator of a package on a SoC.
struct PackagedOp {
  Package package;
  std::vector<BinaryEntry> binaries;
  std::string tiling_library;  // "" when the package has none
  std::string proto_library;
};

// The packages in the order they are looked into: ASCEND_CUSTOM_OPP_PATH, then vendors/config.ini below ASCEND_OPP_PATH.
std::vector<Package> FindPackages();

// PYPTO_TWIN_SOC, else the first SoC of the first package.
std::string SocOfProcess();

// The operator in the first package that has it for the SoC. Throws CallError: which packages were looked into and what
// they have.
PackagedOp FindOperator(const std::string& op_type, const std::string& soc);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_EXECUTOR_PACKAGES_H_
