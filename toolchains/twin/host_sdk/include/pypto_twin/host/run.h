// Runs the functions that host libraries register with IMPL_OP and its kin.
#ifndef PYPTO_TWIN_HOST_RUN_H_
#define PYPTO_TWIN_HOST_RUN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pypto_twin/host/op_call.h"

namespace pypto_twin {
namespace host {

// A host library that was loaded: functions are looked up in the library of the package they came with.
struct HostLibrary {
  std::string path;
  std::vector<std::string> tiling_ops;      // operator types with a tiling function, sorted
  std::vector<std::string> infershape_ops;  // operator types with InferShape, sorted
};

// Loads a library (dlopen) and notes what its static initialisers register. The same path twice gives the same object,
// which lives as long as the process. Throws HostError with the loader's text.
const HostLibrary& LoadHostLibrary(const std::string& path);

// What a tiling function decided.
struct TilingResult {
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  uint32_t schedule_mode = 0;
  std::vector<uint64_t> workspaces;   // as the function asked for, may be empty
  std::vector<uint8_t> tiling_data;   // the bytes in use
};

// Runs the tiling function that `library` registers for the call's operator, TilingParse first. `tiling_bytes` is the
// size of the kernel's TilingData: the capacity of the buffer (rounded up), and what GetTilingData must fit. Throws
// HostError: no function, the function failed (with what it logged), an unsupported SDK function was called, more
// written than fits.
TilingResult RunTiling(const HostLibrary& library, const OpCall& call, uint64_t tiling_bytes);

// Shape and dtype of every output tensor in order, as InferShape and InferDataType give them. Without a registered
// InferDataType the dtype is DT_UNDEFINED. Throws HostError: no function, the function failed.
struct InferredTensor {
  gert::Shape shape;
  ge::DataType dtype = ge::DT_UNDEFINED;
};
std::vector<InferredTensor> RunInferShape(const HostLibrary& library, const OpCall& call);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_HOST_RUN_H_
