// Element-wise vector operations on UB tiles.
// Docs: operation/memory_vector_computation/elementwise/{add,sub,mul,div,maximum,minimum,neg,abs,relu,log,sqrt}.md,
// operation/memory_vector_computation/math_functions/{exp,rsqrt,recip}.md.
#ifndef PYPTO_TWIN_OPS_ELEMENTWISE_H_
#define PYPTO_TWIN_OPS_ELEMENTWISE_H_

#include <math.h>
#include <stdint.h>

#include <type_traits>

#include "pypto_twin/elements.h"
#include "pypto_twin/op_dtypes.h"

namespace pypto_twin {
namespace detail {

// Integer arithmetic wraps; unsigned types of at least 32 bits keep C++ out of signed overflow.
template <class C>
using wrapping = typename std::conditional<sizeof(C) == 8, uint64_t, uint32_t>::type;

template <class C>
inline constexpr bool is_float = std::is_floating_point<C>::value;

struct Add {
  template <class C>
  static C apply(C a, C b) {
    if constexpr (is_float<C>) return a + b;
    else return static_cast<C>(static_cast<wrapping<C>>(a) + static_cast<wrapping<C>>(b));
  }
};
struct Sub {
  template <class C>
  static C apply(C a, C b) {
    if constexpr (is_float<C>) return a - b;
    else return static_cast<C>(static_cast<wrapping<C>>(a) - static_cast<wrapping<C>>(b));
  }
};
struct Mul {
  template <class C>
  static C apply(C a, C b) {
    if constexpr (is_float<C>) return a * b;
    else return static_cast<C>(static_cast<wrapping<C>>(a) * static_cast<wrapping<C>>(b));
  }
};
// Integers divide towards zero; the one quotient that does not fit (MIN / -1) wraps. Divisors are not zero here.
struct Div {
  template <class C>
  static C apply(C a, C b) {
    if constexpr (is_float<C>) return a / b;
    else if constexpr (std::is_signed<C>::value) return b == -1 ? Sub::apply(C{0}, a) : static_cast<C>(a / b);
    else return static_cast<C>(a / b);
  }
};
// A NaN operand gives NaN.
struct Maximum {
  template <class C>
  static C apply(C a, C b) {
    const C larger = a > b ? a : b;
    if constexpr (is_float<C>) return a != a ? a : larger;
    else return larger;
  }
};
struct Minimum {
  template <class C>
  static C apply(C a, C b) {
    const C smaller = a < b ? a : b;
    if constexpr (is_float<C>) return a != a ? a : smaller;
    else return smaller;
  }
};
struct Neg {
  template <class C>
  static C apply(C a) {
    if constexpr (is_float<C>) return -a;
    else return Sub::apply(C{0}, a);
  }
};
struct Abs {
  template <class C>
  static C apply(C a) {
    if constexpr (is_float<C>) return fabsf(a);
    else return a < C{0} ? Sub::apply(C{0}, a) : a;
  }
};
struct Relu {
  template <class C>
  static C apply(C a) {
    return a <= C{0} ? C{0} : a;
  }
};
struct Exp {
  static float apply(float a) { return expf(a); }
};
struct Log {
  static float apply(float a) { return logf(a); }
};
struct Sqrt {
  static float apply(float a) { return sqrtf(a); }
};
struct Rsqrt {
  static float apply(float a) { return static_cast<float>(1.0 / sqrt(static_cast<double>(a))); }
};
struct Recip {
  static float apply(float a) { return 1.0f / a; }
};

// A scalar operand in the tile's dtype. Docs: "int/float/Scalar", converted to the element type, as the device's scalar
// operand is.
template <class T, class S>
inline typename dtype<T>::compute scalar_operand(Block& block, int32_t site, const char* operation, S scalar) {
  static_assert(std::is_arithmetic<S>::value, "the operand must be a tile or a scalar");
  static_assert(dtype<T>::is_float || std::is_integral<S>::value,
                "a float scalar does not fit a tile of an integer dtype");
  using C = typename dtype<T>::compute;
  if constexpr (dtype<T>::is_float) {
    return dtype<T>::widen(dtype<T>::narrow(static_cast<float>(scalar)));
  } else {
    const int64_t value = static_cast<int64_t>(scalar);
    const bool is_bool = std::is_same<T, boolean>::value;
    const int64_t low = static_cast<int64_t>(min_of<C>());
    const int64_t high = is_bool ? 1 : std::is_same<C, uint64_t>::value ? INT64_MAX : static_cast<int64_t>(max_of<C>());
    if (value < low || value > high) {
      fail(block, site, operation, "scalar %lld does not fit the tile's dtype %s (%lld to %lld)",
           static_cast<ll>(value), dtype<T>::name, static_cast<ll>(low), static_cast<ll>(high));
    }
    return static_cast<C>(value);
  }
}

template <class Out, class Operand>
inline void require_operand() {
  static_assert(same_dtype<Out, Operand>, "out and operand must have the same dtype");
  static_assert(same_shape<Out, Operand>, "out and operand must have the same shape");
  static_assert(Out::kSpace == space::vec && Operand::kSpace == space::vec,
                "vector operations work on UB tiles (MemorySpace.Vec)");
}

inline constexpr const char* kNoZeroDivisor = "the result of a division by zero is undefined on the device";

template <class Op, class Out, class L, class R>
inline void binary(Block& block, int32_t site, const char* operation, Tile<Out> out, Tile<L> lhs, Tile<R> rhs) {
  require_operand<Out, L>();
  require_operand<Out, R>();
  using T = typename Out::element;
  const TileState& o = *out.state;
  const TileState& a = *lhs.state;
  const TileState& b = *rhs.state;
  check_operand(block, site, operation, o, a, "lhs");
  check_operand(block, site, operation, o, b, "rhs");
  if constexpr (std::is_same<Op, Div>::value) {
    const int64_t zero = find_element<T>(b, [](auto value) { return value == 0; });
    if (zero >= 0) fail_element(block, site, operation, b, zero, 0.0, kNoZeroDivisor);
  }
  for_runs(o, [&](int64_t first, int64_t count) {
    const int64_t at = first * static_cast<int64_t>(sizeof(T));
    zip_run<T>(o.data + at, a.data + at, b.data + at, count, [](auto x, auto y) { return Op::apply(x, y); });
  });
}

template <class Op, class Out, class L, class S>
inline void binary_scalar(Block& block, int32_t site, const char* operation, Tile<Out> out, Tile<L> lhs, S scalar) {
  require_operand<Out, L>();
  using T = typename Out::element;
  const TileState& o = *out.state;
  const TileState& a = *lhs.state;
  const typename dtype<T>::compute value = scalar_operand<T>(block, site, operation, scalar);
  check_operand(block, site, operation, o, a, "lhs");
  if (std::is_same<Op, Div>::value && value == 0) {
    fail(block, site, operation, "the scalar divisor is 0 in the tile's dtype %s; %s", dtype<T>::name, kNoZeroDivisor);
  }
  for_runs(o, [&](int64_t first, int64_t count) {
    const int64_t at = first * static_cast<int64_t>(sizeof(T));
    map_run<T, T>(o.data + at, a.data + at, count, [value](auto x) { return Op::apply(x, value); });
  });
}

template <class Op, class Out, class Src>
inline void unary(Block& block, int32_t site, const char* operation, Tile<Out> out, Tile<Src> src) {
  require_operand<Out, Src>();
  using T = typename Out::element;
  const TileState& o = *out.state;
  const TileState& a = *src.state;
  check_operand(block, site, operation, o, a, "src");
  for_runs(o, [&](int64_t first, int64_t count) {
    const int64_t at = first * static_cast<int64_t>(sizeof(T));
    map_run<T, T>(o.data + at, a.data + at, count, [](auto x) { return Op::apply(x); });
  });
}

// The domain that the docs give: outside of it the device's result is undefined.
template <class Src, class Bad>
inline void check_domain(Block& block, int32_t site, const char* operation, Tile<Src> src, Bad bad, const char* rule) {
  using T = typename Src::element;
  const TileState& tile = *src.state;
  const int64_t found = find_element<T>(tile, bad);
  if (found < 0) return;
  const double value = static_cast<double>(read<T>(tile.data + found * static_cast<int64_t>(sizeof(T))));
  fail_element(block, site, operation, tile, found, value, rule);
}

}  // namespace detail

#define PYPTO_TWIN_BINARY(operation, Functor)                                                  \
  template <class Out, class L, class R>                                                       \
  inline void operation(Block& block, int32_t site, Tile<Out> out, Tile<L> lhs, Tile<R> rhs) { \
    PYPTO_TWIN_REQUIRE_##operation(typename Out::element);                                     \
    detail::binary<detail::Functor>(block, site, #operation, out, lhs, rhs);                   \
  }                                                                                            \
  template <class Out, class L, class S>                                                       \
  inline void operation(Block& block, int32_t site, Tile<Out> out, Tile<L> lhs, S scalar) {    \
    PYPTO_TWIN_REQUIRE_##operation(typename Out::element);                                     \
    detail::binary_scalar<detail::Functor>(block, site, #operation, out, lhs, scalar);         \
  }

#define PYPTO_TWIN_UNARY(operation, Functor)                                        \
  template <class Out, class Src>                                                   \
  inline void operation(Block& block, int32_t site, Tile<Out> out, Tile<Src> src) { \
    PYPTO_TWIN_REQUIRE_##operation(typename Out::element);                          \
    detail::unary<detail::Functor>(block, site, #operation, out, src);              \
  }

PYPTO_TWIN_BINARY(add, Add)          // elementwise/add.md
PYPTO_TWIN_BINARY(sub, Sub)          // elementwise/sub.md
PYPTO_TWIN_BINARY(mul, Mul)          // elementwise/mul.md
PYPTO_TWIN_BINARY(div, Div)          // elementwise/div.md: a divisor must not be 0
PYPTO_TWIN_BINARY(maximum, Maximum)  // elementwise/maximum.md, without `dim`
PYPTO_TWIN_BINARY(minimum, Minimum)  // elementwise/minimum.md, without `dim`
PYPTO_TWIN_UNARY(neg, Neg)           // elementwise/neg.md
PYPTO_TWIN_UNARY(abs, Abs)           // elementwise/abs.md
PYPTO_TWIN_UNARY(relu, Relu)         // elementwise/relu.md
PYPTO_TWIN_UNARY(exp, Exp)           // math_functions/exp.md

#undef PYPTO_TWIN_BINARY
#undef PYPTO_TWIN_UNARY

// elementwise/log.md: elements must be positive.
template <class Out, class Src>
inline void log(Block& block, int32_t site, Tile<Out> out, Tile<Src> src) {
  PYPTO_TWIN_REQUIRE_log(typename Out::element);
  detail::check_domain(block, site, "log", src, [](auto x) { return x <= 0; }, "log needs positive elements");
  detail::unary<detail::Log>(block, site, "log", out, src);
}

// elementwise/sqrt.md: elements must not be negative.
template <class Out, class Src>
inline void sqrt(Block& block, int32_t site, Tile<Out> out, Tile<Src> src) {
  PYPTO_TWIN_REQUIRE_sqrt(typename Out::element);
  detail::check_domain(block, site, "sqrt", src, [](auto x) { return x < 0; }, "sqrt needs elements of at least 0");
  detail::unary<detail::Sqrt>(block, site, "sqrt", out, src);
}

// math_functions/rsqrt.md: for elements of 0 or less the device's result is undefined.
template <class Out, class Src>
inline void rsqrt(Block& block, int32_t site, Tile<Out> out, Tile<Src> src) {
  PYPTO_TWIN_REQUIRE_rsqrt(typename Out::element);
  detail::check_domain(block, site, "rsqrt", src, [](auto x) { return x <= 0; }, "rsqrt needs positive elements");
  detail::unary<detail::Rsqrt>(block, site, "rsqrt", out, src);
}

// math_functions/recip.md: elements must not be 0; A3 (910b, 910_93) needs separate storage for source and destination.
template <class Out, class Src>
inline void recip(Block& block, int32_t site, Tile<Out> out, Tile<Src> src) {
  PYPTO_TWIN_REQUIRE_recip(typename Out::element);
  if (!block.model().arch_a5 && detail::overlap(*out.state, *src.state)) {
    fail(block, site, "recip",
         "out and src share storage at byte %lld of UB, which %s does not allow; write to another tile",
         static_cast<ll>(src.state->addr), block.model().name);
  }
  detail::check_domain(block, site, "recip", src, [](auto x) { return x == 0; }, detail::kNoZeroDivisor);
  detail::unary<detail::Recip>(block, site, "recip", out, src);
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_OPS_ELEMENTWISE_H_
