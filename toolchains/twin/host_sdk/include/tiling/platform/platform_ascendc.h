// What a SoC has, as tiling functions ask for it.
#ifndef PYPTO_TWIN_TILING_PLATFORM_PLATFORM_ASCENDC_H_
#define PYPTO_TWIN_TILING_PLATFORM_PLATFORM_ASCENDC_H_

#include <cstdint>

#include "platform/platform_info.h"
#include "pypto_twin/host/api.h"

// As compilers name architectures, __NPU_ARCH__.
enum class NpuArch : uint32_t {
  DAV_1001 = 1001,
  DAV_2002 = 2002,
  DAV_2201 = 2201,
  DAV_3002 = 3002,
  DAV_3510 = 3510,
  DAV_RESV = 0xFFFFFFFF,
};

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };

// The order is CANN's; the twin models three of them.
enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,  // and ASCEND910_93, which CANN reports as this one
  ASCEND310P,
  ASCEND310B,
  ASCEND950,
  ASCEND910_95 = ASCEND950,  // its name in older sources
  ASCEND910_55,
  AS31XM1,
  ASCEND031,
  ASCEND035,
  ASCEND310,
  ASCEND610,
  ASCEND610Lite,
  ASCEND910_93,
  RESERVED_VERSION = 99999,
};

class PYPTO_TWIN_API PlatformAscendC {
 public:
  PlatformAscendC() = delete;
  explicit PlatformAscendC(fe::PlatFormInfos* infos);

  // Cube cores, for kernels with a cube part; vector cores are counted by GetCoreNumAiv.
  uint32_t GetCoreNum() const;
  uint32_t GetCoreNumAic() const;
  uint32_t GetCoreNumAiv() const;
  // Of SoCs with vector cores apart from AI Cores, which the twin does not model.
  uint32_t GetCoreNumVector() const { return 0; }
  // Blocks for a mixed kernel: so many that every one of `slices` has a vector core.
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t cube_cores, uint32_t vector_cores) const;
  uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t cube_cores, uint32_t vector_cores) const {
    return CalcTschBlockDim(slices, cube_cores, vector_cores);
  }
  // Bytes of workspace that the system needs when a kernel uses its libraries.
  uint32_t GetLibApiWorkSpaceSize() const;
  void GetCoreMemSize(const CoreMemType& type, uint64_t& bytes) const;
  SocVersion GetSocVersion() const;
  NpuArch GetCurNpuArch() const;

  [[noreturn]] void GetCoreMemBw(const CoreMemType&, uint64_t&) const {
    pypto_twin::host::Unsupported("PlatformAscendC::GetCoreMemBw");
  }
  [[noreturn]] uint32_t GetResCubeGroupWorkSpaceSize() const {
    pypto_twin::host::Unsupported("PlatformAscendC::GetResCubeGroupWorkSpaceSize");
  }
  [[noreturn]] uint32_t GetResGroupBarrierWorkSpaceSize() const {
    pypto_twin::host::Unsupported("PlatformAscendC::GetResGroupBarrierWorkSpaceSize");
  }

 private:
  const pypto_twin::host::Platform& platform_;
};

// The platform of the process: the twin's SoC is the call's, so there is none outside of one.
class PlatformAscendCManager {
 public:
  [[noreturn]] static PlatformAscendC* GetInstance() {
    pypto_twin::host::Unsupported("PlatformAscendCManager::GetInstance");
  }
  [[noreturn]] static PlatformAscendC* GetInstance(const char*) {
    pypto_twin::host::Unsupported("PlatformAscendCManager::GetInstance");
  }
};

}  // namespace platform_ascendc

#endif  // PYPTO_TWIN_TILING_PLATFORM_PLATFORM_ASCENDC_H_
