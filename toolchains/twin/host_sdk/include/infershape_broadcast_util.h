// InferShape of operators whose inputs are broadcast against each other.
#ifndef PYPTO_TWIN_INFERSHAPE_BROADCAST_UTIL_H_
#define PYPTO_TWIN_INFERSHAPE_BROADCAST_UTIL_H_

#include <algorithm>

#include "exe_graph/runtime/infer_shape_context.h"
#include "log/log.h"
#include "util/shape_util.h"

namespace Ops {
namespace Base {

// Widens `output` to what it and `input` are broadcast to, as numpy does it; false when they do not go together.
// An unknown dimension is what the other one is, unless that is 1.
inline bool BroadcastShape(const gert::Shape& input, gert::Shape& output) {
  if (IsUnknownRank(input) || IsUnknownRank(output)) {
    SetUnknownRank(output);
    return true;
  }
  const size_t rank = std::max(input.GetDimNum(), output.GetDimNum());
  gert::Shape wide;
  for (size_t index = 0; index < rank; ++index) {
    const auto dim_of = [&](const gert::Shape& shape) -> int64_t {
      const size_t missing = rank - shape.GetDimNum();
      return index < missing ? 1 : shape.GetDim(index - missing);
    };
    const int64_t one = dim_of(input);
    const int64_t other = dim_of(output);
    if (one != other && one > 1 && other > 1) return false;
    if ((one == 0 && other > 1) || (other == 0 && one > 1)) return false;
    if (one == 1 || (one == UNKNOWN_DIM_VALUE_ && other != 1)) {
      wide.AppendDim(other);
    } else {
      wide.AppendDim(one);
    }
  }
  output = wide;
  return true;
}

// The output has the shape that the first `count` inputs are broadcast to.
inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context, size_t count) {
  gert::Shape* output = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, output);
  gert::Shape wide;
  for (size_t index = 0; index < count; ++index) {
    const gert::Shape* input = context->GetInputShape(index);
    OP_CHECK_NULL_WITH_CONTEXT(context, input);
    OP_CHECK_IF(!BroadcastShape(*input, wide),
                OP_LOGE(context, "the shape %s of input %zu cannot be broadcast to %s", ToString(*input).c_str(), index,
                        ToString(wide).c_str()),
                return ge::GRAPH_FAILED);
  }
  *output = wide;
  return ge::GRAPH_SUCCESS;
}
inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context) {
  return InferShape4Broadcast(context, 2);
}

}  // namespace Base
}  // namespace Ops

#endif  // PYPTO_TWIN_INFERSHAPE_BROADCAST_UTIL_H_
