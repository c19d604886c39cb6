// What a generated aclnn_<op>.cpp calls: phase one describes the call and prepares it, phase two runs it.
#ifndef PYPTO_TWIN_HOST_OP_API_H_
#define PYPTO_TWIN_HOST_OP_API_H_

#include <cstdint>
#include <memory>

#include "aclnn/aclnn_base.h"

namespace pypto_twin {
namespace op_api {

enum class Param { required, optional, dynamic };

// One call of phase one. Parameters are given in the OpDef's order, inputs, outputs and attrs each.
class __attribute__((visibility("default"))) Call {
 public:
  // `api` is the name the user called, for messages: "aclnnAddExample".
  Call(const char* op_type, const char* api);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // `name` is the OpDef's name. A null tensor is an absent optional parameter.
  void Input(const char* name, Param kind, const aclTensor* tensor);
  void Input(const char* name, Param kind, const aclTensorList* tensors);
  void Output(const char* name, Param kind, const aclTensor* tensor);
  void Output(const char* name, Param kind, const aclTensorList* tensors);

  // A null list or string is an optional attribute that was left out: its default holds, which the generator gives.
  void Attr(const char* name, int64_t value);
  void Attr(const char* name, double value);
  void Attr(const char* name, bool value);
  void Attr(const char* name, const char* value, const char* otherwise);
  void Attr(const char* name, const aclIntArray* value, const int64_t* otherwise, uint64_t otherwise_count);
  void Attr(const char* name, const aclFloatArray* value, const float* otherwise, uint64_t otherwise_count);
  void Attr(const char* name, const aclBoolArray* value, const bool* otherwise, uint64_t otherwise_count);

  // Checks the call, runs InferShape and Tiling of the operator's package, finds the variant.
  aclnnStatus Prepare(uint64_t* workspace_size, aclOpExecutor** executor);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Phase two: launches what `executor` prepared, then destroys it.
__attribute__((visibility("default"))) aclnnStatus Run(const char* api, void* workspace, uint64_t workspace_size,
                                                       aclOpExecutor* executor, aclrtStream stream);

}  // namespace op_api
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_HOST_OP_API_H_
