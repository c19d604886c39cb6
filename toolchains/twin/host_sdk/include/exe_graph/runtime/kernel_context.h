// A context without the call it belongs to; operators use those below only.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_KERNEL_CONTEXT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_KERNEL_CONTEXT_H_

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

using KernelContext = ExtendedKernelContext;

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_KERNEL_CONTEXT_H_
