// A loaded binary: the variants of one dtype column.
#ifndef PYPTO_TWIN_SRC_EXECUTOR_BINARY_H_
#define PYPTO_TWIN_SRC_EXECUTOR_BINARY_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "executor/packages.h"
#include "executor/tiling_keys.h"
#include "platform/platforms.h"
#include "pypto_twin/abi.h"

namespace pypto_twin {
namespace host {

struct Binary {
  std::string name;
  std::string kernel;
  std::map<std::string, std::string> dtypes;  // the kernel's dtype variables
  Cores cores = Cores::vector;
  uint64_t tiling_bytes = 0;
  std::vector<KeyField> fields;
  std::vector<BuiltKey> keys;
  std::map<uint64_t, pypto_twin_entry> entries;
};

// Loads a binary; the same path gives the same object, which lives as long as the process. Throws CallError.
const Binary& LoadBinary(const BinaryEntry& entry);

// Which of an operator's binaries is for these dtypes and formats: "<dtype>,<format>" of every input and output, "" for
// one that is absent. Throws CallError with what there is.
const BinaryEntry& ChooseBinary(const PackagedOp& op, const std::string& op_type,
                                const std::vector<std::string>& tensors, const std::string& shown);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_EXECUTOR_BINARY_H_
