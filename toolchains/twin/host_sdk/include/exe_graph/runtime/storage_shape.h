// A tensor's shape as its user sees it and as it is laid out in memory; the twin's tensors have one layout, so both agree.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_

#include "exe_graph/runtime/shape.h"

namespace gert {

class StorageShape {
 public:
  StorageShape() = default;
  StorageShape(const std::initializer_list<int64_t>& origin, const std::initializer_list<int64_t>& storage)
      : origin_shape_(origin), storage_shape_(storage) {}
  StorageShape(const Shape& origin, const Shape& storage) : origin_shape_(origin), storage_shape_(storage) {}

  bool operator==(const StorageShape& other) const {
    return origin_shape_ == other.origin_shape_ && storage_shape_ == other.storage_shape_;
  }
  bool operator!=(const StorageShape& other) const { return !(*this == other); }

  const Shape& GetOriginShape() const { return origin_shape_; }
  const Shape& GetStorageShape() const { return storage_shape_; }
  Shape& MutableOriginShape() { return origin_shape_; }
  Shape& MutableStorageShape() { return storage_shape_; }

 private:
  Shape origin_shape_;
  Shape storage_shape_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
