#pragma once

#include "graph/operator_reg.h"

namespace ge {
REG_OP(LeakyScale)
    .INPUT(x, TensorType({DT_FLOAT16, DT_FLOAT}))
    .OUTPUT(y, TensorType({DT_FLOAT16, DT_FLOAT}))
    .ATTR(alpha, Float, 1.0)
    .OP_END_FACTORY_REG(LeakyScale)
}  // namespace ge
