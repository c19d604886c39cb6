// Calls ScaleBy through aclnn with two dtypes: y = x * w for floats x and halves w.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn_scale_by.h"

#define CHECK(expression)                                        \
    do {                                                         \
        const auto status = (expression);                        \
        if (status != ACL_SUCCESS) {                             \
            std::printf("%s failed: %d\n", #expression, status); \
            return 1;                                            \
        }                                                        \
    } while (0)

template <typename T>
static int CreateTensor(const std::vector<T>& host, aclDataType dtype, void** device, aclTensor** tensor)
{
    const size_t bytes = host.size() * sizeof(T);
    const int64_t shape[] = {static_cast<int64_t>(host.size())};
    CHECK(aclrtMalloc(device, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(*device, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    *tensor = aclCreateTensor(shape, 1, dtype, nullptr, 0, ACL_FORMAT_ND, shape, 1, *device);
    return *tensor == nullptr ? 1 : 0;
}

int main()
{
    aclrtStream stream = nullptr;
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));

    const size_t count = 1000;
    std::vector<float> x(count);
    std::vector<aclFloat16> w(count);
    std::vector<float> y(count, 0.0f);
    for (size_t i = 0; i < count; i++) {
        x[i] = 0.25f * static_cast<float>(i);
        w[i] = aclFloatToFloat16(static_cast<float>(i % 5));
    }
    void* addresses[3] = {};
    aclTensor* tensors[3] = {};
    if (CreateTensor(x, ACL_FLOAT, &addresses[0], &tensors[0]) != 0 ||
        CreateTensor(w, ACL_FLOAT16, &addresses[1], &tensors[1]) != 0 ||
        CreateTensor(y, ACL_FLOAT, &addresses[2], &tensors[2]) != 0) {
        return 1;
    }

    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnScaleByGetWorkspaceSize(tensors[0], tensors[1], false, tensors[2], &workspaceSize, &executor));
    CHECK(aclnnScaleBy(nullptr, workspaceSize, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(y.data(), count * sizeof(float), addresses[2], count * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST));

    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        wrong += y[i] != x[i] * static_cast<float>(i % 5);
    }
    std::printf("y[999] = %f; %d of %zu are wrong\n", y[999], wrong, count);

    for (int i = 0; i < 3; i++) {
        CHECK(aclDestroyTensor(tensors[i]));
        CHECK(aclrtFree(addresses[i]));
    }
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return wrong == 0 ? 0 : 1;
}
