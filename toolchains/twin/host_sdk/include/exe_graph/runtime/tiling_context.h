// What a tiling function reads of the call, and what it decides.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/tiling_data.h"

namespace fe {
class PlatFormInfos;
}  // namespace fe

namespace pypto_twin {
namespace host {
struct TilingState;
}  // namespace host
}  // namespace pypto_twin

namespace gert {

struct Dim3 {
  Dim3(uint32_t x_size, uint32_t y_size = 1, uint32_t z_size = 1) : x(x_size), y(y_size), z(z_size) {}
  uint32_t x, y, z;
};

class PYPTO_TWIN_API TilingContext : public ExtendedKernelContext {
 public:
  TilingContext(pypto_twin::host::NodeState* node, pypto_twin::host::TilingState* state)
      : ExtendedKernelContext(node), state_(state) {}

  const void* GetCompileInfo() const;
  template <class T>
  const T* GetCompileInfo() const {
    return static_cast<const T*>(GetCompileInfo());
  }
  fe::PlatFormInfos* GetPlatformInfo() const;

  const StorageShape* GetInputShape(size_t index) const;
  const StorageShape* GetRequiredInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
  const StorageShape* GetOptionalInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
  const StorageShape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const;
  const StorageShape* GetOutputShape(size_t index) const;

  // With an address only where the operator's InputsDataDependency or TilingInputsDataDependency names the input.
  const Tensor* GetInputTensor(size_t index) const { return InputTensor(index); }
  const Tensor* GetRequiredInputTensor(size_t ir_index) const { return InputTensorOf(ir_index, 0); }
  const Tensor* GetOptionalInputTensor(size_t ir_index) const { return InputTensorOf(ir_index, 0); }
  const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
    return InputTensorOf(ir_index, relative_index);
  }

  ge::graphStatus SetTilingKey(uint64_t tiling_key);
  uint64_t GetTilingKey() const;
  ge::graphStatus SetBlockDim(uint32_t block_dim);
  uint32_t GetBlockDim() const;
  ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
  uint32_t GetSimdNumBlocks() const { return GetBlockDim(); }
  ge::graphStatus SetScheduleMode(uint32_t mode);
  uint32_t GetScheduleMode() const;
  ge::graphStatus SetTilingCond(int32_t condition);
  int32_t GetTilingCond() const;
  ge::graphStatus SetNeedAtomic(bool atomic);
  bool NeedAtomic() const;
  ge::graphStatus SetLocalMemorySize(uint32_t bytes);
  uint32_t GetLocalMemorySize() const;
  ge::graphStatus SetDynUBufSize(uint32_t bytes) { return SetLocalMemorySize(bytes); }
  uint32_t GetDynUBufSize() const { return GetLocalMemorySize(); }
  // 0: results need not be the same bit for bit from run to run. The twin's always are.
  int32_t GetDeterministic() const { return 0; }
  int32_t GetDeterministicLevel() const { return 0; }

  [[noreturn]] ge::graphStatus SetAicpuBlockDim(uint32_t) {
    pypto_twin::host::Unsupported("TilingContext::SetAicpuBlockDim");
  }
  [[noreturn]] ge::graphStatus SetSimtGridDim(const Dim3&) {
    pypto_twin::host::Unsupported("TilingContext::SetSimtGridDim");
  }
  [[noreturn]] ge::graphStatus SetSimtBlockDim(const Dim3&) {
    pypto_twin::host::Unsupported("TilingContext::SetSimtBlockDim");
  }

  // The TilingData to fill in. A T of another size than the kernel's TilingData ends the call: HostError.
  template <class T>
  T* GetTilingData() {
    return static_cast<T*>(TilingDataOf(sizeof(T)));
  }
  TilingData* GetRawTilingData();

  // Room for the sizes, in bytes, of `count` workspaces; they begin at 0.
  size_t* GetWorkspaceSizes(size_t count);
  size_t GetWorkspaceNum() const;

 private:
  void* TilingDataOf(size_t bytes);

  pypto_twin::host::TilingState* state_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
