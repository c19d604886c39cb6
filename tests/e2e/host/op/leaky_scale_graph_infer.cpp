#include "leaky_scale_proto.h"
#include "register/op_impl_registry.h"

namespace ops {
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context)
{
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}

IMPL_OP(LeakyScale).InferDataType(InferDataType);
}  // namespace ops
