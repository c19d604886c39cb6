// Data types and formats by the names that OpDefs, jsons and messages use.
#ifndef PYPTO_TWIN_HOST_NAMES_H_
#define PYPTO_TWIN_HOST_NAMES_H_

#include <cstdint>
#include <string>

#include "graph/types.h"
#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {

// "float16"; "undefined" for what has no name.
PYPTO_TWIN_API std::string DtypeName(ge::DataType dtype);
// DT_UNDEFINED for an unknown name.
PYPTO_TWIN_API ge::DataType DtypeOf(const std::string& name);
// "ND"; a number for what has no name.
PYPTO_TWIN_API std::string FormatName(ge::Format format);
// FORMAT_MAX for an unknown name.
PYPTO_TWIN_API ge::Format FormatOf(const std::string& name);
// Bytes that `elements` of them take, end to end; types of less than a byte are packed. -1 for types without a size.
PYPTO_TWIN_API int64_t BytesOf(ge::DataType dtype, int64_t elements);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_HOST_NAMES_H_
