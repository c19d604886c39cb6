// Prototypes of operators for graph mode. The twin has no graph engine: they compile, and are not looked at.
#ifndef PYPTO_TWIN_GRAPH_OPERATOR_REG_H_
#define PYPTO_TWIN_GRAPH_OPERATOR_REG_H_

#include <initializer_list>

#include "graph/types.h"

namespace ge {

// The dtypes an input or output takes.
class TensorType {
 public:
  explicit TensorType(DataType) {}
  TensorType(const std::initializer_list<DataType>&) {}

  static TensorType ALL() { return TensorType(DT_UNDEFINED); }
  static TensorType BasicType() { return ALL(); }
  static TensorType FLOAT() { return TensorType({DT_FLOAT, DT_FLOAT16}); }
  static TensorType FloatingDataType() { return TensorType({DT_DOUBLE, DT_FLOAT, DT_FLOAT16}); }
  static TensorType IndexNumberType() { return TensorType({DT_INT32, DT_INT64}); }
  static TensorType NumberType() { return ALL(); }
  static TensorType RealNumberType() { return ALL(); }
};

class OpPrototype {
 public:
  explicit OpPrototype(const char*) {}

  OpPrototype& Tensor(const char*, const TensorType&) { return *this; }
  // The name of a DATATYPE in place of a list.
  OpPrototype& Tensor(const char*, const char*) { return *this; }
  OpPrototype& Named(const char*) { return *this; }
};

}  // namespace ge

#define REG_OP(op_type) \
  [[maybe_unused]] static const ::ge::OpPrototype pypto_twin_prototype_##op_type = ::ge::OpPrototype(#op_type)
#define INPUT(name, ...) Tensor(#name, __VA_ARGS__)
#define OPTIONAL_INPUT(name, ...) Tensor(#name, __VA_ARGS__)
#define DYNAMIC_INPUT(name, ...) Tensor(#name, __VA_ARGS__)
#define OUTPUT(name, ...) Tensor(#name, __VA_ARGS__)
#define DYNAMIC_OUTPUT(name, ...) Tensor(#name, __VA_ARGS__)
#define DATATYPE(name, ...) Tensor(#name, __VA_ARGS__)
#define ATTR(name, type, ...) Named(#name)
#define REQUIRED_ATTR(name, type) Named(#name)
#define OP_END_FACTORY_REG(op_type) Named(#op_type);

#endif  // PYPTO_TWIN_GRAPH_OPERATOR_REG_H_
