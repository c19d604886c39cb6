// OP_ADD: defines an operator when the library of its `_def.cpp` is loaded.
#ifndef PYPTO_TWIN_REGISTER_OP_DEF_REGISTRY_H_
#define PYPTO_TWIN_REGISTER_OP_DEF_REGISTRY_H_

#include "register/op_def.h"
#include "register/op_impl_registry.h"

// Further arguments of CANN's OP_ADD configure old tools only.
#define OP_ADD(op_type, ...)                                                                                \
  [[maybe_unused]] static const bool pypto_twin_defined_##op_type =                                         \
      (::ops::Define(op_type(#op_type), {__builtin_FILE(), __builtin_LINE()}), true)

#endif  // PYPTO_TWIN_REGISTER_OP_DEF_REGISTRY_H_
