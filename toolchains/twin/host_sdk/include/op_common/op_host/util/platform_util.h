// The same as util/platform_util.h, by the path it has in op_common.
#ifndef PYPTO_TWIN_OP_COMMON_PLATFORM_UTIL_H_
#define PYPTO_TWIN_OP_COMMON_PLATFORM_UTIL_H_

#include "util/platform_util.h"

#endif  // PYPTO_TWIN_OP_COMMON_PLATFORM_UTIL_H_
