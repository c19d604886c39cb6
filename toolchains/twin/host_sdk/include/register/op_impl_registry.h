// How an operator's host functions are found: IMPL_OP and its kin register them when the library is loaded.
#ifndef PYPTO_TWIN_REGISTER_OP_IMPL_REGISTRY_H_
#define PYPTO_TWIN_REGISTER_OP_IMPL_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/types.h"
#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {
struct OpFunctions;
}  // namespace host
}  // namespace pypto_twin

namespace gert {

class OpExecuteContext;

class PYPTO_TWIN_API OpImplRegisterV2 {
 public:
  using TilingFunc = ge::graphStatus (*)(TilingContext*);
  using TilingParseFunc = ge::graphStatus (*)(TilingParseContext*);
  using InferShapeFunc = ge::graphStatus (*)(InferShapeContext*);
  using InferDataTypeFunc = ge::graphStatus (*)(InferDataTypeContext*);
  using InferShapeRangeFunc = ge::graphStatus (*)(InferShapeRangeContext*);

  explicit OpImplRegisterV2(const char* op_type);

  // The most bytes of TilingData; the kernel's own size counts here.
  OpImplRegisterV2& Tiling(TilingFunc function, size_t max_tiling_data_size = 2048);

  // T is what the tiling function gets from GetCompileInfo<T>(); made before `function` is called, destroyed after.
  template <class T>
  OpImplRegisterV2& TilingParse(TilingParseFunc function) {
    return TilingParse(function, [] { return static_cast<void*>(new T()); }, [](void* it) { delete static_cast<T*>(it); });
  }

  OpImplRegisterV2& InferShape(InferShapeFunc function);
  OpImplRegisterV2& InferDataType(InferDataTypeFunc function);
  // Of graph mode: never called by the twin.
  OpImplRegisterV2& InferShapeRange(InferShapeRangeFunc) { return *this; }
  OpImplRegisterV2& InferOutDataTypeSameWithFirstInput();

  // Inputs, by their place in the OpDef, whose elements InferShape and Tiling read, or Tiling alone.
  OpImplRegisterV2& InputsDataDependency(std::initializer_list<int32_t> inputs);
  OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> inputs);

  // Of graph mode.
  OpImplRegisterV2& OutputShapeDependOnCompute(std::initializer_list<int32_t>) { return *this; }
  [[noreturn]] OpImplRegisterV2& OpExecuteFunc(ge::graphStatus (*)(OpExecuteContext*)) {
    pypto_twin::host::Unsupported("OpImplRegisterV2::OpExecuteFunc");
  }
  template <class... Rest>
  [[noreturn]] OpImplRegisterV2& PrivateAttr(const char*, Rest...) {
    pypto_twin::host::Unsupported("OpImplRegisterV2::PrivateAttr");
  }

 private:
  OpImplRegisterV2& TilingParse(TilingParseFunc function, void* (*create)(), void (*destroy)(void*));

  pypto_twin::host::OpFunctions* functions_;
};

using OpImplRegister = OpImplRegisterV2;

}  // namespace gert

#define PYPTO_TWIN_IMPL_NAME_(name, counter) name##counter
#define PYPTO_TWIN_IMPL_NAME(name, counter) PYPTO_TWIN_IMPL_NAME_(name, counter)
#define IMPL_OP(op_type)                                                                                            \
  [[maybe_unused]] static gert::OpImplRegisterV2 PYPTO_TWIN_IMPL_NAME(op_impl_register_##op_type##_, __COUNTER__) = \
      gert::OpImplRegisterV2(#op_type)
#define IMPL_OP_DEFAULT() IMPL_OP(DefaultImpl)
#define IMPL_OP_INFERSHAPE(op_type) \
  [[maybe_unused]] gert::OpImplRegisterV2 op_impl_register_infershape_##op_type = gert::OpImplRegisterV2(#op_type)
#define IMPL_OP_OPTILING(op_type) \
  [[maybe_unused]] gert::OpImplRegisterV2 op_impl_register_optiling_##op_type = gert::OpImplRegisterV2(#op_type)

#endif  // PYPTO_TWIN_REGISTER_OP_IMPL_REGISTRY_H_
