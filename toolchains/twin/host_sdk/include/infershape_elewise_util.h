// InferShape of operators that work element by element.
#ifndef PYPTO_TWIN_INFERSHAPE_ELEWISE_UTIL_H_
#define PYPTO_TWIN_INFERSHAPE_ELEWISE_UTIL_H_

#include "exe_graph/runtime/infer_shape_context.h"
#include "log/log.h"

namespace Ops {
namespace Base {

// The output has the shape of the first input.
inline ge::graphStatus InferShape4Elewise(gert::InferShapeContext* context) {
  const gert::Shape* input = context->GetInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, input);
  gert::Shape* output = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, output);
  *output = *input;
  return ge::GRAPH_SUCCESS;
}

}  // namespace Base
}  // namespace Ops

#endif  // PYPTO_TWIN_INFERSHAPE_ELEWISE_UTIL_H_
