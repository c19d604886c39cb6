#include "pypto_twin/host/testing.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>

#include "executor/tiling_keys.h"
#include "platform/platforms.h"
#include "pypto_twin/host/names.h"
#include "pypto_twin/host/run.h"
#include "testing/last_launch.h"

namespace pypto_twin {
namespace testing {
namespace {

using nlohmann::json;
using namespace pypto_twin::host;  // NOLINT: this file is about nothing else

// A call, and the elements that its tensors point at.
struct Request {
  OpCall call;
  std::deque<std::string> data;
};

std::string BytesOfHex(const std::string& hex) {
  std::string bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

std::string HexOf(const std::vector<uint8_t>& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const uint8_t byte : bytes) {
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

CallTensor TensorOf(const json& given, std::deque<std::string>& data) {
  CallTensor tensor;
  for (const int64_t dim : given.at("shape").get<std::vector<int64_t>>()) tensor.origin_shape.AppendDim(dim);
  tensor.storage_shape = tensor.origin_shape;
  tensor.dtype = DtypeOf(given.at("dtype").get<std::string>());
  tensor.origin_format = tensor.storage_format = FormatOf(given.value("format", std::string("ND")));
  if (given.contains("data")) {
    const std::string& bytes = data.emplace_back(BytesOfHex(given.at("data").get<std::string>()));
    tensor.data = bytes.data();
    tensor.bytes = bytes.size();
  }
  return tensor;
}

std::vector<CallParam> ParamsOf(const json& given, std::deque<std::string>& data) {
  std::vector<CallParam> params;
  for (const json& item : given) {
    const auto kind = item.at("kind").get<std::string>();
    CallParam param{item.at("name").get<std::string>(),
                    kind == "dynamic"    ? ParamKind::dynamic
                    : kind == "optional" ? ParamKind::optional
                                         : ParamKind::required,
                    {}};
    for (const json& tensor : item.at("tensors")) param.tensors.push_back(TensorOf(tensor, data));
    params.push_back(std::move(param));
  }
  return params;
}

AttrValue ValueOf(const std::string& type, const json& value) {
  if (type == "bool") return value.get<bool>();
  if (type == "int") return value.get<int64_t>();
  if (type == "float") return value.get<float>();
  if (type == "str") return value.get<std::string>();
  if (type == "list_bool") return value.get<std::vector<bool>>();
  if (type == "list_int") return value.get<std::vector<int64_t>>();
  if (type == "list_float") return value.get<std::vector<float>>();
  if (type == "list_str") return value.get<std::vector<std::string>>();
  return value.get<std::vector<std::vector<int64_t>>>();
}

Request RequestOf(const json& data) {
  Request request;
  request.call.op_type = data.at("op_type").get<std::string>();
  request.call.soc = data.at("soc").get<std::string>();
  request.call.inputs = ParamsOf(data.at("inputs"), request.data);
  request.call.outputs = ParamsOf(data.at("outputs"), request.data);
  for (const json& attr : data.at("attrs")) {
    request.call.attrs.push_back(
        {attr.at("name").get<std::string>(), ValueOf(attr.at("type").get<std::string>(), attr.at("value"))});
  }
  return request;
}

// Why the kernel has no such key, "" when it has it.
std::string KeyProblem(const json& kernel, uint64_t packed) {
  std::vector<KeyField> fields;
  for (const json& field : kernel.at("fields")) {
    fields.push_back({field.at("name").get<std::string>(), field.at("bits").get<uint32_t>(),
                      field.at("values").get<std::vector<uint64_t>>()});
  }
  std::vector<BuiltKey> keys;
  for (const json& key : kernel.at("keys")) {
    keys.push_back({key.at("packed").get<uint64_t>(), key.at("values").get<std::vector<uint64_t>>()});
    if (keys.back().packed == packed) return "";
  }
  return ExplainUnknownKey(kernel.at("name").get<std::string>(), packed, fields, keys);
}

json Tiling(const json& data) {
  const Request request = RequestOf(data);
  const HostLibrary& library = LoadHostLibrary(data.at("library").get<std::string>());
  const TilingResult result = RunTiling(library, request.call, data.at("tiling_bytes").get<uint64_t>());
  const json& kernel = data.at("kernel");
  const auto cores = kernel.at("cores").get<std::string>() == "VectorCore" ? Cores::vector : Cores::mix;
  return {{"tiling_key", std::to_string(result.tiling_key)},
          {"key_problem", KeyProblem(kernel, result.tiling_key)},
          {"block_dim", result.block_dim},
          {"most_blocks", MostBlocks(FindPlatform(request.call.soc), cores)},
          {"workspaces", result.workspaces},
          {"tiling_data", HexOf(result.tiling_data)},
          {"schedule_mode", result.schedule_mode}};
}

json InferShape(const json& data) {
  const Request request = RequestOf(data);
  json outputs = json::array();
  for (const InferredTensor& tensor :
       RunInferShape(LoadHostLibrary(data.at("library").get<std::string>()), request.call)) {
    std::vector<int64_t> dims;
    for (size_t index = 0; index < tensor.shape.GetDimNum(); ++index) dims.push_back(tensor.shape.GetDim(index));
    outputs.push_back({{"shape", dims}, {"dtype", DtypeName(tensor.dtype)}});
  }
  return {{"outputs", outputs}};
}

json Registered(const json& data) {
  const HostLibrary& library = LoadHostLibrary(data.at("library").get<std::string>());
  return {{"tiling_ops", library.tiling_ops}, {"infershape_ops", library.infershape_ops}};
}

char* Answer(const json& answer) {
  const std::string text = answer.dump(-1, ' ', false, json::error_handler_t::replace);
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

template <class Function>
char* Answered(const char* request, Function function) {
  try {
    json answer = function(json::parse(request));
    answer["ok"] = true;
    return Answer(answer);
  } catch (const std::exception& error) {
    return Answer({{"ok", false}, {"error", error.what()}});
  }
}

}  // namespace
}  // namespace testing
}  // namespace pypto_twin

extern "C" {

char* pypto_twin_tiling(const char* request) {
  return pypto_twin::testing::Answered(request, pypto_twin::testing::Tiling);
}
char* pypto_twin_infer_shape(const char* request) {
  return pypto_twin::testing::Answered(request, pypto_twin::testing::InferShape);
}
char* pypto_twin_registered(const char* request) {
  return pypto_twin::testing::Answered(request, pypto_twin::testing::Registered);
}
char* pypto_twin_last_launch() {
  const pypto_twin::testing::LastLaunch& last = pypto_twin::testing::OfThisThread();
  return pypto_twin::testing::Answer({{"ok", true},
                                      {"kernel", last.kernel},
                                      {"dtypes", last.dtypes},
                                      {"tiling_key", std::to_string(last.tiling_key)},
                                      {"block_dim", last.block_dim},
                                      {"workspace_bytes", last.workspace_bytes},
                                      {"site", last.site}});
}
void pypto_twin_free(char* text) { std::free(text); }

}  // extern "C"
