// Scalars: Python's integer and float arithmetic where C++ differs, loops, and scalar min/max. An int is 64 bits wide,
// a float 32. Docs: operation/controlflow/range.md, Utils-API/python_syntax_sugar/{min,max}.md.
#ifndef PYPTO_TWIN_CONTROL_H_
#define PYPTO_TWIN_CONTROL_H_

#include <math.h>
#include <stdint.h>

#include <type_traits>

#include "pypto_twin/error.h"

namespace pypto_twin {

namespace detail {

[[noreturn]] __attribute__((noinline, cold)) inline void fail_overflow(const Context& context, int32_t site,
                                                                       const char* op, int64_t a, int64_t b) {
  fail(context, site, op, "%lld %s %lld does not fit 64 bits", static_cast<ll>(a), op, static_cast<ll>(b));
}

[[noreturn]] __attribute__((noinline, cold)) inline void fail_zero(const Context& context, int32_t site, const char* op,
                                                                   double a) {
  fail(context, site, op, "%.17g %s 0: the divisor is zero", a, op);
}

inline void check_quotient(const Context& context, int32_t site, const char* op, int64_t a, int64_t b) {
  if (b == 0) fail_zero(context, site, op, static_cast<double>(a));
  if (a == INT64_MIN && b == -1 && op[0] == '/') fail_overflow(context, site, op, a, b);
}

}  // namespace detail

inline int64_t int_add(const Context& context, int32_t site, int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) detail::fail_overflow(context, site, "+", a, b);
  return result;
}

inline int64_t int_sub(const Context& context, int32_t site, int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_sub_overflow(a, b, &result)) detail::fail_overflow(context, site, "-", a, b);
  return result;
}

inline int64_t int_mul(const Context& context, int32_t site, int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) detail::fail_overflow(context, site, "*", a, b);
  return result;
}

inline int64_t int_neg(const Context& context, int32_t site, int64_t a) { return int_sub(context, site, 0, a); }

inline int64_t int_shl(const Context& context, int32_t site, int64_t a, int64_t count) {
  if (count < 0) fail(context, site, "<<", "shift count %lld is negative", static_cast<ll>(count));
  const int64_t shifted = count > 63 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << count);
  if (a != 0 && (count > 63 || (shifted >> count) != a)) detail::fail_overflow(context, site, "<<", a, count);
  return shifted;
}

inline int64_t int_shr(const Context& context, int32_t site, int64_t a, int64_t count) {
  if (count < 0) fail(context, site, ">>", "shift count %lld is negative", static_cast<ll>(count));
  return a >> (count > 63 ? 63 : count);
}

// Rounds down, as Python's // does.
inline int64_t floordiv(const Context& context, int32_t site, int64_t a, int64_t b) {
  detail::check_quotient(context, site, "//", a, b);
  const int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

// Has the sign of the divisor, as Python's % has.
inline int64_t floormod(const Context& context, int32_t site, int64_t a, int64_t b) {
  detail::check_quotient(context, site, "%", a, b);
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

inline float floormod(const Context& context, int32_t site, float a, float b) {
  if (b == 0.0f) detail::fail_zero(context, site, "%", static_cast<double>(a));
  const float rest = fmodf(a, b);
  if (rest == 0.0f) return copysignf(0.0f, b);
  return (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
}

// The exact quotient rounded down: a less its floor remainder is a multiple of b up to one rounding, which the last
// step takes out.
inline float floordiv(const Context& context, int32_t site, float a, float b) {
  if (b == 0.0f) detail::fail_zero(context, site, "//", static_cast<double>(a));
  float rest = fmodf(a, b);
  float quotient = (a - rest) / b;
  if (rest != 0.0f && (rest < 0.0f) != (b < 0.0f)) quotient -= 1.0f;
  if (quotient == 0.0f) return copysignf(0.0f, a / b);
  const float down = floorf(quotient);
  return quotient - down > 0.5f ? down + 1.0f : down;
}

// Python's /, in the precision of a kernel float.
template <class A, class B>
inline float truediv(const Context& context, int32_t site, A a, B b) {
  static_assert(std::is_arithmetic<A>::value && std::is_arithmetic<B>::value, "/ needs scalars");
  if (b == 0) detail::fail_zero(context, site, "/", static_cast<double>(a));
  if constexpr (std::is_integral<A>::value && std::is_integral<B>::value) {
    return static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
  } else {
    return static_cast<float>(a) / static_cast<float>(b);
  }
}

// One element of a TilingData array, at an index known at run time only.
template <class T, int N>
inline T element(const Context& context, int32_t site, const T (&array)[N], int64_t index) {
  if (index < 0 || index >= N) {
    fail(context, site, "index", "%lld is outside the array, which has %d elements (0 to %d)", static_cast<ll>(index),
         N, N - 1);
  }
  return array[index];
}

// Both operands are integers or both are floats (docs: max.md). As in Python, the first of two equal values.
template <class A>
inline A scalar_max(A a, A b) {
  return b > a ? b : a;
}
template <class A>
inline A scalar_min(A a, A b) {
  return b < a ? b : a;
}

// Python's range, with any step but 0; nothing in it overflows.
class Range {
 public:
  class Iterator {
   public:
    Iterator(uint64_t value, uint64_t step, uint64_t left) : value_(value), step_(step), left_(left) {}
    int64_t operator*() const { return static_cast<int64_t>(value_); }
    Iterator& operator++() {
      value_ += step_;
      --left_;
      return *this;
    }
    bool operator!=(const Iterator& end) const { return left_ != end.left_; }

   private:
    uint64_t value_;
    uint64_t step_;
    uint64_t left_;
  };

  Range(int64_t start, int64_t stop, int64_t step)
      : start_(static_cast<uint64_t>(start)), step_(static_cast<uint64_t>(step)) {
    const uint64_t end = static_cast<uint64_t>(stop);
    if (step > 0 && start < stop) count_ = (end - start_ - 1) / step_ + 1;
    if (step < 0 && start > stop) count_ = (start_ - end - 1) / (uint64_t{0} - step_) + 1;
  }
  Iterator begin() const { return Iterator(start_, step_, count_); }
  Iterator end() const { return Iterator(0, 0, 0); }

 private:
  uint64_t start_;
  uint64_t step_;
  uint64_t count_ = 0;
};

inline Range range(const Context& context, int32_t site, int64_t start, int64_t stop, int64_t step) {
  if (step == 0) fail(context, site, "range", "the step is 0; it must be positive or negative");
  return Range(start, stop, step);
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_CONTROL_H_
