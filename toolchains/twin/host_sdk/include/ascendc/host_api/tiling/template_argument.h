// What a generated <TilingKey>_tilingkey.h includes. CANN's tools read its macros as text; on the twin's host they are
// nothing, since the generated header brings its own, checked GET_TPL_TILING_KEY.
#ifndef PYPTO_TWIN_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
#define PYPTO_TWIN_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_

#include <cstdint>

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_LIST 1

#define ASCENDC_TPL_UINT_DECL(...)
#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_UINT_SEL(...)
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_SEL(...)

constexpr uint64_t INVALID_TILING_KEY = 0xFFFFFFFFFFFFFFFF;

#endif  // PYPTO_TWIN_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
