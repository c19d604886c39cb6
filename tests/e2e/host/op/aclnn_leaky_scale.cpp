#include "aclnn_leaky_scale.h"

#include "aclnnInner_leaky_scale.h"
#include "limits.h"

aclnnStatus aclnnLeakyScaleGetWorkspaceSize(
    const aclTensor* x, double alpha, const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor)
{
    if (alpha < kLeastAlpha) {
        return 161002;  // ACLNN_ERR_PARAM_INVALID
    }
    return aclnnInnerLeakyScaleGetWorkspaceSize(x, alpha, y, workspaceSize, executor);
}

aclnnStatus aclnnLeakyScale(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream)
{
    return aclnnInnerLeakyScale(workspace, workspaceSize, executor, stream);
}
