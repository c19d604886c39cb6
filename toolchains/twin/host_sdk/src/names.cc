#include "pypto_twin/host/names.h"

namespace pypto_twin {
namespace host {
namespace {

struct Dtype {
  ge::DataType dtype;
  const char* name;
  int bits;  // of one element; 0: without a size
};

constexpr Dtype kDtypes[] = {
    {ge::DT_FLOAT, "float", 32},          {ge::DT_FLOAT16, "float16", 16},
    {ge::DT_INT8, "int8", 8},             {ge::DT_INT32, "int32", 32},
    {ge::DT_UINT8, "uint8", 8},           {ge::DT_INT16, "int16", 16},
    {ge::DT_UINT16, "uint16", 16},        {ge::DT_UINT32, "uint32", 32},
    {ge::DT_INT64, "int64", 64},          {ge::DT_UINT64, "uint64", 64},
    {ge::DT_DOUBLE, "double", 64},        {ge::DT_BOOL, "bool", 8},
    {ge::DT_STRING, "string", 0},         {ge::DT_COMPLEX64, "complex64", 64},
    {ge::DT_COMPLEX128, "complex128", 128}, {ge::DT_QINT8, "qint8", 8},
    {ge::DT_QINT16, "qint16", 16},        {ge::DT_QINT32, "qint32", 32},
    {ge::DT_QUINT8, "quint8", 8},         {ge::DT_QUINT16, "quint16", 16},
    {ge::DT_RESOURCE, "resource", 0},     {ge::DT_BF16, "bfloat16", 16},
    {ge::DT_INT4, "int4", 4},             {ge::DT_UINT1, "uint1", 1},
    {ge::DT_INT2, "int2", 2},             {ge::DT_UINT2, "uint2", 2},
    {ge::DT_COMPLEX32, "complex32", 32},  {ge::DT_HIFLOAT8, "hifloat8", 8},
    {ge::DT_FLOAT8_E5M2, "float8_e5m2", 8}, {ge::DT_FLOAT8_E4M3FN, "float8_e4m3fn", 8},
    {ge::DT_FLOAT8_E8M0, "float8_e8m0", 8}, {ge::DT_FLOAT6_E3M2, "float6_e3m2", 6},
    {ge::DT_FLOAT6_E2M3, "float6_e2m3", 6}, {ge::DT_FLOAT4_E2M1, "float4_e2m1", 4},
    {ge::DT_FLOAT4_E1M2, "float4_e1m2", 4},
};

// By number, as in graph/types.h.
constexpr const char* kFormats[] = {
    "NCHW", "NHWC", "ND", "NC1HWC0", "FRACTAL_Z", "NC1C0HWPAD", "NHWC1C0", "FSR_NCHW", "FRACTAL_DECONV", "C1HWNC0",
    "FRACTAL_DECONV_TRANSPOSE", "FRACTAL_DECONV_SP_STRIDE_TRANS", "NC1HWC0_C04", "FRACTAL_Z_C04", "CHWN",
    "FRACTAL_DECONV_SP_STRIDE8_TRANS", "HWCN", "NC1KHKWHWC0", "BN_WEIGHT", "FILTER_HWCK", "HASHTABLE_LOOKUP_LOOKUPS",
    "HASHTABLE_LOOKUP_KEYS", "HASHTABLE_LOOKUP_VALUE", "HASHTABLE_LOOKUP_OUTPUT", "HASHTABLE_LOOKUP_HITS", "C1HWNCoC0",
    "MD", "NDHWC", "FRACTAL_ZZ", "FRACTAL_NZ", "NCDHW", "DHWCN", "NDC1HWC0", "FRACTAL_Z_3D", "CN", "NC", "DHWNC",
    "FRACTAL_Z_3D_TRANSPOSE", "FRACTAL_ZN_LSTM", "FRACTAL_Z_G", "RESERVED", "ALL", "NULL", "ND_RNN_BIAS",
    "FRACTAL_ZN_RNN", "NYUV", "NYUV_A", "NCL", "FRACTAL_Z_WINO", "C1HWC0"};
constexpr int32_t kFormatCount = sizeof kFormats / sizeof kFormats[0];

const Dtype* Find(ge::DataType dtype) {
  for (const Dtype& known : kDtypes) {
    if (known.dtype == dtype) return &known;
  }
  return nullptr;
}

}  // namespace

std::string DtypeName(ge::DataType dtype) {
  const Dtype* known = Find(dtype);
  return known != nullptr ? known->name : "undefined";
}

ge::DataType DtypeOf(const std::string& name) {
  for (const Dtype& known : kDtypes) {
    if (name == known.name) return known.dtype;
  }
  return ge::DT_UNDEFINED;
}

std::string FormatName(ge::Format format) {
  return format >= 0 && format < kFormatCount ? kFormats[format] : std::to_string(format);
}

ge::Format FormatOf(const std::string& name) {
  for (int32_t format = 0; format < kFormatCount; ++format) {
    if (name == kFormats[format]) return static_cast<ge::Format>(format);
  }
  return ge::FORMAT_MAX;
}

int64_t BytesOf(ge::DataType dtype, int64_t elements) {
  const Dtype* known = Find(dtype);
  int64_t bits = 0;
  if (known == nullptr || known->bits == 0 || __builtin_mul_overflow(elements, known->bits, &bits)) return -1;
  return (bits + 7) / 8;
}

void Unsupported(const char* function) { throw HostError(std::string(function) + " is not supported by the CPU twin"); }

}  // namespace host
}  // namespace pypto_twin

namespace ge {

int GetSizeByDataType(DataType type) {
  const pypto_twin::host::Dtype* known = pypto_twin::host::Find(type);
  if (known == nullptr || known->bits == 0) return -1;
  return known->bits < 8 ? kDataTypeSizeBitOffset + known->bits : known->bits / 8;
}

}  // namespace ge
