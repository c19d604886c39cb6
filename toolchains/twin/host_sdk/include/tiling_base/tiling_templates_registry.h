// What tiling sources get with this include in the public operator projects; its class templates are not there: a source
// that uses them does not compile.
#ifndef PYPTO_TWIN_TILING_BASE_TILING_TEMPLATES_REGISTRY_H_
#define PYPTO_TWIN_TILING_BASE_TILING_TEMPLATES_REGISTRY_H_

#include "register/tilingdata_base.h"
#include "tiling_base/tiling_util.h"

#endif  // PYPTO_TWIN_TILING_BASE_TILING_TEMPLATES_REGISTRY_H_
