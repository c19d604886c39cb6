from op_impl import op
