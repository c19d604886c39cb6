// What TilingParse sees, before the tiling function: the platform, and the compile info it fills in.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_

#include "exe_graph/runtime/extended_kernel_context.h"

namespace fe {
class PlatFormInfos;
}  // namespace fe

namespace pypto_twin {
namespace host {
struct TilingState;
}  // namespace host
}  // namespace pypto_twin

namespace gert {

class PYPTO_TWIN_API TilingParseContext : public ExtendedKernelContext {
 public:
  TilingParseContext(pypto_twin::host::NodeState* node, pypto_twin::host::TilingState* state)
      : ExtendedKernelContext(node), state_(state) {}

  // Binaries of PyPTO kernels have no compile info of their own.
  const char* GetCompiledJson() const { return "{}"; }

  // The object the tiling function gets from GetCompileInfo<T>().
  template <class T>
  T* GetCompiledInfo() {
    return static_cast<T*>(CompiledInfo());
  }
  fe::PlatFormInfos* GetPlatformInfo() const;

 private:
  void* CompiledInfo();

  pypto_twin::host::TilingState* state_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
