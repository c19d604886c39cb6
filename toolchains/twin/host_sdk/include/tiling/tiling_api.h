// What tiling sources get with this include; the tiling classes of the high-level kernel API, such as matmul's, are not
// there: a source that uses them does not compile.
#ifndef PYPTO_TWIN_TILING_TILING_API_H_
#define PYPTO_TWIN_TILING_TILING_API_H_

#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

#endif  // PYPTO_TWIN_TILING_TILING_API_H_
