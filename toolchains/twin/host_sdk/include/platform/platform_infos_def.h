// What a SoC has, as host functions ask the framework for it.
#ifndef PYPTO_TWIN_PLATFORM_PLATFORM_INFOS_DEF_H_
#define PYPTO_TWIN_PLATFORM_PLATFORM_INFOS_DEF_H_

#include <cstdint>
#include <string>

#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {
struct Platform;
}  // namespace host
}  // namespace pypto_twin

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

class PYPTO_TWIN_API PlatFormInfos {
 public:
  explicit PlatFormInfos(const pypto_twin::host::Platform* platform) : platform_(platform) {}

  uint32_t GetCoreNum() const;
  uint32_t GetCoreNumWithLock() const { return GetCoreNum(); }
  // The twin's AI Core is the cube core with its vector cores; other names count vector cores.
  uint32_t GetCoreNumByType(const std::string& core_type) const;
  void GetLocalMemSize(const LocalMemType& type, uint64_t& bytes) const;
  // False, and `value` untouched, for what the twin does not model.
  bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const;
  bool GetPlatformResWithLock(const std::string& label, const std::string& key, std::string& value) const {
    return GetPlatformRes(label, key, value);
  }

  const pypto_twin::host::Platform& platform() const { return *platform_; }

 private:
  const pypto_twin::host::Platform* platform_;
};

class OptionalInfos {};

}  // namespace fe

#endif  // PYPTO_TWIN_PLATFORM_PLATFORM_INFOS_DEF_H_
