// Questions about shapes that host functions ask.
#ifndef PYPTO_TWIN_UTIL_SHAPE_UTIL_H_
#define PYPTO_TWIN_UTIL_SHAPE_UTIL_H_

#include <cstdint>

#include "exe_graph/runtime/shape.h"

namespace Ops {
namespace Base {

inline constexpr int64_t UNKNOWN_DIM_VALUE_ = -1;
inline constexpr int64_t UNKNOWN_RANK_DIM_VALUE_ = -2;

inline bool IsUnknownRank(const gert::Shape* shape) {
  return shape->GetDimNum() == 1 && shape->GetDim(0) == UNKNOWN_RANK_DIM_VALUE_;
}
inline bool IsUnknownRank(const gert::Shape& shape) { return IsUnknownRank(&shape); }
inline void SetUnknownRank(gert::Shape& shape) {
  shape.SetDimNum(0);
  shape.AppendDim(UNKNOWN_RANK_DIM_VALUE_);
}
inline bool IsUnknownShape(const gert::Shape& shape) {
  for (size_t index = 0; index < shape.GetDimNum(); ++index) {
    if (shape.GetDim(index) == UNKNOWN_DIM_VALUE_) return true;
  }
  return false;
}
inline void SetUnknownShape(int64_t rank, gert::Shape& shape) {
  shape.SetDimNum(0);
  for (int64_t index = 0; index < rank; ++index) shape.AppendDim(UNKNOWN_DIM_VALUE_);
}

}  // namespace Base
}  // namespace Ops

#endif  // PYPTO_TWIN_UTIL_SHAPE_UTIL_H_
