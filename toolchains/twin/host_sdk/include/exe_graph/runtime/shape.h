// The dimensions of a tensor.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_SHAPE_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gert {

// Up to kMaxDimNum dimensions; none is a scalar. In InferShape -1 is a dimension not known yet, and -2 alone an unknown rank.
class Shape {
 public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

  Shape() = default;
  Shape(const std::initializer_list<int64_t>& dims) {
    if (dims.size() > kMaxDimNum) return;
    for (const int64_t dim : dims) dims_[dim_num_++] = dim;
  }

  bool operator==(const Shape& other) const {
    if (dim_num_ != other.dim_num_) return false;
    for (size_t index = 0; index < dim_num_; ++index) {
      if (dims_[index] != other.dims_[index]) return false;
    }
    return true;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }

  // Number of elements; kInvalidDimValue when it does not fit.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t index = 0; index < dim_num_; ++index) {
      if (__builtin_mul_overflow(size, dims_[index], &size)) return kInvalidDimValue;
    }
    return size;
  }

  bool IsScalar() const { return dim_num_ == 0; }
  void SetScalar() { dim_num_ = 0; }
  size_t GetDimNum() const { return dim_num_; }
  // More than kMaxDimNum count as kMaxDimNum.
  void SetDimNum(size_t dim_num) { dim_num_ = dim_num < kMaxDimNum ? dim_num : kMaxDimNum; }
  int64_t GetDim(size_t index) const { return index < kMaxDimNum ? dims_[index] : kInvalidDimValue; }
  void SetDim(size_t index, int64_t value) {
    if (index < kMaxDimNum) dims_[index] = value;
  }
  const int64_t& operator[](size_t index) const { return dims_[index]; }
  int64_t& operator[](size_t index) { return dims_[index]; }
  Shape& AppendDim(int64_t value) {
    if (dim_num_ < kMaxDimNum) dims_[dim_num_++] = value;
    return *this;
  }

 private:
  size_t dim_num_ = 0;
  int64_t dims_[kMaxDimNum] = {};
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_SHAPE_H_
