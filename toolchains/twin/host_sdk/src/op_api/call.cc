// Phase one: checks, InferShape, tiling, and the variant that will run.
#include <new>

#include "acl/report.h"
#include "executor/binary.h"
#include "op_api/executor.h"
#include "pypto_twin/host/names.h"
#include "pypto_twin/host/op_api.h"
#include "pypto_twin/host/run.h"
#include "register/op_functions.h"

namespace pypto_twin {
namespace op_api {

using host::CallError;
using host::CallParam;
using host::ParamKind;

struct Call::State {
  std::string api;
  host::OpCall call;
  std::vector<GivenTensor> tensors;  // inputs, then outputs, as given
  std::string problem;               // the first thing wrong with what was given
  aclnnStatus problem_status = ACLNN_SUCCESS;

  void Note(aclnnStatus status, const std::string& text) {
    if (!problem.empty()) return;
    problem = text;
    problem_status = status;
  }
};

namespace {

ParamKind KindOf(Param kind) {
  return kind == Param::required ? ParamKind::required
         : kind == Param::optional ? ParamKind::optional
                                   : ParamKind::dynamic;
}

std::string DtypesShown(const std::vector<GivenTensor>& tensors) {
  std::string text;
  for (const GivenTensor& given : tensors) {
    text += (text.empty() ? "" : ", ") + given.name + ": " +
            host::DtypeName(static_cast<ge::DataType>(given.tensor.dtype)) + " " +
            host::FormatName(static_cast<ge::Format>(given.tensor.format));
  }
  return "(" + text + ")";
}

std::vector<std::string> KeyTensors(const host::OpCall& call) {
  std::vector<std::string> tensors;
  for (const auto* side : {&call.inputs, &call.outputs}) {
    for (const CallParam& param : *side) {
      if (param.tensors.empty()) {
        tensors.push_back("");
        continue;
      }
      tensors.push_back(std::to_string(param.tensors[0].dtype) + "," +
                        std::to_string(param.tensors[0].storage_format));
    }
  }
  return tensors;
}

std::string ShapeText(const gert::Shape& shape) {
  std::string text;
  for (size_t index = 0; index < shape.GetDimNum(); ++index) {
    text += (index == 0 ? "" : ", ") + std::to_string(shape.GetDim(index));
  }
  return "[" + text + "]";
}

// Dimensions that InferShape leaves open agree with everything.
bool Agrees(const gert::Shape& inferred, const gert::Shape& given) {
  if (inferred.GetDimNum() == 1 && inferred.GetDim(0) == -2) return true;
  if (inferred.GetDimNum() != given.GetDimNum()) return false;
  for (size_t index = 0; index < given.GetDimNum(); ++index) {
    if (inferred.GetDim(index) != -1 && inferred.GetDim(index) != given.GetDim(index)) return false;
  }
  return true;
}

void CheckInferred(const host::OpCall& call, const std::vector<host::InferredTensor>& inferred) {
  size_t index = 0;
  for (const CallParam& param : call.outputs) {
    for (const host::CallTensor& tensor : param.tensors) {
      const host::InferredTensor& wanted = inferred[index++];
      if (!Agrees(wanted.shape, tensor.storage_shape)) {
        throw CallError(ACLNN_ERR_PARAM_INVALID, "output '" + param.name + "' has the shape " +
                                                     ShapeText(tensor.storage_shape) + ", but InferShape of " +
                                                     call.op_type + " gives " + ShapeText(wanted.shape));
      }
      if (wanted.dtype != ge::DT_UNDEFINED && wanted.dtype != tensor.dtype) {
        throw CallError(ACLNN_ERR_PARAM_INVALID, "output '" + param.name + "' has the dtype " +
                                                     host::DtypeName(tensor.dtype) + ", but InferDataType of " +
                                                     call.op_type + " gives " + host::DtypeName(wanted.dtype));
      }
    }
  }
}

void InferShapes(const host::PackagedOp& op, const host::OpCall& call) {
  if (op.proto_library.empty()) return;
  const host::HostLibrary& library = host::LoadHostLibrary(op.proto_library);
  const host::OpFunctions* functions = host::FindFunctions(library, call.op_type);
  // Without InferShape an operator can be called through aclnn, though not in a graph.
  if (functions == nullptr || functions->infer_shape == nullptr) return;
  try {
    CheckInferred(call, host::RunInferShape(library, call));
  } catch (const CallError&) {
    throw;
  } catch (const host::HostError& error) {
    throw CallError(ACLNN_ERR_INNER_INFERSHAPE_ERROR, error.what());
  }
}

host::TilingResult Tile(const host::PackagedOp& op, const host::OpCall& call, const host::Binary& binary) {
  if (op.tiling_library.empty()) {
    throw CallError(ACLNN_ERR_INNER_TILING_ERROR,
                    "the package " + op.package.directory + " has no host library with tiling functions; give " +
                        call.op_type + " an op_host/*_tiling.cpp");
  }
  try {
    return host::RunTiling(host::LoadHostLibrary(op.tiling_library), call, binary.tiling_bytes);
  } catch (const host::HostError& error) {
    throw CallError(ACLNN_ERR_INNER_TILING_ERROR, error.what());
  }
}

void CheckTiling(const host::OpCall& call, const host::TilingResult& tiling, const host::Binary& binary) {
  if (binary.entries.count(tiling.tiling_key) == 0) {
    throw CallError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                    "the tiling function of " + call.op_type + " chose a TilingKey without a kernel: " +
                        host::ExplainUnknownKey(binary.kernel, tiling.tiling_key, binary.fields, binary.keys));
  }
  const host::Platform& platform = host::FindPlatform(call.soc);
  const uint32_t most = host::MostBlocks(platform, binary.cores);
  if (tiling.block_dim < 1 || tiling.block_dim > most) {
    throw CallError(ACLNN_ERR_INNER_TILING_ERROR,
                    "the tiling function of " + call.op_type + " set BlockDim " + std::to_string(tiling.block_dim) +
                        "; allowed are 1 to " + std::to_string(most) + ", the " +
                        (binary.cores == host::Cores::vector ? "vector" : "cube") + " cores of " + call.soc);
  }
}

// The kernel takes one address for each parameter.
void PlaceParams(const host::OpCall& call, aclOpExecutor& executor) {
  int64_t next = 0;
  for (const auto* side : {&call.inputs, &call.outputs}) {
    for (const CallParam& param : *side) {
      if (param.tensors.size() > 1) {
        throw CallError(ACLNN_ERR_PARAM_INVALID,
                        "'" + param.name + "' is a list of " + std::to_string(param.tensors.size()) +
                            " tensors; kernels of the CPU twin take one tensor in a parameter");
      }
      executor.params.push_back(param.name);
      executor.places.push_back(param.tensors.empty() ? -1 : next);
      next += static_cast<int64_t>(param.tensors.size());
    }
  }
}

}  // namespace

Call::Call(const char* op_type, const char* api) : state_(std::make_unique<State>()) {
  state_->api = api;
  state_->call.op_type = op_type;
}
Call::~Call() = default;

namespace {

template <class State>
void Add(State& state, bool is_output, const char* name, Param kind, const std::vector<const aclTensor*>& tensors,
         bool is_list) {
  CallParam param{name, KindOf(kind), {}};
  for (size_t index = 0; index < tensors.size(); ++index) {
    const std::string shown = is_list ? std::string(name) + "[" + std::to_string(index) + "]" : name;
    if (tensors[index] == nullptr) {
      state.Note(ACLNN_ERR_PARAM_NULLPTR, "tensor '" + shown + "' is null");
      continue;
    }
    param.tensors.push_back(DescriptionOf(*tensors[index]));
    state.tensors.push_back({shown, *tensors[index], is_output});
  }
  (is_output ? state.call.outputs : state.call.inputs).push_back(std::move(param));
}

// One tensor, or an optional one that is absent.
std::vector<const aclTensor*> Present(const aclTensor* tensor, Param kind) {
  if (tensor == nullptr && kind == Param::optional) return {};
  return {tensor};
}

std::vector<const aclTensor*> Members(const aclTensorList* list) {
  return list != nullptr ? list->tensors : std::vector<const aclTensor*>{nullptr};
}

}  // namespace

void Call::Input(const char* name, Param kind, const aclTensor* tensor) {
  Add(*state_, false, name, kind, Present(tensor, kind), false);
}
void Call::Input(const char* name, Param kind, const aclTensorList* tensors) {
  Add(*state_, false, name, kind, Members(tensors), true);
}
void Call::Output(const char* name, Param kind, const aclTensor* tensor) {
  Add(*state_, true, name, kind, Present(tensor, kind), false);
}
void Call::Output(const char* name, Param kind, const aclTensorList* tensors) {
  Add(*state_, true, name, kind, Members(tensors), true);
}

void Call::Attr(const char* name, int64_t value) { state_->call.attrs.push_back({name, value}); }
void Call::Attr(const char* name, double value) { state_->call.attrs.push_back({name, static_cast<float>(value)}); }
void Call::Attr(const char* name, bool value) { state_->call.attrs.push_back({name, value}); }
void Call::Attr(const char* name, const char* value, const char* otherwise) {
  const char* chosen = value != nullptr ? value : otherwise;
  if (chosen == nullptr) state_->Note(ACLNN_ERR_PARAM_NULLPTR, std::string("attribute '") + name + "' is null");
  state_->call.attrs.push_back({name, std::string(chosen != nullptr ? chosen : "")});
}
void Call::Attr(const char* name, const aclIntArray* value, const int64_t* otherwise, uint64_t otherwise_count) {
  if (value == nullptr && otherwise == nullptr) {
    state_->Note(ACLNN_ERR_PARAM_NULLPTR, std::string("attribute '") + name + "' is null");
  }
  state_->call.attrs.push_back(
      {name, value != nullptr ? value->values : std::vector<int64_t>(otherwise, otherwise + otherwise_count)});
}
void Call::Attr(const char* name, const aclFloatArray* value, const float* otherwise, uint64_t otherwise_count) {
  if (value == nullptr && otherwise == nullptr) {
    state_->Note(ACLNN_ERR_PARAM_NULLPTR, std::string("attribute '") + name + "' is null");
  }
  state_->call.attrs.push_back(
      {name, value != nullptr ? value->values : std::vector<float>(otherwise, otherwise + otherwise_count)});
}
void Call::Attr(const char* name, const aclBoolArray* value, const bool* otherwise, uint64_t otherwise_count) {
  if (value == nullptr && otherwise == nullptr) {
    state_->Note(ACLNN_ERR_PARAM_NULLPTR, std::string("attribute '") + name + "' is null");
  }
  state_->call.attrs.push_back({name, value != nullptr
                                          ? std::vector<bool>(value->values.begin(), value->values.end())
                                          : std::vector<bool>(otherwise, otherwise + otherwise_count)});
}

aclnnStatus Call::Prepare(uint64_t* workspace_size, aclOpExecutor** executor) {
  State& state = *state_;
  const std::string api = state.api + "GetWorkspaceSize: ";
  try {
    if (workspace_size == nullptr || executor == nullptr) {
      const char* what = workspace_size == nullptr ? "workspaceSize" : "executor";
      throw CallError(ACLNN_ERR_PARAM_NULLPTR, std::string(what) + " is null");
    }
    if (!state.problem.empty()) throw CallError(state.problem_status, state.problem);
    for (const GivenTensor& given : state.tensors) CheckTensor(given);
    state.call.soc = host::SocOfProcess();
    const host::PackagedOp op = host::FindOperator(state.call.op_type, state.call.soc);
    const host::BinaryEntry& entry =
        host::ChooseBinary(op, state.call.op_type, KeyTensors(state.call), DtypesShown(state.tensors));
    InferShapes(op, state.call);
    auto prepared = std::make_unique<aclOpExecutor>();
    prepared->op_type = state.call.op_type;
    prepared->binary = &host::LoadBinary(entry);
    PlaceParams(state.call, *prepared);
    prepared->tiling = Tile(op, state.call, *prepared->binary);
    CheckTiling(state.call, prepared->tiling, *prepared->binary);
    for (const uint64_t bytes : prepared->tiling.workspaces) prepared->workspace_bytes += bytes;
    prepared->tensors = state.tensors;
    *workspace_size = prepared->workspace_bytes;
    *executor = prepared.release();
    Keep(*executor);
    return ACLNN_SUCCESS;
  } catch (const CallError& error) {
    return acl::Refuse(error.status(), api + error.what());
  } catch (const host::HostError& error) {
    return acl::Refuse(ACLNN_ERR_INNER, api + error.what());
  } catch (const std::bad_alloc&) {
    return acl::Refuse(ACL_ERROR_BAD_ALLOC, api + "no memory");
  }
}

aclnnStatus Run(const char* api, void* workspace, uint64_t workspace_size, aclOpExecutor* executor, aclrtStream) {
  const std::string name = std::string(api) + ": ";
  if (!IsAlive(executor)) {
    return acl::Refuse(ACLNN_ERR_INNER_NULLPTR,
                       name + "the executor is null, or was used before; call " + api +
                           "GetWorkspaceSize for each call, or aclSetAclOpExecutorRepeatable");
  }
  aclnnStatus status = ACLNN_SUCCESS;
  try {
    Launch(*executor, workspace, workspace_size);
  } catch (const CallError& error) {
    status = acl::Refuse(error.status(), name + error.what());
  } catch (const host::HostError& error) {
    status = acl::Refuse(ACLNN_ERR_RUNTIME_ERROR, name + error.what());
  } catch (const std::bad_alloc&) {
    status = acl::Refuse(ACL_ERROR_BAD_ALLOC, name + "no memory");
  }
  if (!executor->repeatable) Discard(executor);
  return status;
}

}  // namespace op_api
}  // namespace pypto_twin

extern "C" {

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  if (!pypto_twin::op_api::IsAlive(executor)) {
    return pypto_twin::acl::Refuse(ACLNN_ERR_PARAM_NULLPTR,
                                   "aclSetAclOpExecutorRepeatable: the executor is null, or was used before");
  }
  executor->repeatable = true;
  return ACLNN_SUCCESS;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  if (pypto_twin::op_api::Discard(executor)) return ACLNN_SUCCESS;
  return pypto_twin::acl::Refuse(ACLNN_ERR_PARAM_NULLPTR,
                                 "aclDestroyAclOpExecutor: the executor is null, or was destroyed before");
}

}  // extern "C"
