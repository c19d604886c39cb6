// Global memory: pointers that know their buffer, and views with shape and stride.
// Docs: operation/resource_management/{make_tensor,addptr}.md, basic_data_structures/{Tensor,Ptr}.md.
#ifndef PYPTO_TWIN_MEMORY_H_
#define PYPTO_TWIN_MEMORY_H_

#include <stdint.h>

#include "pypto_twin/block.h"
#include "pypto_twin/types.h"

namespace pypto_twin {

template <int N>
struct Dims {
  int64_t at[N];
};

namespace detail {

// Where a pointer stands in its argument's buffer. The offset may lie outside; an access there is an error, forming it
// is not.
struct Place {
  uint8_t* base;
  int64_t bytes;
  int64_t offset;
  uint32_t argument;
};

}  // namespace detail

template <class T>
struct Ptr {
  detail::Place place;
};

// Kernel parameter `index`. The launch has been checked: the index is below arg_count.
template <class T>
inline Ptr<T> arg(Block& block, uint32_t index) {
  const pypto_twin_launch& launch = *block.launch;
  return Ptr<T>{{static_cast<uint8_t*>(launch.args[index]), static_cast<int64_t>(launch.arg_bytes[index]), 0, index}};
}

template <class T, class U>
inline Ptr<T> cast_ptr(Ptr<U> ptr) {
  return Ptr<T>{ptr.place};
}

namespace detail {

inline int64_t move_offset(Block& block, int32_t site, const Place& place, int64_t elements, int64_t element_bytes) {
  int64_t bytes = 0;
  int64_t offset = 0;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes) || __builtin_add_overflow(place.offset, bytes, &offset) ||
      offset < 0 || offset > place.bytes) {
    fail(block, site, "addptr",
         "offset of %lld elements (%lld bytes each) from byte %lld leaves the buffer of pointer argument %u, which has "
         "%lld bytes; "
         "keep the pointer inside the buffer",
         static_cast<ll>(elements), static_cast<ll>(element_bytes), static_cast<ll>(place.offset), place.argument,
         static_cast<ll>(place.bytes));
  }
  return offset;
}

}  // namespace detail

template <class T>
inline Ptr<T> addptr(Block& block, int32_t site, Ptr<T> ptr, int64_t elements) {
  Ptr<T> moved = ptr;
  moved.place.offset = detail::move_offset(block, site, ptr.place, elements, sizeof(T));
  return moved;
}

template <class T, int N>
class Tensor {
 public:
  static constexpr int kRank = N;

  Tensor() : ptr_(), shape_(), stride_() {}  // for a view chosen later, in a branch
  Tensor(Ptr<T> ptr, const Dims<N>& shape, const Dims<N>& stride) : ptr_(ptr), shape_(shape), stride_(stride) {}

  int64_t shape(int axis) const { return shape_.at[axis]; }
  Ptr<T> ptr() const { return ptr_; }
  const Dims<N>& shapes() const { return shape_; }
  const Dims<N>& strides() const { return stride_; }

 private:
  Ptr<T> ptr_;
  Dims<N> shape_;
  Dims<N> stride_;
};

namespace detail {

inline void check_view(Block& block, int32_t site, int rank, const int64_t* shape, const int64_t* stride) {
  for (int axis = 0; axis < rank; ++axis) {
    if (shape[axis] < 0) {
      fail(block, site, "make_tensor", "shape[%d] is %lld; a size must not be negative", axis,
           static_cast<ll>(shape[axis]));
    }
    if (stride[axis] < 0) {
      fail(block, site, "make_tensor", "stride[%d] is %lld; a stride must not be negative", axis,
           static_cast<ll>(stride[axis]));
    }
  }
}

}  // namespace detail

template <int N, class T>
inline Tensor<T, N> make_tensor(Block& block, int32_t site, Ptr<T> ptr, const Dims<N>& shape, const Dims<N>& stride) {
  detail::check_view(block, site, N, shape.at, stride.at);
  return Tensor<T, N>(ptr, shape, stride);
}

template <int N, class T>
inline Tensor<T, N> make_tensor(Block& block, int32_t site, Ptr<T> ptr, const Dims<N>& shape) {
  Dims<N> stride = {};
  int64_t step = 1;
  for (int axis = N - 1; axis >= 0; --axis) {
    stride.at[axis] = step;
    if (__builtin_mul_overflow(step, shape.at[axis] > 0 ? shape.at[axis] : 1, &step)) {
      fail(block, site, "make_tensor", "the shape has more than 2^63 - 1 elements (shape[%d] is %lld)", axis,
           static_cast<ll>(shape.at[axis]));
    }
  }
  return make_tensor<N>(block, site, ptr, shape, stride);
}

// A view of a view shares the memory, not the offset arithmetic: it starts where the source view starts.
template <int N, class T, int M>
inline Tensor<T, N> make_tensor(Block& block, int32_t site, const Tensor<T, M>& source, const Dims<N>& shape,
                                const Dims<N>& stride) {
  return make_tensor<N>(block, site, source.ptr(), shape, stride);
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_MEMORY_H_
