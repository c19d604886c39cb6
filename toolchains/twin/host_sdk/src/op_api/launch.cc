// Phase two: the kernel over the tensors' memory, and what it left around it.
#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "op_api/executor.h"
#include "testing/last_launch.h"

namespace pypto_twin {
namespace op_api {
namespace {

using host::Binary;
using host::CallError;

constexpr size_t kMessageBytes = 2048;

std::mutex& Mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
std::set<const aclOpExecutor*>& Alive() {
  static auto* alive = new std::set<const aclOpExecutor*>;
  return *alive;
}

// "argument 2" of the run time's texts is a parameter.
std::string WithNames(std::string text, const std::vector<std::string>& params) {
  const std::string word = "argument ";
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const size_t digits = at + word.size();
    size_t end = digits;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == digits) continue;
    const size_t index = std::strtoul(text.c_str() + digits, nullptr, 10);
    const std::string name = index < params.size() ? params[index] : "workspace";
    text.replace(digits, end - digits, "'" + name + "'");
  }
  return text;
}

std::string VariantText(const aclOpExecutor& executor) {
  const Binary& binary = *executor.binary;
  std::string text;
  for (const host::BuiltKey& key : binary.keys) {
    if (key.packed == executor.tiling.tiling_key) text = NamedValues(binary.fields, key.values);
  }
  for (const auto& [variable, dtype] : binary.dtypes) text += (text.empty() ? "" : ", ") + variable + "=" + dtype;
  return "variant " + text + ", TilingKey " + std::to_string(executor.tiling.tiling_key);
}

void CheckWorkspace(const aclOpExecutor& executor, void* workspace, uint64_t size) {
  const uint64_t needed = executor.workspace_bytes;
  if (needed == 0) return;
  const std::string asked = "phase one asked for a workspace of " + std::to_string(needed) + " bytes, ";
  if (workspace == nullptr) throw CallError(ACLNN_ERR_PARAM_NULLPTR, asked + "the one given is null");
  if (size < needed) {
    throw CallError(ACLNN_ERR_PARAM_INVALID, asked + "the one given has " + std::to_string(size));
  }
  const std::optional<acl::Allocation> allocation = acl::FindAllocation(workspace);
  if (!allocation) {
    throw CallError(ACLNN_ERR_PARAM_INVALID, asked + "the one given is no device memory; use aclrtMalloc");
  }
  const auto room = static_cast<uint64_t>(allocation->start + allocation->size - static_cast<uint8_t*>(workspace));
  if (room < needed) {
    throw CallError(ACLNN_ERR_PARAM_INVALID, asked + "the memory given has " + std::to_string(room));
  }
}

// The arguments of a launch: parameters in order, then the workspace.
struct Arguments {
  std::deque<KernelBuffer> buffers;  // of the parameters that are there
  std::vector<std::string> names;
  std::vector<void*> addresses;
  std::vector<uint64_t> bytes;
};

Arguments ArgumentsOf(const aclOpExecutor& executor, void* workspace) {
  Arguments arguments;
  for (const int64_t place : executor.places) {
    if (place < 0) {
      arguments.addresses.push_back(nullptr);
      arguments.bytes.push_back(0);
      continue;
    }
    const GivenTensor& given = executor.tensors[static_cast<size_t>(place)];
    const KernelBuffer& buffer = arguments.buffers.emplace_back(given);
    arguments.names.push_back(given.name);
    arguments.addresses.push_back(buffer.address());
    arguments.bytes.push_back(buffer.bytes());
  }
  arguments.addresses.push_back(executor.workspace_bytes != 0 ? workspace : nullptr);
  arguments.bytes.push_back(executor.workspace_bytes);
  return arguments;
}

void CheckGuards(const aclOpExecutor& executor, const Arguments& arguments, void* workspace) {
  const auto check = [&](const std::string& name, const acl::Allocation& allocation) {
    const std::string damage = acl::DamageAround(allocation);
    if (damage.empty()) return;
    throw CallError(ACLNN_ERR_RUNTIME_ERROR, executor.op_type + " overran '" + name + "': it wrote " + damage + " [" +
                                                 VariantText(executor) + "]");
  };
  for (size_t index = 0; index < arguments.buffers.size(); ++index) {
    if (arguments.buffers[index].bytes() != 0) check(arguments.names[index], arguments.buffers[index].allocation());
  }
  if (executor.workspace_bytes != 0) check("workspace", acl::FindAllocation(workspace).value());
}

}  // namespace

bool IsAlive(const aclOpExecutor* executor) {
  const std::lock_guard<std::mutex> lock(Mutex());
  return Alive().count(executor) != 0;
}
void Keep(aclOpExecutor* executor) {
  const std::lock_guard<std::mutex> lock(Mutex());
  Alive().insert(executor);
}
bool Discard(const aclOpExecutor* executor) {
  {
    const std::lock_guard<std::mutex> lock(Mutex());
    if (Alive().erase(executor) == 0) return false;
  }
  delete executor;
  return true;
}

void Launch(const aclOpExecutor& executor, void* workspace, uint64_t workspace_size) {
  CheckWorkspace(executor, workspace, workspace_size);
  Arguments arguments = ArgumentsOf(executor, workspace);
  char message[kMessageBytes] = {};
  pypto_twin_launch launch = {};
  launch.struct_size = sizeof launch;
  launch.block_dim = executor.tiling.block_dim;
  launch.arg_count = static_cast<uint32_t>(arguments.addresses.size());
  launch.threads = std::thread::hardware_concurrency();
  launch.args = arguments.addresses.data();
  launch.arg_bytes = arguments.bytes.data();
  launch.tiling = executor.tiling.tiling_data.data();
  launch.tiling_bytes = executor.tiling.tiling_data.size();
  launch.message = message;
  launch.message_bytes = sizeof message;
  launch.site = -1;
  testing::LastLaunch& last = testing::OfThisThread();
  last = {executor.binary->kernel, executor.binary->dtypes, executor.tiling.tiling_key, launch.block_dim,
          executor.workspace_bytes, -1};
  const int32_t result = executor.binary->entries.at(executor.tiling.tiling_key)(&launch);
  last.site = launch.site;
  CheckGuards(executor, arguments, workspace);
  if (result != 0) {
    throw CallError(ACLNN_ERR_RUNTIME_ERROR, "the kernel " + executor.binary->kernel + " failed: " +
                                                 WithNames(message, executor.params) + " [" + VariantText(executor) +
                                                 "]");
  }
  for (const KernelBuffer& buffer : arguments.buffers) buffer.WriteBack();
}

}  // namespace op_api
}  // namespace pypto_twin
