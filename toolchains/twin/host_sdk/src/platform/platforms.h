// The SoCs that the twin models, as the host side sees them.
#ifndef PYPTO_TWIN_SRC_PLATFORM_PLATFORMS_H_
#define PYPTO_TWIN_SRC_PLATFORM_PLATFORMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "platform/platform_infos_def.h"
#include "pypto_twin/soc.h"
#include "tiling/platform/platform_ascendc.h"

namespace pypto_twin {
namespace host {

struct Platform {
  const soc::Model* model;  // cores and buffers, as kernels see them
  uint64_t l2_bytes;
  uint64_t bias_table_bytes;
  uint32_t system_workspace_bytes;
  platform_ascendc::SocVersion version;
  NpuArch arch;
  const char* full_name;  // what aclrtGetSocName says
};

// Throws HostError for a SoC that the twin does not model.
const Platform& FindPlatform(const std::string& soc);
fe::PlatFormInfos PlatformOf(const std::string& soc);

// The most blocks of a launch: all blocks run at the same time, one a core.
enum class Cores { vector, cube, mix };
uint32_t MostBlocks(const Platform& platform, Cores cores);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_PLATFORM_PLATFORMS_H_
