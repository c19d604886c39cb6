// The prototype of AddExample for graph mode.
#ifndef OPS_ADD_EXAMPLE_PROTO_H_
#define OPS_ADD_EXAMPLE_PROTO_H_

#include "graph/operator_reg.h"

namespace ge {

// z = x + y. All three have the same shape and dtype.
REG_OP(AddExample)
    .INPUT(x, TensorType({DT_FLOAT16, DT_FLOAT, DT_INT32}))
    .INPUT(y, TensorType({DT_FLOAT16, DT_FLOAT, DT_INT32}))
    .OUTPUT(z, TensorType({DT_FLOAT16, DT_FLOAT, DT_INT32}))
    .OP_END_FACTORY_REG(AddExample)

}  // namespace ge

#endif  // OPS_ADD_EXAMPLE_PROTO_H_
