// The same as log/log.h, by the path it has in op_common.
#ifndef PYPTO_TWIN_OP_COMMON_LOG_LOG_H_
#define PYPTO_TWIN_OP_COMMON_LOG_LOG_H_

#include "log/log.h"

#endif  // PYPTO_TWIN_OP_COMMON_LOG_LOG_H_
