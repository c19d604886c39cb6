// Calls AddExample through aclnn: z = x + y for 32 x 64 floats.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn_add_example.h"

#define CHECK(expression)                                        \
    do {                                                         \
        const auto status = (expression);                        \
        if (status != ACL_SUCCESS) {                             \
            std::printf("%s failed: %d\n", #expression, status); \
            return 1;                                            \
        }                                                        \
    } while (0)

static int CreateTensor(const std::vector<float>& host, const std::vector<int64_t>& shape, void** device,
                        aclTensor** tensor)
{
    const size_t bytes = host.size() * sizeof(float);
    CHECK(aclrtMalloc(device, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(*device, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    std::vector<int64_t> strides(shape.size(), 1);
    for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; i--) {
        strides[i] = shape[i + 1] * strides[i + 1];
    }
    *tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND, shape.data(),
                              shape.size(), *device);
    return *tensor == nullptr ? 1 : 0;
}

int main()
{
    const int32_t device = 0;
    aclrtStream stream = nullptr;
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(device));
    CHECK(aclrtCreateStream(&stream));

    const std::vector<int64_t> shape = {32, 64};
    const size_t count = 32 * 64;
    std::vector<float> x(count);
    std::vector<float> y(count);
    std::vector<float> z(count, 0.0f);
    for (size_t i = 0; i < count; i++) {
        x[i] = static_cast<float>(i);
        y[i] = 0.5f * static_cast<float>(i);
    }

    void* addresses[3] = {};
    aclTensor* tensors[3] = {};
    if (CreateTensor(x, shape, &addresses[0], &tensors[0]) != 0 ||
        CreateTensor(y, shape, &addresses[1], &tensors[1]) != 0 ||
        CreateTensor(z, shape, &addresses[2], &tensors[2]) != 0) {
        return 1;
    }

    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnAddExampleGetWorkspaceSize(tensors[0], tensors[1], tensors[2], &workspaceSize, &executor));
    void* workspace = nullptr;
    if (workspaceSize > 0) {
        CHECK(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    CHECK(aclnnAddExample(workspace, workspaceSize, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(z.data(), count * sizeof(float), addresses[2], count * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST));

    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % 256 == 0) {
            std::printf("x[%zu] = %f, y[%zu] = %f, z[%zu] = %f\n", i, x[i], i, y[i], i, z[i]);
        }
        wrong += z[i] != x[i] + y[i];
    }
    std::printf("%zu of %zu elements are wrong\n", wrong, count);

    for (int i = 0; i < 3; i++) {
        CHECK(aclDestroyTensor(tensors[i]));
        CHECK(aclrtFree(addresses[i]));
    }
    if (workspace != nullptr) {
        CHECK(aclrtFree(workspace));
    }
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(device));
    CHECK(aclFinalize());
    return wrong == 0 ? 0 : 1;
}
