// What a `_def.cpp` says of an operator, as data. Places are lines of the file that said it.
#ifndef PYPTO_TWIN_HOST_OP_DESCRIPTION_H_
#define PYPTO_TWIN_HOST_OP_DESCRIPTION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/types.h"
#include "pypto_twin/host/api.h"

namespace pypto_twin {
namespace host {

struct Place {
  const char* file = "";
  int line = 0;
};

struct ParamDescription {
  std::string name;
  Place at;
  std::string param_type = "required";
  std::vector<ge::DataType> dtypes;
  std::vector<ge::DataType> dtype_list;  // goes with every column, in all combinations
  std::vector<ge::DataType> bin_query_dtypes;
  std::vector<ge::Format> formats;
  std::vector<ge::Format> format_list;
  std::vector<ge::Format> bin_query_formats;
  std::vector<ge::Format> unknown_shape_formats;
  std::string value_depend;  // "", "optional", "required"
  std::string follows;       // name of the parameter whose columns hold here, too
  bool auto_contiguous = false;
  bool ignore_contiguous = false;
  bool shape_depends_on_compute = false;
  std::optional<double> init_value;
  std::vector<std::string> unsupported;  // what was asked for and has no form in the twin
};

using AttrDefault = std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<bool>,
                                 std::vector<int64_t>, std::vector<double>, std::vector<std::string>,
                                 std::vector<std::vector<int64_t>>>;

struct AttrDescription {
  std::string name;
  Place at;
  std::string type;  // int, float, bool, str, list_int, list_float, list_bool, list_str, list_list_int; "" if not said
  bool required = true;
  AttrDefault otherwise;
};

struct SocDescription {
  std::string soc;
  Place at;
  std::vector<ParamDescription> inputs;  // what differs of the operator's, by name
  std::vector<ParamDescription> outputs;
  std::vector<AttrDescription> attrs;
  std::map<std::string, std::string> flags;     // "dynamicShapeSupport.flag" and the like
  std::map<std::string, std::string> extended;  // ExtendCfgInfo
};

struct OpDescription {
  std::string op_type;
  Place at;
  std::vector<ParamDescription> inputs;
  std::vector<ParamDescription> outputs;
  std::vector<AttrDescription> attrs;
  std::vector<SocDescription> socs;
  bool fallback = false;
};

// Adds an operator to those that the library being loaded defines.
PYPTO_TWIN_API void RegisterOpDescription(OpDescription description);

// Those of all libraries that were loaded so far, in the order of their registration.
PYPTO_TWIN_API const std::vector<OpDescription>& RegisteredOpDescriptions();

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_HOST_OP_DESCRIPTION_H_
