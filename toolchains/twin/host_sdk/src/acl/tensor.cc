#include "acl/tensor.h"

#include <algorithm>
#include <string>

#include "acl/report.h"
#include "exe_graph/runtime/shape.h"
#include "pypto_twin/host/names.h"

namespace pypto_twin {
namespace acl {

std::vector<int64_t> ContiguousStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t index = dims.size(); index-- > 1;) strides[index - 1] = strides[index] * dims[index];
  return strides;
}

bool IsContiguous(const aclTensor& tensor) {
  if (std::find(tensor.dims.begin(), tensor.dims.end(), 0) != tensor.dims.end()) return true;
  const std::vector<int64_t> wanted = ContiguousStrides(tensor.dims);
  for (size_t index = 0; index < tensor.dims.size(); ++index) {
    if (tensor.dims[index] != 1 && tensor.strides[index] != wanted[index]) return false;
  }
  return true;
}

namespace {

// What is wrong with a tensor's description, "" when nothing is.
std::string ProblemOf(const int64_t* dims, uint64_t count, aclDataType dtype, int64_t offset,
                      const int64_t* storage, uint64_t storage_count) {
  if (count > gert::Shape::kMaxDimNum || storage_count > gert::Shape::kMaxDimNum) {
    return "more than " + std::to_string(gert::Shape::kMaxDimNum) + " dimensions";
  }
  if ((dims == nullptr && count != 0) || (storage == nullptr && storage_count != 0)) return "null dimensions";
  for (uint64_t index = 0; index < count; ++index) {
    if (dims[index] < 0) return "dimension " + std::to_string(index) + " is " + std::to_string(dims[index]);
  }
  if (offset < 0) return "offset " + std::to_string(offset);
  if (host::DtypeName(static_cast<ge::DataType>(dtype)) == "undefined") return "an unknown data type";
  return "";
}

bool Describe(const char* function, aclTensor& tensor, const int64_t* dims, uint64_t count, aclDataType dtype,
              const int64_t* strides, int64_t offset, aclFormat format, const int64_t* storage, uint64_t storage_count,
              void* data) {
  const std::string problem = ProblemOf(dims, count, dtype, offset, storage, storage_count);
  if (!problem.empty()) {
    Refuse(ACLNN_ERR_PARAM_INVALID, std::string(function) + ": " + problem);
    return false;
  }
  tensor.dims.assign(dims, dims + count);
  tensor.strides = strides != nullptr ? std::vector<int64_t>(strides, strides + count) : ContiguousStrides(tensor.dims);
  tensor.storage_dims.assign(storage, storage + storage_count);
  tensor.offset = offset;
  tensor.dtype = dtype;
  tensor.format = format;
  tensor.data = data;
  return true;
}

aclnnStatus NullArgument(const char* function) {
  return Refuse(ACLNN_ERR_PARAM_NULLPTR, std::string(function) + ": a null pointer");
}

aclnnStatus CopyOut(const char* function, const std::vector<int64_t>* values, int64_t** out, uint64_t* count) {
  if (values == nullptr || out == nullptr || count == nullptr) return NullArgument(function);
  *out = new int64_t[values->size()];
  std::copy(values->begin(), values->end(), *out);
  *count = values->size();
  return ACLNN_SUCCESS;
}

template <class Array, class T>
Array* NewArray(const char* function, const T* values, uint64_t count) {
  if (values == nullptr && count != 0) {
    NullArgument(function);
    return nullptr;
  }
  auto* array = new Array;
  array->values.assign(values, values + count);
  return array;
}

template <class Handle>
aclnnStatus Delete(const char* function, const Handle* handle) {
  if (handle == nullptr) return NullArgument(function);
  delete handle;
  return ACLNN_SUCCESS;
}

template <class Value, class Out>
aclnnStatus Give(const char* function, const void* handle, Out* out, Value value) {
  if (handle == nullptr || out == nullptr) return NullArgument(function);
  *out = value();
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace acl
}  // namespace pypto_twin

using namespace pypto_twin::acl;  // NOLINT: the functions below are acl's

extern "C" {

aclTensor* aclCreateTensor(const int64_t* view_dims, uint64_t view_dims_num, aclDataType dtype, const int64_t* strides,
                           int64_t offset, aclFormat format, const int64_t* storage_dims, uint64_t storage_dims_num,
                           void* data) {
  auto* tensor = new aclTensor;
  if (Describe("aclCreateTensor", *tensor, view_dims, view_dims_num, dtype, strides, offset, format, storage_dims,
               storage_dims_num, data)) {
    return tensor;
  }
  delete tensor;
  return nullptr;
}
aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* view_dims, uint64_t view_dims_num, aclDataType dtype,
                          const int64_t* strides, int64_t offset, aclFormat format, const int64_t* storage_dims,
                          uint64_t storage_dims_num, void* data) {
  if (tensor == nullptr) return NullArgument("aclInitTensor");
  return Describe("aclInitTensor", *tensor, view_dims, view_dims_num, dtype, strides, offset, format, storage_dims,
                  storage_dims_num, data)
             ? ACLNN_SUCCESS
             : ACLNN_ERR_PARAM_INVALID;
}
aclScalar* aclCreateScalar(void* value, aclDataType dtype) {
  const size_t size = aclDataTypeSize(dtype);
  if (value == nullptr || size == 0) {
    Refuse(ACLNN_ERR_PARAM_INVALID, "aclCreateScalar: a null value, or a data type without a size");
    return nullptr;
  }
  const auto* bytes = static_cast<const uint8_t*>(value);
  return new aclScalar{dtype, std::vector<uint8_t>(bytes, bytes + size)};
}
aclIntArray* aclCreateIntArray(const int64_t* values, uint64_t count) {
  return NewArray<aclIntArray>("aclCreateIntArray", values, count);
}
aclFloatArray* aclCreateFloatArray(const float* values, uint64_t count) {
  return NewArray<aclFloatArray>("aclCreateFloatArray", values, count);
}
aclBoolArray* aclCreateBoolArray(const bool* values, uint64_t count) {
  return NewArray<aclBoolArray>("aclCreateBoolArray", values, count);
}
aclTensorList* aclCreateTensorList(const aclTensor* const* tensors, uint64_t count) {
  if (tensors == nullptr && count != 0) {
    NullArgument("aclCreateTensorList");
    return nullptr;
  }
  return new aclTensorList{std::vector<const aclTensor*>(tensors, tensors + count)};
}
aclScalarList* aclCreateScalarList(const aclScalar* const* scalars, uint64_t count) {
  if (scalars == nullptr && count != 0) {
    NullArgument("aclCreateScalarList");
    return nullptr;
  }
  return new aclScalarList{std::vector<const aclScalar*>(scalars, scalars + count)};
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) { return Delete("aclDestroyTensor", tensor); }
aclnnStatus aclDestroyScalar(const aclScalar* scalar) { return Delete("aclDestroyScalar", scalar); }
aclnnStatus aclDestroyIntArray(const aclIntArray* array) { return Delete("aclDestroyIntArray", array); }
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) { return Delete("aclDestroyFloatArray", array); }
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) { return Delete("aclDestroyBoolArray", array); }
aclnnStatus aclDestroyTensorList(const aclTensorList* list) {
  if (list == nullptr) return NullArgument("aclDestroyTensorList");
  for (const aclTensor* tensor : list->tensors) delete tensor;
  delete list;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyScalarList(const aclScalarList* list) {
  if (list == nullptr) return NullArgument("aclDestroyScalarList");
  for (const aclScalar* scalar : list->scalars) delete scalar;
  delete list;
  return ACLNN_SUCCESS;
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** dims, uint64_t* dims_num) {
  return CopyOut("aclGetViewShape", tensor ? &tensor->dims : nullptr, dims, dims_num);
}
aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** dims, uint64_t* dims_num) {
  return CopyOut("aclGetStorageShape", tensor ? &tensor->storage_dims : nullptr, dims, dims_num);
}
aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides, uint64_t* strides_num) {
  return CopyOut("aclGetViewStrides", tensor ? &tensor->strides : nullptr, strides, strides_num);
}
aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return Give("aclGetViewOffset", tensor, offset, [&] { return tensor->offset; });
}
aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dtype) {
  return Give("aclGetDataType", tensor, dtype, [&] { return tensor->dtype; });
}
aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return Give("aclGetFormat", tensor, format, [&] { return tensor->format; });
}
aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** address) {
  return Give("aclGetRawTensorAddr", tensor, address, [&] { return tensor->data; });
}
aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* address) {
  if (tensor == nullptr) return NullArgument("aclSetRawTensorAddr");
  tensor->data = address;
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return Give("aclGetIntArraySize", array, size, [&] { return array->values.size(); });
}
aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return Give("aclGetFloatArraySize", array, size, [&] { return array->values.size(); });
}
aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return Give("aclGetBoolArraySize", array, size, [&] { return array->values.size(); });
}
aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size) {
  return Give("aclGetTensorListSize", list, size, [&] { return list->tensors.size(); });
}

}  // extern "C"
