// Sizes of the vector unit that tiling functions align to.
#ifndef PYPTO_TWIN_UTIL_PLATFORM_UTIL_H_
#define PYPTO_TWIN_UTIL_PLATFORM_UTIL_H_

#include <cstdint>

namespace Ops {
namespace Base {

// In bytes, and the same for all SoCs that the twin models; `Context` is a TilingContext or TilingParseContext.
template <class Context>
inline uint32_t GetUbBlockSize(const Context*) {
  return 32;
}
template <class Context>
inline uint32_t GetVRegSize(const Context*) {
  return 256;
}
template <class Context>
inline uint32_t GetCacheLineSize(const Context*) {
  return 256;
}

}  // namespace Base
}  // namespace Ops

#endif  // PYPTO_TWIN_UTIL_PLATFORM_UTIL_H_
