#include "register/op_impl_registry.h"

#include "register/op_functions.h"
#include "register/tilingdata_base.h"

namespace gert {

using pypto_twin::host::CurrentRegistrations;

OpImplRegisterV2::OpImplRegisterV2(const char* op_type) : functions_(&CurrentRegistrations().functions[op_type]) {}

OpImplRegisterV2& OpImplRegisterV2::Tiling(TilingFunc function, size_t) {
  functions_->tiling = function;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::TilingParse(TilingParseFunc function, void* (*create)(), void (*destroy)(void*)) {
  functions_->tiling_parse = function;
  functions_->create_compile_info = create;
  functions_->destroy_compile_info = destroy;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::InferShape(InferShapeFunc function) {
  functions_->infer_shape = function;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::InferDataType(InferDataTypeFunc function) {
  functions_->infer_dtype = function;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::InferOutDataTypeSameWithFirstInput() {
  functions_->dtype_of_first_input = true;
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::InputsDataDependency(std::initializer_list<int32_t> inputs) {
  functions_->data_inputs.assign(inputs.begin(), inputs.end());
  return *this;
}

OpImplRegisterV2& OpImplRegisterV2::TilingInputsDataDependency(std::initializer_list<int32_t> inputs) {
  functions_->tiling_data_inputs.assign(inputs.begin(), inputs.end());
  return *this;
}

}  // namespace gert

namespace pypto_twin {
namespace host {

void RegisterTilingData(const char* op_type, const char* class_name, size_t bytes) {
  CurrentRegistrations().tiling_data[op_type][class_name] = bytes;
}

}  // namespace host
}  // namespace pypto_twin
