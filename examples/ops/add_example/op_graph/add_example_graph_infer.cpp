// What graph mode infers beside the shape: the dtype.
#include "add_example_proto.h"
#include "register/op_impl_registry.h"

namespace ops {

static ge::graphStatus GraphInferDataTypeAddExample(gert::InferDataTypeContext* context)
{
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}

IMPL_OP(AddExample).InferDataType(GraphInferDataTypeAddExample);

}  // namespace ops
