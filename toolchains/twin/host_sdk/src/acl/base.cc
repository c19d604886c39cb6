#include "acl/acl_base.h"

#include <cstdio>
#include <string>

#include "acl/report.h"
#include "pypto_twin/host/names.h"
#include "pypto_twin/types.h"

namespace pypto_twin {
namespace acl {
namespace {

thread_local std::string recent;
thread_local std::string given_out;

}  // namespace

int Refuse(int code, const std::string& text) {
  recent = text;
  fprintf(stderr, "[ERROR] %s\n", text.c_str());
  return code;
}

}  // namespace acl
}  // namespace pypto_twin

extern "C" {

size_t aclDataTypeSize(aclDataType dtype) {
  const int size = ge::GetSizeByDataType(static_cast<ge::DataType>(dtype));
  return size > 0 && size < ge::kDataTypeSizeBitOffset ? static_cast<size_t>(size) : 0;
}

aclFloat16 aclFloatToFloat16(float value) { return pypto_twin::detail::float_to_half(value); }

float aclFloat16ToFloat(aclFloat16 value) { return pypto_twin::detail::half_to_float(value); }

const char* aclGetRecentErrMsg() {
  pypto_twin::acl::given_out.swap(pypto_twin::acl::recent);
  pypto_twin::acl::recent.clear();
  return pypto_twin::acl::given_out.c_str();
}

}  // extern "C"
