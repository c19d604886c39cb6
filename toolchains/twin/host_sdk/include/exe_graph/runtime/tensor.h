// A tensor as host functions see it: shape, format, dtype, and its elements where the operator says that it reads them
// (InputsDataDependency); elsewhere there is no address.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_TENSOR_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_TENSOR_H_

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor_data.h"

namespace gert {

class Tensor {
 public:
  Tensor() = default;
  Tensor(const StorageShape& shape, const StorageFormat& format, TensorPlacement placement, ge::DataType dtype,
         TensorAddress address, size_t bytes = 0)
      : shape_(shape), format_(format), placement_(placement), dtype_(dtype), address_(address), bytes_(bytes) {}
  Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType dtype)
      : Tensor(shape, format, kOnHost, dtype, nullptr) {}

  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
  Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
  const StorageShape& GetShape() const { return shape_; }
  StorageShape& GetShape() { return shape_; }
  int64_t GetShapeSize() const { return GetStorageShape().GetShapeSize(); }

  ge::DataType GetDataType() const { return dtype_; }
  void SetDataType(ge::DataType dtype) { dtype_ = dtype; }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }

  template <class T>
  const T* GetData() const {
    return static_cast<const T*>(address_);
  }
  template <class T>
  T* GetData() {
    return static_cast<T*>(address_);
  }
  TensorAddress GetAddr() const { return address_; }
  // Bytes of the elements, end to end.
  size_t GetSize() const { return bytes_; }
  TensorPlacement GetPlacement() const { return placement_; }

 private:
  StorageShape shape_;
  StorageFormat format_;
  TensorPlacement placement_ = kOnHost;
  ge::DataType dtype_ = ge::DT_UNDEFINED;
  TensorAddress address_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_TENSOR_H_
