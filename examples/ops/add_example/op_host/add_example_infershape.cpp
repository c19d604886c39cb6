// The output has the shape and the dtype of the first input.
#include "log/log.h"
#include "register/op_impl_registry.h"

namespace ops {

static ge::graphStatus InferShapeAddExample(gert::InferShapeContext* context)
{
    const gert::Shape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    gert::Shape* z = context->GetOutputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, z);
    *z = *x;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeAddExample(gert::InferDataTypeContext* context)
{
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}

IMPL_OP_INFERSHAPE(AddExample).InferShape(InferShapeAddExample).InferDataType(InferDataTypeAddExample);

}  // namespace ops
