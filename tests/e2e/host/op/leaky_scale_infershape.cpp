#include "log/log.h"
#include "register/op_impl_registry.h"

namespace ops {
static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    const gert::Shape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    *context->GetOutputShape(0) = *x;
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_INFERSHAPE(LeakyScale).InferShape(InferShape);
}  // namespace ops
