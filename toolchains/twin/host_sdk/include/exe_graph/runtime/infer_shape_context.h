// What InferShape reads of the call, and the output shapes it fills in.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_

#include "exe_graph/runtime/extended_kernel_context.h"

namespace pypto_twin {
namespace host {
struct InferState;
}  // namespace host
}  // namespace pypto_twin

namespace gert {

class PYPTO_TWIN_API InferShapeContext : public ExtendedKernelContext {
 public:
  InferShapeContext(pypto_twin::host::NodeState* node, pypto_twin::host::InferState* state)
      : ExtendedKernelContext(node), state_(state) {}

  const Shape* GetInputShape(size_t index) const;
  const Shape* GetRequiredInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
  const Shape* GetOptionalInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
  const Shape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const;

  const Tensor* GetInputTensor(size_t index) const { return InputTensor(index); }
  const Tensor* GetRequiredInputTensor(size_t ir_index) const { return InputTensorOf(ir_index, 0); }
  const Tensor* GetOptionalInputTensor(size_t ir_index) const { return InputTensorOf(ir_index, 0); }
  const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
    return InputTensorOf(ir_index, relative_index);
  }

  Shape* GetOutputShape(size_t index);

 private:
  pypto_twin::host::InferState* state_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
