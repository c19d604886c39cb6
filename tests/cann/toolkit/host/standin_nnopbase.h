// What the stand-in's aclnn sources call; libnnopbase.so has it.
#pragma once

#include "aclnn/acl_meta.h"

#pragma GCC visibility push(default)
extern "C" {
void* NnopbaseGetExecutor(const char* op_type);
aclnnStatus NnopbaseAddInput(void* executor, const aclTensor* tensor, uint32_t index);
aclnnStatus NnopbaseAddOutput(void* executor, const aclTensor* tensor, uint32_t index);
aclnnStatus NnopbaseAddDynamicInput(void* executor, const aclTensorList* tensors, uint32_t index);
aclnnStatus NnopbaseAddDynamicOutput(void* executor, const aclTensorList* tensors, uint32_t index);
aclnnStatus NnopbaseAddAttr(void* executor, const void* value, uint32_t index);
aclnnStatus NnopbaseRunForWorkspace(void* executor, uint64_t* size);
aclnnStatus NnopbaseRunWithWorkspace(void* executor, aclrtStream stream, void* workspace, uint64_t size);
}
#pragma GCC visibility pop
