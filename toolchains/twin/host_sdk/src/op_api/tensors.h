// aclTensors of a call as the host side and the kernel see them.
#ifndef PYPTO_TWIN_SRC_OP_API_TENSORS_H_
#define PYPTO_TWIN_SRC_OP_API_TENSORS_H_

#include <memory>
#include <string>
#include <vector>

#include "acl/memory.h"
#include "acl/tensor.h"
#include "pypto_twin/host/op_call.h"

namespace pypto_twin {
namespace op_api {

// A tensor that was given, under the name that messages call it: "x", or "x[1]" in a list.
struct GivenTensor {
  std::string name;
  aclTensor tensor;
  bool is_output = false;
};

// Checks a tensor by itself: device memory that holds all its elements. Throws CallError.
void CheckTensor(const GivenTensor& given);

// The tensor as InferShape and tiling see it.
host::CallTensor DescriptionOf(const aclTensor& tensor);

// The elements end to end, as kernels read them: the tensor's own memory, or a guarded copy of a strided one.
class KernelBuffer {
 public:
  explicit KernelBuffer(const GivenTensor& given);

  void* address() const { return address_; }
  uint64_t bytes() const { return bytes_; }
  // Where an overrun shows: the user's allocation, or the copy's.
  const acl::Allocation& allocation() const { return allocation_; }
  // Brings a strided output's elements back.
  void WriteBack() const;

 private:
  const GivenTensor& given_;
  void* address_ = nullptr;
  uint64_t bytes_ = 0;
  acl::Allocation allocation_;
  std::unique_ptr<acl::GuardedBuffer> copy_;
};

}  // namespace op_api
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_OP_API_TENSORS_H_
