// The contexts that host functions get.
#include <string>

#include "exe_graph/node_state.h"
#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"

namespace gert {

using pypto_twin::host::AttrView;
using pypto_twin::host::HostError;
using pypto_twin::host::StoredAttr;

namespace {

const char* NameOf(AttrView view) {
  switch (view) {
    case AttrView::int_value:
      return "int";
    case AttrView::float_value:
      return "float";
    case AttrView::bool_value:
      return "bool";
    case AttrView::string:
      return "string";
    case AttrView::list:
      return "list";
    case AttrView::list_of_lists:
      return "list of lists";
    case AttrView::raw:
      break;
  }
  return "value of another type";
}

template <class T>
const T* At(const std::vector<T>& items, size_t index) {
  return index < items.size() ? &items[index] : nullptr;
}

const Shape* StorageOf(const Tensor* tensor) { return tensor ? &tensor->GetStorageShape() : nullptr; }
const StorageShape* ShapeOf(const Tensor* tensor) { return tensor ? &tensor->GetShape() : nullptr; }

}  // namespace

size_t RuntimeAttrs::GetAttrNum() const { return node_->attrs.size(); }

const void* RuntimeAttrs::Pointer(size_t index, AttrView view) const {
  const StoredAttr* attr = At(node_->attrs, index);
  if (attr == nullptr) return nullptr;
  if (attr->view != view) {
    throw HostError("attribute " + std::to_string(index) + " ('" + attr->name + "') of " + node_->type + " is a " +
                    NameOf(attr->view) + ", and is read as a " + NameOf(view) +
                    "; read it as what the OpDef says, or correct the index");
  }
  return attr->pointer;
}

const char* ComputeNodeInfo::GetNodeType() const { return node_->type.c_str(); }
const char* ComputeNodeInfo::GetNodeName() const { return node_->name.c_str(); }
size_t ComputeNodeInfo::GetIrInputsNum() const { return node_->inputs.params.size(); }
size_t ComputeNodeInfo::GetIrOutputsNum() const { return node_->outputs.params.size(); }
size_t ComputeNodeInfo::GetInputsNum() const { return node_->inputs.tensors.size(); }
size_t ComputeNodeInfo::GetOutputsNum() const { return node_->outputs.tensors.size(); }
const AnchorInstanceInfo* ComputeNodeInfo::GetInputInstanceInfo(size_t ir_index) const {
  return At(node_->inputs.params, ir_index);
}
const AnchorInstanceInfo* ComputeNodeInfo::GetOutputInstanceInfo(size_t ir_index) const {
  return At(node_->outputs.params, ir_index);
}
const CompileTimeTensorDesc* ComputeNodeInfo::GetInputTdInfo(size_t index) const {
  return At(node_->inputs.descriptions, index);
}
const CompileTimeTensorDesc* ComputeNodeInfo::GetOutputTdInfo(size_t index) const {
  return At(node_->outputs.descriptions, index);
}
const RuntimeAttrs* ComputeNodeInfo::GetAttrs() const { return &node_->runtime_attrs; }

const char* ExtendedKernelContext::GetNodeType() const { return node_->type.c_str(); }
const char* ExtendedKernelContext::GetNodeName() const { return node_->name.c_str(); }
const ComputeNodeInfo* ExtendedKernelContext::GetComputeNodeInfo() const { return &node_->info; }
size_t ExtendedKernelContext::GetComputeNodeInputNum() const { return node_->inputs.tensors.size(); }
size_t ExtendedKernelContext::GetComputeNodeOutputNum() const { return node_->outputs.tensors.size(); }
const RuntimeAttrs* ExtendedKernelContext::GetAttrs() const { return &node_->runtime_attrs; }
const CompileTimeTensorDesc* ExtendedKernelContext::GetInputDesc(size_t index) const {
  return At(node_->inputs.descriptions, index);
}
const CompileTimeTensorDesc* ExtendedKernelContext::GetOutputDesc(size_t index) const {
  return At(node_->outputs.descriptions, index);
}
const CompileTimeTensorDesc* ExtendedKernelContext::GetDynamicInputDesc(size_t ir_index, size_t relative_index) const {
  const Tensor* tensor = InputTensorOf(ir_index, relative_index);
  return tensor ? &node_->inputs.descriptions[static_cast<size_t>(tensor - node_->inputs.tensors.data())] : nullptr;
}
const AnchorInstanceInfo* ExtendedKernelContext::GetIrInputInstanceInfo(size_t ir_index) const {
  return At(node_->inputs.params, ir_index);
}
const AnchorInstanceInfo* ExtendedKernelContext::GetIrOutputInstanceInfo(size_t ir_index) const {
  return At(node_->outputs.params, ir_index);
}
const Tensor* ExtendedKernelContext::InputTensor(size_t index) const { return node_->inputs.At(index); }
const Tensor* ExtendedKernelContext::InputTensorOf(size_t ir_index, size_t relative_index) const {
  return node_->inputs.Of(ir_index, relative_index);
}
const Tensor* ExtendedKernelContext::OutputTensor(size_t index) const { return node_->outputs.At(index); }

void TilingData::SetDataSize(size_t size) {
  if (size > capacity_) {
    throw HostError("TilingData::SetDataSize of " + std::to_string(size) + " bytes, but there is room for " +
                    std::to_string(capacity_));
  }
  data_size_ = size;
}

const void* TilingContext::GetCompileInfo() const { return state_->compile_info.get(); }
fe::PlatFormInfos* TilingContext::GetPlatformInfo() const { return state_->platform; }
const StorageShape* TilingContext::GetInputShape(size_t index) const { return ShapeOf(InputTensor(index)); }
const StorageShape* TilingContext::GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
  return ShapeOf(InputTensorOf(ir_index, relative_index));
}
const StorageShape* TilingContext::GetOutputShape(size_t index) const { return ShapeOf(OutputTensor(index)); }

ge::graphStatus TilingContext::SetTilingKey(uint64_t tiling_key) {
  state_->tiling_key = tiling_key;
  state_->key_is_set = true;
  return ge::GRAPH_SUCCESS;
}
uint64_t TilingContext::GetTilingKey() const { return state_->tiling_key; }
ge::graphStatus TilingContext::SetBlockDim(uint32_t block_dim) {
  state_->block_dim = block_dim;
  state_->block_dim_is_set = true;
  return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetBlockDim() const { return state_->block_dim; }
ge::graphStatus TilingContext::SetScheduleMode(uint32_t mode) {
  state_->schedule_mode = mode;
  return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetScheduleMode() const { return state_->schedule_mode; }
ge::graphStatus TilingContext::SetTilingCond(int32_t condition) {
  state_->condition = condition;
  return ge::GRAPH_SUCCESS;
}
int32_t TilingContext::GetTilingCond() const { return state_->condition; }
ge::graphStatus TilingContext::SetNeedAtomic(bool atomic) {
  state_->atomic = atomic;
  return ge::GRAPH_SUCCESS;
}
bool TilingContext::NeedAtomic() const { return state_->atomic; }
ge::graphStatus TilingContext::SetLocalMemorySize(uint32_t bytes) {
  state_->local_memory = bytes;
  return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetLocalMemorySize() const { return state_->local_memory; }

void* TilingContext::TilingDataOf(size_t bytes) {
  if (bytes != state_->tiling_bytes) {
    throw HostError("GetTilingData is called with a class of " + std::to_string(bytes) + " bytes, but the TilingData of " +
                    node_->type + "'s kernel has " + std::to_string(state_->tiling_bytes) +
                    "; use the class that the kernel file declares, and remove copies of it");
  }
  state_->data->SetDataSize(bytes);
  return state_->data->GetData();
}
TilingData* TilingContext::GetRawTilingData() { return state_->data.get(); }
size_t* TilingContext::GetWorkspaceSizes(size_t count) {
  state_->workspaces.assign(count, 0);
  return state_->workspaces.data();
}
size_t TilingContext::GetWorkspaceNum() const { return state_->workspaces.size(); }

fe::PlatFormInfos* TilingParseContext::GetPlatformInfo() const { return state_->platform; }
void* TilingParseContext::CompiledInfo() { return state_->compile_info.get(); }

const Shape* InferShapeContext::GetInputShape(size_t index) const { return StorageOf(InputTensor(index)); }
const Shape* InferShapeContext::GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
  return StorageOf(InputTensorOf(ir_index, relative_index));
}
Shape* InferShapeContext::GetOutputShape(size_t index) {
  return index < state_->shapes.size() ? &state_->shapes[index] : nullptr;
}

ge::DataType InferDataTypeContext::GetInputDataType(size_t index) const {
  const Tensor* tensor = InputTensor(index);
  return tensor ? tensor->GetDataType() : ge::DT_UNDEFINED;
}
ge::DataType InferDataTypeContext::GetDynamicInputDataType(size_t ir_index, size_t relative_index) const {
  const Tensor* tensor = InputTensorOf(ir_index, relative_index);
  return tensor ? tensor->GetDataType() : ge::DT_UNDEFINED;
}
ge::DataType InferDataTypeContext::GetOutputDataType(size_t index) const {
  return index < state_->dtypes.size() ? state_->dtypes[index] : ge::DT_UNDEFINED;
}
ge::graphStatus InferDataTypeContext::SetOutputDataType(size_t index, ge::DataType dtype) {
  if (index >= state_->dtypes.size()) return ge::GRAPH_FAILED;
  state_->dtypes[index] = dtype;
  return ge::GRAPH_SUCCESS;
}

}  // namespace gert
