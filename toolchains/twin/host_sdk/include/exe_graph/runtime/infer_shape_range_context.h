// Ranges of shapes belong to graph mode: functions with this context are registered, and never called by the twin.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/range.h"

namespace gert {

class PYPTO_TWIN_API InferShapeRangeContext : public ExtendedKernelContext {
 public:
  [[noreturn]] const Range<Shape>* GetInputShapeRange(size_t) const {
    pypto_twin::host::Unsupported("InferShapeRangeContext::GetInputShapeRange");
  }
  [[noreturn]] Range<Shape>* GetOutputShapeRange(size_t) {
    pypto_twin::host::Unsupported("InferShapeRangeContext::GetOutputShapeRange");
  }
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_
