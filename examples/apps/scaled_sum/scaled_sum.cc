#include "scaled_sum.h"

#include <stdexcept>
#include <string>

#include "acl/acl.h"
#include "aclnn_add_example.h"
#include "aclnn_scale_by.h"

namespace {

void Check(int status, const char* what)
{
    if (status != ACL_SUCCESS) {
        throw std::runtime_error(std::string(what) + ": " + aclGetRecentErrMsg());
    }
}

// The device and a stream, for as long as it lives.
class Device {
public:
    Device()
    {
        Check(aclInit(nullptr), "aclInit");
        Check(aclrtSetDevice(0), "aclrtSetDevice");
        Check(aclrtCreateStream(&stream_), "aclrtCreateStream");
    }
    ~Device()
    {
        aclrtDestroyStream(stream_);
        aclrtResetDevice(0);
        aclFinalize();
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    aclrtStream stream() const { return stream_; }

private:
    aclrtStream stream_ = nullptr;
};

// Device memory of bytes, freed with it.
class Memory {
public:
    explicit Memory(size_t bytes)
    {
        if (bytes > 0) {
            Check(aclrtMalloc(&data_, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        }
    }
    ~Memory()
    {
        if (data_ != nullptr) {
            aclrtFree(data_);
        }
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void* data() const { return data_; }

private:
    void* data_ = nullptr;
};

// A vector of floats on the device.
class Tensor {
public:
    explicit Tensor(size_t count) : bytes_(count * sizeof(float)), memory_(bytes_)
    {
        const int64_t shape[] = {static_cast<int64_t>(count)};
        tensor_ = aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, memory_.data());
    }
    explicit Tensor(const std::vector<float>& values) : Tensor(values.size())
    {
        Check(aclrtMemcpy(memory_.data(), bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    }
    ~Tensor() { aclDestroyTensor(tensor_); }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;

    aclTensor* get() const { return tensor_; }
    std::vector<float> values() const
    {
        std::vector<float> host(bytes_ / sizeof(float));
        Check(aclrtMemcpy(host.data(), bytes_, memory_.data(), bytes_, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
        return host;
    }

private:
    size_t bytes_;
    Memory memory_;
    aclTensor* tensor_ = nullptr;
};

}  // namespace

std::vector<float> ScaledSum(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& w)
{
    const Device device;
    const Tensor first(x);
    const Tensor second(y);
    const Tensor sum(x.size());
    const Tensor weights(w);
    const Tensor result(x.size());
    uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;

    Check(aclnnAddExampleGetWorkspaceSize(first.get(), second.get(), sum.get(), &bytes, &executor), "AddExample");
    const Memory adding(bytes);
    Check(aclnnAddExample(adding.data(), bytes, executor, device.stream()), "AddExample");

    Check(aclnnScaleByGetWorkspaceSize(sum.get(), weights.get(), false, result.get(), &bytes, &executor), "ScaleBy");
    const Memory scaling(bytes);
    Check(aclnnScaleBy(scaling.data(), bytes, executor, device.stream()), "ScaleBy");

    Check(aclrtSynchronizeStream(device.stream()), "aclrtSynchronizeStream");
    return result.values();
}
