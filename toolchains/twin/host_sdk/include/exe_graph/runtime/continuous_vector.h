// Lists among the attributes.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_

#include <cstddef>
#include <utility>
#include <vector>

namespace gert {

// A list of elements, end to end, of a type that the reader knows.
class ContinuousVector {
 public:
  ContinuousVector() = default;
  ContinuousVector(const void* data, size_t size) : data_(data), size_(size) {}

  size_t GetSize() const { return size_; }
  size_t GetCapacity() const { return size_; }
  const void* GetData() const { return data_; }

 private:
  const void* data_ = nullptr;
  size_t size_ = 0;
};

template <class T>
class TypedContinuousVector : public ContinuousVector {
 public:
  const T* GetData() const { return static_cast<const T*>(ContinuousVector::GetData()); }
};

// A list of lists.
class ContinuousVectorVector {
 public:
  explicit ContinuousVectorVector(std::vector<ContinuousVector> lists) : lists_(std::move(lists)) {}

  size_t GetSize() const { return lists_.size(); }
  const ContinuousVector* Get(size_t index) const { return index < lists_.size() ? &lists_[index] : nullptr; }

 private:
  std::vector<ContinuousVector> lists_;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
