// Calls the interface written by hand: once with an alpha that it refuses, once for a result.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn_leaky_scale.h"

namespace {
aclTensor* Tensor(const std::vector<int64_t>& shape, void* device)
{
    const int64_t stride = 1;
    return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, shape.data(), shape.size(),
                           device);
}
}  // namespace

int main()
{
    aclrtStream stream = nullptr;
    if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS ||
        aclrtCreateStream(&stream) != ACL_SUCCESS) {
        return 1;
    }
    const std::vector<int64_t> shape = {256};
    std::vector<float> values(256, 3.0F);
    const size_t bytes = values.size() * sizeof(float);
    void* x = nullptr;
    void* y = nullptr;
    aclrtMalloc(&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&y, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    aclTensor* input = Tensor(shape, x);
    aclTensor* output = Tensor(shape, y);

    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    std::printf("refused: %d\n", aclnnLeakyScaleGetWorkspaceSize(input, -2.0, output, &size, &executor));
    if (aclnnLeakyScaleGetWorkspaceSize(input, 1.0, output, &size, &executor) != 0) {
        return 1;
    }
    void* workspace = nullptr;
    aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    if (aclnnLeakyScale(workspace, size, executor, stream) != 0 || aclrtSynchronizeStream(stream) != ACL_SUCCESS) {
        return 1;
    }
    aclrtMemcpy(values.data(), bytes, y, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("first: %.1f\n", values[0]);
    return 0;
}
