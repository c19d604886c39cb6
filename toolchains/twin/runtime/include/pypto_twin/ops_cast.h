// Conversion between dtypes. Docs: operation/memory_vector_computation/type_conversion/cast.md (pairs, modes; widening
// ignores the mode). What that page leaves open follows Ascend C's Cast and RoundMode: NONE rounds as RINT where
// precision is lost, ROUND takes halves away from zero, ODD sets the last place when inexact; a conversion to an
// integer saturates, NaN gives 0; nearest modes overflow to infinity.
#ifndef PYPTO_TWIN_OPS_CAST_H_
#define PYPTO_TWIN_OPS_CAST_H_

#include <math.h>
#include <stdint.h>

#include <type_traits>

#include "pypto_twin/elements.h"
#include "pypto_twin/op_dtypes.h"

namespace pypto_twin {

enum class round_mode { none, rint, round, floor, ceil, trunc, odd };

namespace detail {

// Whether a magnitude `kept` with the rest `rest` (of which `middle` is the half) is rounded up.
template <round_mode kMode>
inline bool rounds_up(bool negative, uint64_t kept, uint64_t rest, uint64_t middle) {
  if (rest == 0) return false;
  if constexpr (kMode == round_mode::none || kMode == round_mode::rint)
    return rest > middle || (rest == middle && (kept & 1) != 0);
  else if constexpr (kMode == round_mode::round) return rest >= middle;
  else if constexpr (kMode == round_mode::floor) return negative;
  else if constexpr (kMode == round_mode::ceil) return !negative;
  else if constexpr (kMode == round_mode::odd) return (kept & 1) == 0;
  else return false;  // trunc
}

// Layout of the binary formats: mantissa bits without the hidden one, and the exponent bias.
template <class T>
struct format;
template <>
struct format<half> {
  static constexpr int mantissa = 10;
  static constexpr int bias = 15;
};
template <>
struct format<bfloat16> {
  static constexpr int mantissa = 7;
  static constexpr int bias = 127;
};
template <>
struct format<float> {
  static constexpr int mantissa = 23;
  static constexpr int bias = 127;
};

template <class T>
inline constexpr uint64_t infinity_bits = (uint64_t{2} * format<T>::bias + 1) << format<T>::mantissa;

// Beyond the largest finite value: infinity, or for modes that round towards zero here, that value.
template <class T, round_mode kMode>
inline uint64_t overflow_bits(bool negative) {
  constexpr bool kToZero = kMode == round_mode::trunc || kMode == round_mode::odd;
  const bool inward = kToZero || (kMode == round_mode::floor && !negative) || (kMode == round_mode::ceil && negative);
  return infinity_bits<T> - (inward ? 1 : 0);
}

// float to a narrower format, sign apart.
template <class T, round_mode kMode>
inline uint16_t narrow_float(float value) {
  using F = format<T>;
  const uint32_t bits = bits_of(value);
  const bool negative = (bits >> 31) != 0;
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint16_t sign = static_cast<uint16_t>(negative ? 0x8000u : 0u);
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | infinity_bits<T> | (1u << (F::mantissa - 1)));
  if (magnitude == 0x7f800000u) return static_cast<uint16_t>(sign | infinity_bits<T>);
  constexpr int kMinExponent = 128 - F::bias;  // of the smallest normal number, in float's biased exponent
  const int stored = static_cast<int>(magnitude >> 23);
  const int exponent = stored == 0 ? 1 : stored;
  const uint32_t significand = (magnitude & 0x7fffffu) | (stored == 0 ? 0u : 0x800000u);
  int shift = 23 - F::mantissa + (exponent < kMinExponent ? kMinExponent - exponent : 0);
  if (shift > 25) shift = 25;  // everything is rest
  uint64_t kept = significand >> shift;
  const uint64_t rest = significand & ((1u << shift) - 1);
  if (rounds_up<kMode>(negative, kept, rest, 1u << (shift - 1))) ++kept;
  if (exponent > kMinExponent) kept += static_cast<uint64_t>(exponent - kMinExponent) << F::mantissa;
  if (kept >= infinity_bits<T>) kept = overflow_bits<T, kMode>(negative);
  return static_cast<uint16_t>(sign | kept);
}

// An integer (magnitude and sign) to a floating format: its bits without the sign.
template <class T, round_mode kMode>
inline uint64_t float_bits_of_integer(uint64_t magnitude, bool negative) {
  using F = format<T>;
  if (magnitude == 0) return 0;
  const int top = 63 - __builtin_clzll(magnitude);
  uint64_t kept = magnitude;
  if (top <= F::mantissa) {
    kept <<= F::mantissa - top;
  } else {
    const int shift = top - F::mantissa;
    kept = magnitude >> shift;
    const uint64_t rest = magnitude & ((uint64_t{1} << shift) - 1);
    if (rounds_up<kMode>(negative, kept, rest, uint64_t{1} << (shift - 1))) ++kept;
  }
  kept += static_cast<uint64_t>(top + F::bias - 1) << F::mantissa;  // the hidden bit adds the missing one
  return kept >= infinity_bits<T> ? overflow_bits<T, kMode>(negative) : kept;
}

template <round_mode kMode>
inline float to_integral(float value) {
  if constexpr (kMode == round_mode::none || kMode == round_mode::rint) return rintf(value);
  else if constexpr (kMode == round_mode::round) return roundf(value);
  else if constexpr (kMode == round_mode::floor) return floorf(value);
  else if constexpr (kMode == round_mode::ceil) return ceilf(value);
  else if constexpr (kMode == round_mode::trunc) return truncf(value);
  else {
    const float down = truncf(value);
    return down != value && fmodf(down, 2.0f) == 0.0f ? down + copysignf(1.0f, value) : down;
  }
}

template <class I, round_mode kMode>
inline I float_to_integer(float value) {
  const float limit = ldexpf(1.0f, static_cast<int>(8 * sizeof(I)) - (std::is_signed<I>::value ? 1 : 0));
  const float rounded = to_integral<kMode>(value);
  if (rounded != rounded) return I{0};
  if (rounded >= limit) return max_of<I>();
  if (rounded < (std::is_signed<I>::value ? -limit : 0.0f)) return min_of<I>();
  return static_cast<I>(rounded);
}

template <class To, class From>
inline To integer_to_integer(From value) {
  if constexpr (std::is_signed<From>::value) {
    if (value < 0) {
      if constexpr (!std::is_signed<To>::value) return To{0};
      else
        return static_cast<int64_t>(value) < static_cast<int64_t>(min_of<To>()) ? min_of<To>() : static_cast<To>(value);
    }
  }
  return static_cast<uint64_t>(value) > static_cast<uint64_t>(max_of<To>()) ? max_of<To>() : static_cast<To>(value);
}

// One element, from stored value to stored value.
template <class To, class From, round_mode kMode>
inline To convert(From value) {
  if constexpr (dtype<From>::is_float) {
    const float wide = dtype<From>::widen(value);
    if constexpr (!dtype<To>::is_float) return float_to_integer<To, kMode>(wide);
    else if constexpr (std::is_same<To, float>::value) return wide;
    else if constexpr (kMode == round_mode::none || kMode == round_mode::rint) return dtype<To>::narrow(wide);
    else return To{narrow_float<To, kMode>(wide)};
  } else if constexpr (dtype<To>::is_float) {
    const bool negative = value < From{0};
    const uint64_t magnitude = negative ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const uint64_t bits = float_bits_of_integer<To, kMode>(magnitude, negative);
    if constexpr (std::is_same<To, float>::value)
      return float_of(static_cast<uint32_t>(bits | (negative ? 0x80000000u : 0u)));
    else return To{static_cast<uint16_t>(bits | (negative ? 0x8000u : 0u))};
  } else {
    return integer_to_integer<To>(value);
  }
}

template <class To, class From, round_mode kMode>
inline void cast_run(uint8_t* out, const uint8_t* in, int64_t count) {
  From from[kChunk];
  To to[kChunk];
  for (int64_t at = 0; at < count; at += kChunk) {
    const int64_t length = count - at < kChunk ? count - at : kChunk;
    memcpy(from, in + at * static_cast<int64_t>(sizeof(From)), static_cast<size_t>(length) * sizeof(From));
    for (int64_t k = 0; k < length; ++k) to[k] = convert<To, From, kMode>(from[k]);
    memcpy(out + at * static_cast<int64_t>(sizeof(To)), to, static_cast<size_t>(length) * sizeof(To));
  }
}

}  // namespace detail

template <round_mode kMode = round_mode::round, class Out, class Src>
inline void cast(Block& block, int32_t site, Tile<Out> out, Tile<Src> src) {
  using To = typename Out::element;
  using From = typename Src::element;
  static_assert(cast_supported<To, From>(), "pl.cast converts between two different dtypes, none of them DT_BOOL");
  static_assert(detail::same_shape<Out, Src>, "pl.cast: out and src must have the same shape");
  static_assert(Out::kSpace == space::vec && Src::kSpace == space::vec,
                "vector operations work on UB tiles (MemorySpace.Vec)");
  const TileState& o = *out.state;
  const TileState& a = *src.state;
  detail::check_operand(block, site, "cast", o, a, "src");
  detail::for_runs(o, [&](int64_t first, int64_t count) {
    detail::cast_run<To, From, kMode>(o.data + first * static_cast<int64_t>(sizeof(To)),
                                      a.data + first * static_cast<int64_t>(sizeof(From)), count);
  });
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_OPS_CAST_H_
