// The same as tiling_base/tiling_util.h, by the path it has in newer operator projects.
#ifndef PYPTO_TWIN_OP_HOST_TILING_UTIL_H_
#define PYPTO_TWIN_OP_HOST_TILING_UTIL_H_

#include "tiling_base/tiling_util.h"

#endif  // PYPTO_TWIN_OP_HOST_TILING_UTIL_H_
