#include "aclnn_leaky_scale.h"

#include "limits.h"

aclnnStatus aclnnLeakyScaleGetWorkspaceSize(const aclTensor*, double alpha, const aclTensor*, uint64_t*, aclOpExecutor**)
{
    return alpha < kLeastAlpha ? 161002 : 0;
}

aclnnStatus aclnnLeakyScale(void*, uint64_t, aclOpExecutor*, aclrtStream)
{
    return 0;
}
