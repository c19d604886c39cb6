// The host functions of operators, by the library they came with.
#ifndef PYPTO_TWIN_SRC_REGISTER_OP_FUNCTIONS_H_
#define PYPTO_TWIN_SRC_REGISTER_OP_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pypto_twin/host/run.h"
#include "register/op_impl_registry.h"

namespace pypto_twin {
namespace host {

struct OpFunctions {
  gert::OpImplRegisterV2::TilingFunc tiling = nullptr;
  gert::OpImplRegisterV2::TilingParseFunc tiling_parse = nullptr;
  void* (*create_compile_info)() = nullptr;
  void (*destroy_compile_info)(void*) = nullptr;
  gert::OpImplRegisterV2::InferShapeFunc infer_shape = nullptr;
  gert::OpImplRegisterV2::InferDataTypeFunc infer_dtype = nullptr;
  bool dtype_of_first_input = false;
  std::vector<size_t> data_inputs;         // read by InferShape and Tiling
  std::vector<size_t> tiling_data_inputs;  // read by Tiling alone
};

// What one library registered.
struct Registrations {
  std::map<std::string, OpFunctions> functions;
  std::map<std::string, std::map<std::string, size_t>> tiling_data;  // operator → class → bytes
};

// The registrations that static initialisers of the calling thread add to now.
Registrations& CurrentRegistrations();

// The functions of an operator in a loaded library, or null.
const OpFunctions* FindFunctions(const HostLibrary& library, const std::string& op_type);

// Bytes of the TilingData that the library registers for the operator; 0: none.
size_t RegisteredTilingBytes(const HostLibrary& library, const std::string& op_type);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_REGISTER_OP_FUNCTIONS_H_
