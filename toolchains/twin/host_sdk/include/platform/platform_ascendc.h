// The same as tiling/platform/platform_ascendc.h, by another path that projects include it by.
#ifndef PYPTO_TWIN_PLATFORM_PLATFORM_ASCENDC_H_
#define PYPTO_TWIN_PLATFORM_PLATFORM_ASCENDC_H_

#include "tiling/platform/platform_ascendc.h"

#endif  // PYPTO_TWIN_PLATFORM_PLATFORM_ASCENDC_H_
