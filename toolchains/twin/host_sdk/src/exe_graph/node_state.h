// A call as the contexts read it: tensors in one row, parameters as spans of it, attributes ready to be pointed at.
#ifndef PYPTO_TWIN_SRC_EXE_GRAPH_NODE_STATE_H_
#define PYPTO_TWIN_SRC_EXE_GRAPH_NODE_STATE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/tensor.h"
#include "exe_graph/runtime/tiling_data.h"
#include "platform/platform_infos_def.h"
#include "pypto_twin/host/op_call.h"

namespace pypto_twin {
namespace host {

// The tensors of all inputs, or of all outputs.
struct TensorRow {
  std::vector<gert::Tensor> tensors;
  std::vector<gert::CompileTimeTensorDesc> descriptions;
  std::vector<gert::AnchorInstanceInfo> params;

  const gert::Tensor* At(size_t index) const { return index < tensors.size() ? &tensors[index] : nullptr; }
  const gert::Tensor* Of(size_t ir_index, size_t relative_index) const {
    if (ir_index >= params.size() || relative_index >= params[ir_index].GetInstanceNum()) return nullptr;
    return &tensors[params[ir_index].GetInstanceStart() + relative_index];
  }
};

// An attribute and what a pointer to it points at.
struct StoredAttr {
  std::string name;
  AttrView view = AttrView::raw;
  const void* pointer = nullptr;
};

struct NodeState {
  // `data_inputs`: parameters whose elements the function may read; all others have no address.
  NodeState(const OpCall& call, const std::vector<size_t>& data_inputs);
  NodeState(const NodeState&) = delete;
  NodeState& operator=(const NodeState&) = delete;

  std::string type;
  std::string name;
  TensorRow inputs;
  TensorRow outputs;
  std::vector<StoredAttr> attrs;
  gert::RuntimeAttrs runtime_attrs{this};
  gert::ComputeNodeInfo info{this};

 private:
  void Store(const CallAttr& attr);

  AttrValue& Keep(const AttrValue& value);

  std::deque<AttrValue> values_;  // attributes point into these
  std::deque<std::vector<char>> bools_;
  std::deque<gert::ContinuousVector> lists_;
  std::deque<gert::ContinuousVectorVector> lists_of_lists_;
};

struct TilingState {
  uint64_t tiling_bytes = 0;
  uint64_t tiling_key = 0;
  bool key_is_set = false;
  uint32_t block_dim = 0;
  bool block_dim_is_set = false;
  uint32_t schedule_mode = 0;
  int32_t condition = -1;
  bool atomic = false;
  uint32_t local_memory = 0;
  std::vector<size_t> workspaces;
  std::vector<uint64_t> buffer;  // of the TilingData, aligned
  std::unique_ptr<gert::TilingData> data;
  std::shared_ptr<void> compile_info;
  fe::PlatFormInfos* platform = nullptr;
};

struct InferState {
  std::vector<gert::Shape> shapes;
  std::vector<ge::DataType> dtypes;
};

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_EXE_GRAPH_NODE_STATE_H_
