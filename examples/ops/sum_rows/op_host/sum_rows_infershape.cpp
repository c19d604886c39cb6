// The output has the dimensions of x without the first one, or with it as 1.
#include "log/log.h"
#include "register/op_impl_registry.h"

namespace ops {

static ge::graphStatus InferShapeSumRows(gert::InferShapeContext* context)
{
    const gert::Shape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    gert::Shape* y = context->GetOutputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, y);
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
    const bool* keepDims = attrs->GetAttrPointer<bool>(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, keepDims);

    if (x->GetDimNum() == 1 && x->GetDim(0) == -2) {
        *y = *x;  // of an unknown rank, as x is
        return ge::GRAPH_SUCCESS;
    }
    OP_CHECK_IF(x->GetDimNum() == 0, OP_LOGE(context, "x is a scalar; it has no rows to sum"),
                return ge::GRAPH_FAILED);
    y->SetDimNum(0);
    if (*keepDims) {
        y->AppendDim(1);
    }
    for (size_t i = 1; i < x->GetDimNum(); i++) {
        y->AppendDim(x->GetDim(i));
    }
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferDataTypeSumRows(gert::InferDataTypeContext* context)
{
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}

IMPL_OP_INFERSHAPE(SumRows).InferShape(InferShapeSumRows).InferDataType(InferDataTypeSumRows);

}  // namespace ops
