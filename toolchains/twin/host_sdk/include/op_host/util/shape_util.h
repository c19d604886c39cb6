// The same as util/shape_util.h, by the path it has in newer operator projects.
#ifndef PYPTO_TWIN_OP_HOST_UTIL_SHAPE_UTIL_H_
#define PYPTO_TWIN_OP_HOST_UTIL_SHAPE_UTIL_H_

#include "util/shape_util.h"

#endif  // PYPTO_TWIN_OP_HOST_UTIL_SHAPE_UTIL_H_
