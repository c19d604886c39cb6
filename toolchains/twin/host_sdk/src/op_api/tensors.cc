#include "op_api/tensors.h"

#include <cstring>
#include <utility>

#include "executor/packages.h"
#include "pypto_twin/host/names.h"

namespace pypto_twin {
namespace op_api {
namespace {

int64_t ElementsOf(const std::vector<int64_t>& dims) {
  int64_t elements = 1;
  for (const int64_t dim : dims) {
    if (__builtin_mul_overflow(elements, dim, &elements)) {
      throw host::CallError(ACLNN_ERR_PARAM_INVALID, "a tensor has more elements than 64 bits count");
    }
  }
  return elements;
}

ge::DataType DtypeOf(const aclTensor& tensor) { return static_cast<ge::DataType>(tensor.dtype); }

// Elements from the start of the storage to the last one of the view.
int64_t SpanOf(const aclTensor& tensor) {
  if (ElementsOf(tensor.dims) == 0) return 0;
  int64_t last = tensor.offset;
  for (size_t index = 0; index < tensor.dims.size(); ++index) last += (tensor.dims[index] - 1) * tensor.strides[index];
  return last + 1;
}

gert::Shape ShapeOf(const std::vector<int64_t>& dims) {
  gert::Shape shape;
  for (const int64_t dim : dims) shape.AppendDim(dim);
  return shape;
}

// Calls `visit` with the place of every element, in elements: of the view in the storage, and end to end.
template <class Visit>
void ForEachElement(const aclTensor& tensor, Visit visit) {
  const int64_t count = ElementsOf(tensor.dims);
  std::vector<int64_t> index(tensor.dims.size(), 0);
  int64_t place = tensor.offset;
  for (int64_t element = 0; element < count; ++element) {
    visit(place, element);
    for (size_t axis = tensor.dims.size(); axis-- > 0;) {
      place += tensor.strides[axis];
      if (++index[axis] < tensor.dims[axis]) break;
      place -= tensor.strides[axis] * tensor.dims[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace

void CheckTensor(const GivenTensor& given) {
  const aclTensor& tensor = given.tensor;
  const std::string subject = "tensor '" + given.name + "'";
  const int64_t span = SpanOf(tensor);
  if (span == 0) return;
  const int64_t bytes = host::BytesOf(DtypeOf(tensor), span);
  if (bytes < 0) throw host::CallError(ACLNN_ERR_PARAM_INVALID, subject + " has a dtype without a size");
  if (!acl::IsContiguous(tensor) && aclDataTypeSize(tensor.dtype) == 0) {
    throw host::CallError(ACLNN_ERR_PARAM_INVALID, subject + " is strided, and its elements are less than a byte");
  }
  if (tensor.data == nullptr) throw host::CallError(ACLNN_ERR_PARAM_NULLPTR, subject + " has no memory (null data)");
  const std::optional<acl::Allocation> allocation = acl::FindAllocation(tensor.data);
  if (!allocation) {
    throw host::CallError(ACLNN_ERR_PARAM_INVALID,
                          subject + " is not in device memory; allocate it with aclrtMalloc and copy it there");
  }
  const auto room = allocation->start + allocation->size - static_cast<uint8_t*>(tensor.data);
  if (bytes > room) {
    throw host::CallError(ACLNN_ERR_PARAM_INVALID, subject + " needs " + std::to_string(bytes) +
                                                       " bytes for its shape and dtype, but its memory has " +
                                                       std::to_string(room));
  }
}

host::CallTensor DescriptionOf(const aclTensor& tensor) {
  host::CallTensor description;
  description.origin_shape = ShapeOf(tensor.dims);
  description.storage_shape = ShapeOf(tensor.dims);
  description.dtype = DtypeOf(tensor);
  description.origin_format = static_cast<ge::Format>(tensor.format);
  description.storage_format = static_cast<ge::Format>(tensor.format);
  description.bytes = static_cast<uint64_t>(host::BytesOf(description.dtype, ElementsOf(tensor.dims)));
  // Value-dependent inputs are read on the host: the twin's device memory is.
  if (acl::IsContiguous(tensor) && tensor.data != nullptr) {
    description.data = static_cast<const uint8_t*>(tensor.data) + host::BytesOf(description.dtype, tensor.offset);
  }
  return description;
}

KernelBuffer::KernelBuffer(const GivenTensor& given) : given_(given) {
  const aclTensor& tensor = given.tensor;
  bytes_ = static_cast<uint64_t>(host::BytesOf(DtypeOf(tensor), ElementsOf(tensor.dims)));
  if (bytes_ == 0) return;
  if (acl::IsContiguous(tensor)) {
    address_ = static_cast<uint8_t*>(tensor.data) + host::BytesOf(DtypeOf(tensor), tensor.offset);
    allocation_ = acl::FindAllocation(tensor.data).value();
    return;
  }
  copy_ = std::make_unique<acl::GuardedBuffer>(bytes_);
  address_ = copy_->data();
  allocation_ = copy_->allocation();
  const size_t size = aclDataTypeSize(tensor.dtype);
  ForEachElement(tensor, [&](int64_t place, int64_t element) {
    memcpy(copy_->data() + element * size, static_cast<uint8_t*>(tensor.data) + place * size, size);
  });
}

void KernelBuffer::WriteBack() const {
  if (copy_ == nullptr || !given_.is_output) return;
  const size_t size = aclDataTypeSize(given_.tensor.dtype);
  ForEachElement(given_.tensor, [&](int64_t place, int64_t element) {
    memcpy(static_cast<uint8_t*>(given_.tensor.data) + place * size, copy_->data() + element * size, size);
  });
}

}  // namespace op_api
}  // namespace pypto_twin
