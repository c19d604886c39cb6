// What InferDataType reads of the call, and the output dtypes it fills in.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_

#include "exe_graph/runtime/extended_kernel_context.h"

namespace pypto_twin {
namespace host {
struct InferState;
}  // namespace host
}  // namespace pypto_twin

namespace gert {

class PYPTO_TWIN_API InferDataTypeContext : public ExtendedKernelContext {
 public:
  InferDataTypeContext(pypto_twin::host::NodeState* node, pypto_twin::host::InferState* state)
      : ExtendedKernelContext(node), state_(state) {}

  // DT_UNDEFINED where there is no such tensor.
  ge::DataType GetInputDataType(size_t index) const;
  ge::DataType GetRequiredInputDataType(size_t ir_index) const { return GetDynamicInputDataType(ir_index, 0); }
  ge::DataType GetOptionalInputDataType(size_t ir_index) const { return GetDynamicInputDataType(ir_index, 0); }
  ge::DataType GetDynamicInputDataType(size_t ir_index, size_t relative_index) const;
  ge::DataType GetOutputDataType(size_t index) const;
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType dtype);

 private:
  pypto_twin::host::InferState* state_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
