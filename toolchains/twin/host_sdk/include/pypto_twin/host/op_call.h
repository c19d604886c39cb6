// One call of an operator as the host side sees it: what InferShape and Tiling are run on. The acl run time makes it from
// aclTensors, tests make it from shapes.
#ifndef PYPTO_TWIN_HOST_OP_CALL_H_
#define PYPTO_TWIN_HOST_OP_CALL_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "graph/types.h"
#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {

enum class ParamKind { required, optional, dynamic };

// A tensor's description, and its contents where the host may read them (`ValueDepend`); no data: null.
struct CallTensor {
  gert::Shape origin_shape;
  gert::Shape storage_shape;
  ge::DataType dtype = ge::DT_UNDEFINED;
  ge::Format origin_format = ge::FORMAT_ND;
  ge::Format storage_format = ge::FORMAT_ND;
  const void* data = nullptr;
  uint64_t bytes = 0;  // size of the tensor's elements, end to end
};

// An input or output: one tensor; none when it is optional and left out; any number when it is dynamic.
struct CallParam {
  std::string name;
  ParamKind kind = ParamKind::required;
  std::vector<CallTensor> tensors;
};

using AttrValue = std::variant<bool, int64_t, float, std::string, std::vector<bool>, std::vector<int64_t>,
                               std::vector<float>, std::vector<std::string>, std::vector<std::vector<int64_t>>>;

struct CallAttr {
  std::string name;
  AttrValue value;
};

struct OpCall {
  std::string op_type;
  std::string soc;  // compute-unit name, e.g. ascend910b
  std::vector<CallParam> inputs;
  std::vector<CallParam> outputs;
  std::vector<CallAttr> attrs;  // in the OpDef's order, defaults filled in
};

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_HOST_OP_CALL_H_
