// A lower and an upper bound.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_RANGE_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_RANGE_H_

namespace gert {

template <class T>
class Range {
 public:
  Range() = default;
  Range(T* min, T* max) : min_(min), max_(max) {}
  explicit Range(T* same) : Range(same, same) {}

  bool operator==(const Range& other) const { return min_ == other.min_ && max_ == other.max_; }
  const T* GetMin() const { return min_; }
  const T* GetMax() const { return max_; }
  T* GetMin() { return min_; }
  T* GetMax() { return max_; }
  void SetMin(T* min) { min_ = min; }
  void SetMax(T* max) { max_ = max; }

 private:
  T* min_ = nullptr;
  T* max_ = nullptr;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_RANGE_H_
