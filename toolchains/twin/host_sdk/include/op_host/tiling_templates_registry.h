// The same as tiling_base/tiling_templates_registry.h, by the path it has in newer operator projects.
#ifndef PYPTO_TWIN_OP_HOST_TILING_TEMPLATES_REGISTRY_H_
#define PYPTO_TWIN_OP_HOST_TILING_TEMPLATES_REGISTRY_H_

#include "tiling_base/tiling_templates_registry.h"

#endif  // PYPTO_TWIN_OP_HOST_TILING_TEMPLATES_REGISTRY_H_
