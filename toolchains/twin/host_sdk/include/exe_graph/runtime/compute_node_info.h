// What is known of a call when the graph is compiled: dtypes and formats, and which tensors belong to which parameter.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/storage_format.h"
#include "pypto_twin/host/api.h"

namespace gert {

class CompileTimeTensorDesc {
 public:
  CompileTimeTensorDesc() = default;
  CompileTimeTensorDesc(ge::DataType dtype, const StorageFormat& format) : dtype_(dtype), format_(format) {}

  ge::DataType GetDataType() const { return dtype_; }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }

 private:
  ge::DataType dtype_ = ge::DT_UNDEFINED;
  StorageFormat format_;
};

// The tensors of one parameter of the OpDef: `GetInstanceNum` of them from `GetInstanceStart` on.
class AnchorInstanceInfo {
 public:
  AnchorInstanceInfo() = default;
  AnchorInstanceInfo(uint32_t start, uint32_t count) : start_(start), count_(count) {}

  size_t GetInstanceNum() const { return count_; }
  size_t GetInstanceStart() const { return start_; }

 private:
  uint32_t start_ = 0;
  uint32_t count_ = 0;
};

class PYPTO_TWIN_API ComputeNodeInfo {
 public:
  explicit ComputeNodeInfo(const pypto_twin::host::NodeState* node) : node_(node) {}

  const char* GetNodeType() const;
  const char* GetNodeName() const;
  size_t GetIrInputsNum() const;
  size_t GetIrOutputsNum() const;
  size_t GetInputsNum() const;
  size_t GetOutputsNum() const;
  const AnchorInstanceInfo* GetInputInstanceInfo(size_t ir_index) const;
  const AnchorInstanceInfo* GetOutputInstanceInfo(size_t ir_index) const;
  const CompileTimeTensorDesc* GetInputTdInfo(size_t index) const;
  const CompileTimeTensorDesc* GetOutputTdInfo(size_t index) const;
  const RuntimeAttrs* GetAttrs() const;

 private:
  const pypto_twin::host::NodeState* node_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
