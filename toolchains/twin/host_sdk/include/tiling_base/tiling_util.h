// Helpers of tiling sources, in the namespaces of the public operator projects.
#ifndef PYPTO_TWIN_TILING_BASE_TILING_UTIL_H_
#define PYPTO_TWIN_TILING_BASE_TILING_UTIL_H_

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"
#include "platform/platform_info.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "util/math_util.h"
#include "util/shape_util.h"

namespace pypto_twin {
namespace host {
namespace tiling_util {

// A scalar as a tensor of one element.
inline gert::Shape EnsureNotScalar(const gert::Shape& shape) { return shape.IsScalar() ? gert::Shape({1}) : shape; }

// Whether the SoC has the register-based vector unit (arch 3510).
inline bool IsRegbaseSocVersion(const gert::TilingContext* context) {
  return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCurNpuArch() == NpuArch::DAV_3510;
}

}  // namespace tiling_util
}  // namespace host
}  // namespace pypto_twin

namespace Ops {
namespace Math {
namespace OpTiling {
using namespace ::pypto_twin::host::tiling_util;
}  // namespace OpTiling
}  // namespace Math
namespace Cv {
namespace OpTiling {
using namespace ::pypto_twin::host::tiling_util;
}  // namespace OpTiling
}  // namespace Cv
namespace NN {
namespace OpTiling {
using namespace ::pypto_twin::host::tiling_util;
}  // namespace OpTiling
namespace Optiling {
using namespace ::pypto_twin::host::tiling_util;
}  // namespace Optiling
}  // namespace NN
namespace Transformer {
namespace OpTiling {
using namespace ::pypto_twin::host::tiling_util;
}  // namespace OpTiling
}  // namespace Transformer
}  // namespace Ops

#endif  // PYPTO_TWIN_TILING_BASE_TILING_UTIL_H_
