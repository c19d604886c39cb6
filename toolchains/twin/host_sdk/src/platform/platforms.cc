#include "platform/platforms.h"

#include <algorithm>

namespace pypto_twin {
namespace host {
namespace {

// Beside soc.h: L2 and bias table of platform_config as public projects quote it; the system's workspace is what
// the tiling sources of public operators write where they do not ask (WS_SYS_SIZE). Full names: cann-flow, section 5.
constexpr uint64_t kMiB = 1024 * 1024;
constexpr Platform kPlatforms[] = {
    {&soc::ascend910b, 192 * kMiB, 1024, 16 * kMiB, platform_ascendc::SocVersion::ASCEND910B, NpuArch::DAV_2201,
     "Ascend910B1"},
    {&soc::ascend910_93, 192 * kMiB, 1024, 16 * kMiB, platform_ascendc::SocVersion::ASCEND910B, NpuArch::DAV_2201,
     "Ascend910_9391"},
    {&soc::ascend950, 128 * kMiB, 4096, 16 * kMiB, platform_ascendc::SocVersion::ASCEND950, NpuArch::DAV_3510,
     "Ascend950PR_9599"},
};

bool LocalBytes(const Platform& platform, int type, uint64_t& bytes) {
  const soc::Model& model = *platform.model;
  const int64_t known[] = {model.left_bytes, model.right_bytes, model.acc_bytes, model.mat_bytes,
                           static_cast<int64_t>(platform.l2_bytes), model.vec_bytes};
  if (type < 0 || type > 5) return false;
  bytes = static_cast<uint64_t>(known[type]);
  return true;
}

}  // namespace

const Platform& FindPlatform(const std::string& soc) {
  std::string names;
  for (const Platform& platform : kPlatforms) {
    if (soc == platform.model->name) return platform;
    names += (names.empty() ? "" : ", ") + std::string(platform.model->name);
  }
  throw HostError("the CPU twin does not model the SoC '" + soc + "'; it has " + names);
}

fe::PlatFormInfos PlatformOf(const std::string& soc) { return fe::PlatFormInfos(&FindPlatform(soc)); }

uint32_t MostBlocks(const Platform& platform, Cores cores) {
  return static_cast<uint32_t>(cores == Cores::vector ? platform.model->vector_cores : platform.model->cube_cores);
}

}  // namespace host
}  // namespace pypto_twin

namespace fe {

uint32_t PlatFormInfos::GetCoreNum() const { return static_cast<uint32_t>(platform_->model->cube_cores); }

uint32_t PlatFormInfos::GetCoreNumByType(const std::string& core_type) const {
  const pypto_twin::soc::Model& model = *platform_->model;
  return static_cast<uint32_t>(core_type == "AiCore" ? model.cube_cores : model.vector_cores);
}

void PlatFormInfos::GetLocalMemSize(const LocalMemType& type, uint64_t& bytes) const {
  if (!pypto_twin::host::LocalBytes(*platform_, static_cast<int>(type), bytes)) {
    pypto_twin::host::Unsupported("PlatFormInfos::GetLocalMemSize of HBM");
  }
}

bool PlatFormInfos::GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const {
  const pypto_twin::soc::Model& model = *platform_->model;
  const struct {
    const char* label;
    const char* key;
    std::string value;
  } known[] = {
      {"SoCInfo", "ai_core_cnt", std::to_string(model.cube_cores)},
      {"SoCInfo", "cube_core_cnt", std::to_string(model.cube_cores)},
      {"SoCInfo", "vector_core_cnt", std::to_string(model.vector_cores)},
      {"SoCInfo", "l2_size", std::to_string(platform_->l2_bytes)},
      {"AICoreSpec", "ub_size", std::to_string(model.vec_bytes)},
      {"AICoreSpec", "l1_size", std::to_string(model.mat_bytes)},
      {"AICoreSpec", "l0_a_size", std::to_string(model.left_bytes)},
      {"AICoreSpec", "l0_b_size", std::to_string(model.right_bytes)},
      {"AICoreSpec", "l0_c_size", std::to_string(model.acc_bytes)},
      {"version", "NpuArch", std::to_string(static_cast<uint32_t>(platform_->arch))},
      {"version", "SoC_version", platform_->full_name},
  };
  for (const auto& entry : known) {
    if (label == entry.label && key == entry.key) {
      value = entry.value;
      return true;
    }
  }
  return false;
}

}  // namespace fe

namespace platform_ascendc {

using pypto_twin::host::HostError;

PlatformAscendC::PlatformAscendC(fe::PlatFormInfos* infos)
    : platform_(infos != nullptr ? infos->platform()
                                 : throw HostError("PlatformAscendC is made from a null platform; check "
                                                   "context->GetPlatformInfo()")) {}

uint32_t PlatformAscendC::GetCoreNum() const { return GetCoreNumAic(); }
uint32_t PlatformAscendC::GetCoreNumAic() const { return static_cast<uint32_t>(platform_.model->cube_cores); }
uint32_t PlatformAscendC::GetCoreNumAiv() const { return static_cast<uint32_t>(platform_.model->vector_cores); }

uint32_t PlatformAscendC::CalcTschBlockDim(uint32_t slices, uint32_t cube_cores, uint32_t vector_cores) const {
  if (cube_cores == 0 || vector_cores == 0) return slices;
  const uint32_t ratio = std::max(vector_cores / cube_cores, 1u);
  return (slices + ratio - 1) / ratio;
}

uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const { return platform_.system_workspace_bytes; }

void PlatformAscendC::GetCoreMemSize(const CoreMemType& type, uint64_t& bytes) const {
  if (type == CoreMemType::BT) {
    bytes = platform_.bias_table_bytes;
  } else if (!pypto_twin::host::LocalBytes(platform_, static_cast<int>(type), bytes)) {
    pypto_twin::host::Unsupported("PlatformAscendC::GetCoreMemSize of HBM and FB");
  }
}

SocVersion PlatformAscendC::GetSocVersion() const { return platform_.version; }
NpuArch PlatformAscendC::GetCurNpuArch() const { return platform_.arch; }

}  // namespace platform_ascendc
