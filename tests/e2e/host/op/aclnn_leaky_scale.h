// An interface written by hand: what it adds to the generated one is a check.
#ifndef ACLNN_LEAKY_SCALE_H_
#define ACLNN_LEAKY_SCALE_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((visibility("default"))) aclnnStatus aclnnLeakyScaleGetWorkspaceSize(
    const aclTensor* x, double alpha, const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);

__attribute__((visibility("default"))) aclnnStatus aclnnLeakyScale(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNN_LEAKY_SCALE_H_
