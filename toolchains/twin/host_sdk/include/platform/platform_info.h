// The platform of the process. The twin has one for every call, from the call's SoC: ask the context for it.
#ifndef PYPTO_TWIN_PLATFORM_PLATFORM_INFO_H_
#define PYPTO_TWIN_PLATFORM_PLATFORM_INFO_H_

#include <string>

#include "platform/platform_infos_def.h"

namespace fe {

class PlatformInfoManager {
 public:
  static PlatformInfoManager& Instance() {
    static PlatformInfoManager manager;
    return manager;
  }
  static PlatformInfoManager& GeInstance() { return Instance(); }

  [[noreturn]] uint32_t InitializePlatformInfo() { Refuse("InitializePlatformInfo"); }
  [[noreturn]] uint32_t GetPlatformInfos(const std::string&, PlatFormInfos&, OptionalInfos&) {
    Refuse("GetPlatformInfos");
  }
  [[noreturn]] uint32_t GetPlatformInfoWithOutSocVersion(PlatFormInfos&, OptionalInfos&) {
    Refuse("GetPlatformInfoWithOutSocVersion");
  }

 private:
  [[noreturn]] static void Refuse(const std::string& function) {
    pypto_twin::host::Unsupported(("PlatformInfoManager::" + function).c_str());
  }
};

}  // namespace fe

#endif  // PYPTO_TWIN_PLATFORM_PLATFORM_INFO_H_
