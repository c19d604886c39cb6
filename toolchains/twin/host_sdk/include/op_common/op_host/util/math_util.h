// The same as util/math_util.h, by the path it has in op_common.
#ifndef PYPTO_TWIN_OP_COMMON_MATH_UTIL_H_
#define PYPTO_TWIN_OP_COMMON_MATH_UTIL_H_

#include "util/math_util.h"

#endif  // PYPTO_TWIN_OP_COMMON_MATH_UTIL_H_
