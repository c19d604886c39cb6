// Element types of tiles and tensors. float16 and bfloat16 are computed in float and rounded once, to nearest even, as
// the device does. Docs: basic_data_structures/DataType.md.
#ifndef PYPTO_TWIN_TYPES_H_
#define PYPTO_TWIN_TYPES_H_

#include <stdint.h>
#include <string.h>

#include <type_traits>

namespace pypto_twin {

struct half {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};
struct boolean {
  uint8_t bits;
};

namespace detail {

inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Branch-free, so that loops over tiles vectorise: the subnormals come out of a subtraction that the FPU normalises.
inline float half_to_float(uint16_t value) {
  const uint32_t sign = static_cast<uint32_t>(value & 0x8000u) << 16;
  const uint32_t magnitude = static_cast<uint32_t>(value & 0x7fffu) << 13;
  const uint32_t exponent = magnitude & 0x0f800000u;
  const uint32_t normal = magnitude + 0x38000000u;  // 127 - 15 added to the exponent
  const uint32_t special = normal + 0x38000000u;    // inf and nan: exponent 255
  const uint32_t subnormal = bits_of(float_of(magnitude + 0x38800000u) - float_of(0x38800000u));
  const uint32_t finite = exponent == 0 ? subnormal : normal;
  return float_of(sign | (exponent == 0x0f800000u ? special : finite));
}

// Round to nearest even; magnitudes of 65520 and more become infinity; NaN stays a quiet NaN.
inline uint16_t float_to_half(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t odd = (magnitude >> 13) & 1u;
  const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
  // Adding 0.5 puts the 2^-24 place of a subnormal at the last place of the float, so the addition itself rounds.
  const uint32_t subnormal = bits_of(float_of(magnitude < 0x38800000u ? magnitude : 0u) + 0.5f) - 0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? 0x7e00u : result;
  return static_cast<uint16_t>(sign | result);
}

inline float bfloat16_to_float(uint16_t value) { return float_of(static_cast<uint32_t>(value) << 16); }

inline uint16_t float_to_bfloat16(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t nan = ((bits >> 16) & 0x8000u) | 0x7fc0u;
  return static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

}  // namespace detail

// What the operations need to know of an element type. `index` is the bit in the masks of op_dtypes.h.
template <class T>
struct dtype;

template <>
struct dtype<half> {
  static constexpr int index = 0;
  static constexpr const char* name = "DT_FP16";
  static constexpr bool is_float = true;
  using compute = float;
  static compute widen(half value) { return detail::half_to_float(value.bits); }
  static half narrow(compute value) { return half{detail::float_to_half(value)}; }
};

template <>
struct dtype<bfloat16> {
  static constexpr int index = 1;
  static constexpr const char* name = "DT_BF16";
  static constexpr bool is_float = true;
  using compute = float;
  static compute widen(bfloat16 value) { return detail::bfloat16_to_float(value.bits); }
  static bfloat16 narrow(compute value) { return bfloat16{detail::float_to_bfloat16(value)}; }
};

template <>
struct dtype<boolean> {
  static constexpr int index = 11;
  static constexpr const char* name = "DT_BOOL";
  static constexpr bool is_float = false;
  using compute = uint8_t;
  static compute widen(boolean value) { return value.bits; }
  static boolean narrow(compute value) { return boolean{value}; }
};

namespace detail {

template <class T, int kIndex, bool kFloat>
struct plain_dtype {
  static constexpr int index = kIndex;
  static constexpr bool is_float = kFloat;
  using compute = T;
  static T widen(T value) { return value; }
  static T narrow(T value) { return value; }
};

}  // namespace detail

template <>
struct dtype<float> : detail::plain_dtype<float, 2, true> {
  static constexpr const char* name = "DT_FP32";
};
template <>
struct dtype<int8_t> : detail::plain_dtype<int8_t, 3, false> {
  static constexpr const char* name = "DT_INT8";
};
template <>
struct dtype<int16_t> : detail::plain_dtype<int16_t, 4, false> {
  static constexpr const char* name = "DT_INT16";
};
template <>
struct dtype<int32_t> : detail::plain_dtype<int32_t, 5, false> {
  static constexpr const char* name = "DT_INT32";
};
template <>
struct dtype<int64_t> : detail::plain_dtype<int64_t, 6, false> {
  static constexpr const char* name = "DT_INT64";
};
template <>
struct dtype<uint8_t> : detail::plain_dtype<uint8_t, 7, false> {
  static constexpr const char* name = "DT_UINT8";
};
template <>
struct dtype<uint16_t> : detail::plain_dtype<uint16_t, 8, false> {
  static constexpr const char* name = "DT_UINT16";
};
template <>
struct dtype<uint32_t> : detail::plain_dtype<uint32_t, 9, false> {
  static constexpr const char* name = "DT_UINT32";
};
template <>
struct dtype<uint64_t> : detail::plain_dtype<uint64_t, 10, false> {
  static constexpr const char* name = "DT_UINT64";
};

namespace detail {

// Elements are read and written through memcpy: tiles of several dtypes share addresses, and GM pointers may be
// unaligned.
template <class T>
inline typename dtype<T>::compute read(const uint8_t* from) {
  T value;
  memcpy(&value, from, sizeof value);
  return dtype<T>::widen(value);
}

template <class T>
inline void write(uint8_t* to, typename dtype<T>::compute value) {
  const T narrowed = dtype<T>::narrow(value);
  memcpy(to, &narrowed, sizeof narrowed);
}

template <class T>
inline constexpr bool is_signed_integer = !dtype<T>::is_float && std::is_signed<typename dtype<T>::compute>::value;

template <class T>
inline constexpr T max_of() {
  return static_cast<T>(std::is_signed<T>::value ? (uint64_t{1} << (8 * sizeof(T) - 1)) - 1
                                                 : ~uint64_t{0} >> (64 - 8 * sizeof(T)));
}

template <class T>
inline constexpr T min_of() {
  return std::is_signed<T>::value ? static_cast<T>(-max_of<T>() - 1) : T{0};
}

}  // namespace detail
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_TYPES_H_
