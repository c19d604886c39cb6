// What phase one hands to phase two.
#ifndef PYPTO_TWIN_SRC_OP_API_EXECUTOR_H_
#define PYPTO_TWIN_SRC_OP_API_EXECUTOR_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "executor/binary.h"
#include "op_api/tensors.h"
#include "pypto_twin/host/run.h"

struct aclOpExecutor {
  std::string op_type;
  const pypto_twin::host::Binary* binary = nullptr;
  std::vector<std::string> params;                      // of the kernel, in its order, without the workspace
  std::vector<int64_t> places;                          // of each parameter in `tensors`, -1: absent
  std::vector<pypto_twin::op_api::GivenTensor> tensors;  // inputs, then outputs
  pypto_twin::host::TilingResult tiling;
  uint64_t workspace_bytes = 0;
  std::atomic<bool> repeatable{false};
};

namespace pypto_twin {
namespace op_api {

// Whether the executor is alive: phase one made it, and phase two did not use it up.
bool IsAlive(const aclOpExecutor* executor);
void Keep(aclOpExecutor* executor);
// False when it is not alive.
bool Discard(const aclOpExecutor* executor);

// Runs the kernel. Throws CallError for what the caller did wrong and for what the kernel did.
void Launch(const aclOpExecutor& executor, void* workspace, uint64_t workspace_size);

}  // namespace op_api
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_OP_API_EXECUTOR_H_
