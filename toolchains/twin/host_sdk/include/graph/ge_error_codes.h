// Status codes of host functions.
#ifndef PYPTO_TWIN_GRAPH_GE_ERROR_CODES_H_
#define PYPTO_TWIN_GRAPH_GE_ERROR_CODES_H_

#include <cstdint>

namespace ge {

using graphStatus = uint32_t;
using Status = uint32_t;

inline constexpr graphStatus GRAPH_SUCCESS = 0;
inline constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
inline constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304;
inline constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
inline constexpr graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT = 50331648;
inline constexpr graphStatus GRAPH_NODE_NEED_REPASS = 50331647;
inline constexpr graphStatus GRAPH_INVALID_IR_DEF = 50331646;
inline constexpr graphStatus OP_WITHOUT_IR_DATATYPE_INFER_RULE = 50331645;

inline constexpr Status SUCCESS = 0;
inline constexpr Status FAILED = 0xFFFFFFFF;
inline constexpr Status PARAM_INVALID = 103900;

}  // namespace ge

#endif  // PYPTO_TWIN_GRAPH_GE_ERROR_CODES_H_
