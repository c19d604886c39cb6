// Whole-number arithmetic of tiling functions.
#ifndef PYPTO_TWIN_UTIL_MATH_UTIL_H_
#define PYPTO_TWIN_UTIL_MATH_UTIL_H_

#include <cstdint>
#include <numeric>
#include <type_traits>

namespace Ops {
namespace Base {

// A divisor of 0 gives the dividend back, as CANN's functions do.
template <class T1, class T2>
inline auto CeilDiv(T1 dividend, T2 divisor) -> T1 {
  if (divisor == 0) return dividend;
  const auto step = static_cast<T1>(divisor);
  return dividend / step + (dividend % step != 0 && ((dividend < 0) == (step < 0)) ? 1 : 0);
}
template <class T1, class T2>
inline auto FloorDiv(T1 dividend, T2 divisor) -> T1 {
  return divisor == 0 ? dividend : dividend / static_cast<T1>(divisor);
}
template <class T1, class T2>
inline auto CeilAlign(T1 value, T2 step) -> T1 {
  return CeilDiv(value, step) * static_cast<T1>(step);
}
template <class T1, class T2>
inline auto FloorAlign(T1 value, T2 step) -> T1 {
  return step == 0 ? 0 : value / static_cast<T1>(step) * static_cast<T1>(step);
}

}  // namespace Base
}  // namespace Ops

#endif  // PYPTO_TWIN_UTIL_MATH_UTIL_H_
