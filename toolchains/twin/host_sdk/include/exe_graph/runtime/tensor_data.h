// Where a tensor's elements lie.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_

#include <cstddef>
#include <cstdint>

namespace gert {

enum TensorPlacement : int32_t {
  kOnDeviceHbm = 0,
  kOnHost = 1,
  kFollowing = 2,
  kOnDeviceP2p = 3,
  kTensorPlacementEnd = 4,
};

using TensorAddress = void*;

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_
