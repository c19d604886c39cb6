// Filling a tile. Docs: operation/memory_vector_computation/math_functions/expands.md. (set_validshape is in tile.h.)
#ifndef PYPTO_TWIN_OPS_MISC_H_
#define PYPTO_TWIN_OPS_MISC_H_

#include "pypto_twin/ops_elementwise.h"

namespace pypto_twin {

template <class Out, class S>
inline void expands(Block& block, int32_t site, Tile<Out> out, S scalar) {
  PYPTO_TWIN_REQUIRE_expands(typename Out::element);
  static_assert(Out::kSpace == space::vec, "vector operations work on UB tiles (MemorySpace.Vec)");
  using T = typename Out::element;
  const TileState& tile = *out.state;
  const typename dtype<T>::compute value = detail::scalar_operand<T>(block, site, "expands", scalar);
  detail::for_runs(tile, [&](int64_t first, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
      detail::write<T>(tile.data + (first + k) * static_cast<int64_t>(sizeof(T)), value);
  });
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_OPS_MISC_H_
