// The same as log/log.h, by the name that some projects include.
#ifndef PYPTO_TWIN_LOG_OPS_LOG_H_
#define PYPTO_TWIN_LOG_OPS_LOG_H_

#include "log/log.h"

#endif  // PYPTO_TWIN_LOG_OPS_LOG_H_
