// Calls SumRows through aclnn, without a bias: y = 0.5 * (sum of the 200 rows of x).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn_sum_rows.h"

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
    *tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape.data(),
                              shape.size(), *device);
    return *tensor == nullptr ? 1 : 0;
}

int main()
{
    aclrtStream stream = nullptr;
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));

    const int64_t rows = 200;
    const int64_t columns = 30;
    std::vector<float> x(rows * columns);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = static_cast<float>(i % 17);
    }
    std::vector<float> y(columns, 0.0f);
    void* xDevice = nullptr;
    void* yDevice = nullptr;
    aclTensor* xTensor = nullptr;
    aclTensor* yTensor = nullptr;
    if (CreateTensor(x, {rows, columns}, &xDevice, &xTensor) != 0 ||
        CreateTensor(y, {columns}, &yDevice, &yTensor) != 0) {
        return 1;
    }

    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnSumRowsGetWorkspaceSize(xTensor, nullptr, 0.5, false, yTensor, &workspaceSize, &executor));
    std::printf("workspace: %lu bytes\n", workspaceSize);
    void* workspace = nullptr;
    if (workspaceSize > 0) {
        CHECK(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    CHECK(aclnnSumRows(workspace, workspaceSize, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(y.data(), y.size() * sizeof(float), yDevice, y.size() * sizeof(float),
                      ACL_MEMCPY_DEVICE_TO_HOST));

    int wrong = 0;
    for (int64_t column = 0; column < columns; column++) {
        float sum = 0.0f;
        for (int64_t row = 0; row < rows; row++) {
            sum += x[row * columns + column];
        }
        wrong += std::fabs(y[column] - 0.5f * sum) > 1e-3f * std::fabs(sum);
    }
    std::printf("y[0] = %f, y[%ld] = %f; %d of %ld are wrong\n", y[0], columns - 1, y[columns - 1], wrong, columns);

    CHECK(aclDestroyTensor(xTensor));
    CHECK(aclDestroyTensor(yTensor));
    CHECK(aclrtFree(xDevice));
    CHECK(aclrtFree(yDevice));
    if (workspace != nullptr) {
        CHECK(aclrtFree(workspace));
    }
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return wrong == 0 ? 0 : 1;
}
