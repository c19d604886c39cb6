// What all contexts of host functions know of the call.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_

#include "exe_graph/runtime/compute_node_info.h"

namespace gert {

// Indices count tensors over all inputs or outputs; `ir_index` counts parameters of the OpDef. Beyond the end: null.
class PYPTO_TWIN_API ExtendedKernelContext {
 public:
  ExtendedKernelContext(const ExtendedKernelContext&) = delete;
  ExtendedKernelContext& operator=(const ExtendedKernelContext&) = delete;

  const char* GetNodeType() const;
  const char* GetNodeName() const;
  // The twin has no kernels of the graph executor: the node's name.
  const char* GetKernelName() const { return GetNodeName(); }
  const char* GetKernelType() const { return GetNodeType(); }

  const ComputeNodeInfo* GetComputeNodeInfo() const;
  size_t GetComputeNodeInputNum() const;
  size_t GetComputeNodeOutputNum() const;
  const RuntimeAttrs* GetAttrs() const;

  const CompileTimeTensorDesc* GetInputDesc(size_t index) const;
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const;
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const { return GetDynamicInputDesc(ir_index, 0); }
  const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index) const { return GetDynamicInputDesc(ir_index, 0); }
  const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index, size_t relative_index) const;
  const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t ir_index) const;
  const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t ir_index) const;

 protected:
  explicit ExtendedKernelContext(pypto_twin::host::NodeState* node) : node_(node) {}
  ~ExtendedKernelContext() = default;

  const Tensor* InputTensor(size_t index) const;
  const Tensor* InputTensorOf(size_t ir_index, size_t relative_index) const;
  const Tensor* OutputTensor(size_t index) const;

  pypto_twin::host::NodeState* node_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
