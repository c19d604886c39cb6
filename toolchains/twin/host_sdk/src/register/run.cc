// Runs host functions on a call; whatever goes wrong in them becomes one HostError.
#include "pypto_twin/host/run.h"

#include <exception>

#include "exe_graph/node_state.h"
#include "log/capture.h"
#include "platform/platforms.h"
#include "register/crash.h"
#include "register/op_functions.h"

namespace pypto_twin {
namespace host {
namespace {

const OpFunctions& FunctionsOf(const HostLibrary& library, const std::string& op_type,
                               const std::vector<std::string>& registered, const char* what, const char* macro) {
  const OpFunctions* functions = FindFunctions(library, op_type);
  for (const std::string& name : registered) {
    if (functions != nullptr && name == op_type) return *functions;
  }
  std::string names;
  for (const std::string& name : registered) names += (names.empty() ? "" : ", ") + name;
  throw HostError(op_type + " has no " + what + "; registered in this library: " + (names.empty() ? "none" : names) +
                  "; register it with " + macro + "(" + op_type + ")");
}

// Calls a function of the user's; `what` is "tiling function" and the like.
template <class Function>
void Guarded(const std::string& op_type, const char* what, Function function) {
  LogCapture log;
  const std::string subject = std::string("the ") + what + " of " + op_type;
  ge::graphStatus status = ge::GRAPH_FAILED;
  try {
    CatchCrash([&] { status = function(); });
  } catch (const HostError& error) {
    throw HostError(subject + ": " + error.what());
  } catch (const std::exception& error) {
    throw HostError(subject + " threw an exception: " + error.what());
  }
  if (status != ge::GRAPH_SUCCESS) {
    const std::string said = log.text();
    const std::string failed = status == ge::GRAPH_FAILED ? "failed" : "failed with status " + std::to_string(status);
    throw HostError(subject + " " + failed + (said.empty() ? ", and logged no reason (OP_LOGE)" : ": " + said));
  }
}

std::vector<size_t> Both(const std::vector<size_t>& left, const std::vector<size_t>& right) {
  std::vector<size_t> all = left;
  all.insert(all.end(), right.begin(), right.end());
  return all;
}

void Parse(const OpCall& call, const OpFunctions& functions, NodeState& node, TilingState& state) {
  if (functions.create_compile_info == nullptr) return;
  state.compile_info = std::shared_ptr<void>(functions.create_compile_info(), functions.destroy_compile_info);
  if (functions.tiling_parse == nullptr) return;
  Guarded(call.op_type, "TilingParse function", [&] {
    gert::TilingParseContext context(&node, &state);
    return functions.tiling_parse(&context);
  });
}

void CheckDecisions(const OpCall& call, const TilingState& state) {
  const std::string subject = "the tiling function of " + call.op_type;
  const size_t used = state.data->GetDataSize();
  if (used != state.tiling_bytes) {
    throw HostError(subject + " filled in " + std::to_string(used) + " bytes of TilingData, but the kernel reads " +
                    std::to_string(state.tiling_bytes) + "; fill in all of it, by GetTilingData<...>()");
  }
  if (!state.block_dim_is_set) throw HostError(subject + " did not call SetBlockDim");
}

}  // namespace

TilingResult RunTiling(const HostLibrary& library, const OpCall& call, uint64_t tiling_bytes) {
  const OpFunctions& functions =
      FunctionsOf(library, call.op_type, library.tiling_ops, "tiling function", "IMPL_OP_OPTILING");
  NodeState node(call, Both(functions.data_inputs, functions.tiling_data_inputs));
  TilingState state;
  state.tiling_bytes = tiling_bytes;
  state.buffer.assign((tiling_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) + 1, 0);
  state.data = std::make_unique<gert::TilingData>(state.buffer.data(), tiling_bytes);
  fe::PlatFormInfos platform = PlatformOf(call.soc);
  state.platform = &platform;
  Parse(call, functions, node, state);
  Guarded(call.op_type, "tiling function", [&] {
    gert::TilingContext context(&node, &state);
    return functions.tiling(&context);
  });
  CheckDecisions(call, state);
  TilingResult result;
  result.tiling_key = state.tiling_key;
  result.block_dim = state.block_dim;
  result.schedule_mode = state.schedule_mode;
  result.workspaces.assign(state.workspaces.begin(), state.workspaces.end());
  const auto* bytes = reinterpret_cast<const uint8_t*>(state.buffer.data());
  result.tiling_data.assign(bytes, bytes + tiling_bytes);
  return result;
}

std::vector<InferredTensor> RunInferShape(const HostLibrary& library, const OpCall& call) {
  const OpFunctions& functions =
      FunctionsOf(library, call.op_type, library.infershape_ops, "InferShape", "IMPL_OP_INFERSHAPE");
  NodeState node(call, functions.data_inputs);
  InferState state;
  state.shapes.resize(node.outputs.tensors.size());
  state.dtypes.assign(node.outputs.tensors.size(), ge::DT_UNDEFINED);
  Guarded(call.op_type, "InferShape function", [&] {
    gert::InferShapeContext context(&node, &state);
    return functions.infer_shape(&context);
  });
  if (functions.infer_dtype != nullptr) {
    Guarded(call.op_type, "InferDataType function", [&] {
      gert::InferDataTypeContext context(&node, &state);
      return functions.infer_dtype(&context);
    });
  } else if (functions.dtype_of_first_input && !node.inputs.tensors.empty()) {
    state.dtypes.assign(state.dtypes.size(), node.inputs.tensors[0].GetDataType());
  }
  std::vector<InferredTensor> inferred(state.shapes.size());
  for (size_t index = 0; index < inferred.size(); ++index) inferred[index] = {state.shapes[index], state.dtypes[index]};
  return inferred;
}

}  // namespace host
}  // namespace pypto_twin
