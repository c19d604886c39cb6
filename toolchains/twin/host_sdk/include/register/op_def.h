// The OpDef of an operator: inputs, outputs, attributes, and what it is on each SoC. Every call notes the line it is on.
// Bodies are in the library (op_def.cc): a `_def.cpp` compiles in half the time.
#ifndef PYPTO_TWIN_REGISTER_OP_DEF_H_
#define PYPTO_TWIN_REGISTER_OP_DEF_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "graph/types.h"
#include "pypto_twin/host/op_description.h"

namespace ops {

using pypto_twin::host::AttrDescription;
using pypto_twin::host::OpDescription;
using pypto_twin::host::ParamDescription;
using pypto_twin::host::Place;
using pypto_twin::host::SocDescription;

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FollowType { ALL = 0, DTYPE, FORMAT, SHAPE, INVALID_TYPE };
enum class DependScope { ALL = 0, TILING, INVALID_SCOPE };
enum class FormatCheckOption { DEFAULT = 0, STRICT };

// An input or output.
class PYPTO_TWIN_API OpParamDef {
 public:
  OpParamDef(const char* name, Place at);
  OpParamDef(const OpParamDef&);
  OpParamDef& operator=(const OpParamDef&);
  ~OpParamDef();

  OpParamDef& ParamType(Option type);
  OpParamDef& DataType(std::vector<ge::DataType> dtypes);
  OpParamDef& DataTypeList(std::vector<ge::DataType> dtypes);
  OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType> dtypes);
  OpParamDef& Format(std::vector<ge::Format> formats);
  OpParamDef& FormatList(std::vector<ge::Format> formats);
  OpParamDef& FormatForBinQuery(std::vector<ge::Format> formats);
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format> formats);
  OpParamDef& ValueDepend(Option depend, DependScope scope = DependScope::ALL);
  OpParamDef& Follow(const char* param);
  OpParamDef& AutoContiguous() {
    said_.auto_contiguous = true;
    return *this;
  }
  OpParamDef& IgnoreContiguous() {
    said_.ignore_contiguous = true;
    return *this;
  }
  OpParamDef& OutputShapeDependOnCompute() {
    said_.shape_depends_on_compute = true;
    return *this;
  }
  template <class T>
  OpParamDef& InitValue(T value) {
    said_.init_value = static_cast<double>(value);
    return *this;
  }
  OpParamDef& Version(uint32_t) { return *this; }
  template <class... Text>
  OpParamDef& Comment(Text&&...) {
    return *this;
  }

  OpParamDef& Follow(const char*, FollowType) { return Refuse("Follow with a FollowType"); }
  OpParamDef& Scalar() { return Refuse("Scalar"); }
  OpParamDef& ScalarList() { return Refuse("ScalarList"); }
  template <class T>
  OpParamDef& To(T) {
    return Refuse("To");
  }

  const ParamDescription& said() const { return said_; }

 private:
  OpParamDef& Refuse(const char* what);

  ParamDescription said_;
};

// An attribute. One without a default value is what its AttrType says; one with a default is optional.
class PYPTO_TWIN_API OpAttrDef {
 public:
  OpAttrDef(const char* name, Place at);
  OpAttrDef(const OpAttrDef&);
  OpAttrDef& operator=(const OpAttrDef&);
  ~OpAttrDef();

  OpAttrDef& AttrType(Option type);
  OpAttrDef& Bool();
  OpAttrDef& Bool(bool otherwise);
  OpAttrDef& Int();
  OpAttrDef& Int(int64_t otherwise);
  OpAttrDef& Float();
  OpAttrDef& Float(float otherwise);
  OpAttrDef& String();
  OpAttrDef& String(const char* otherwise);
  OpAttrDef& ListBool();
  OpAttrDef& ListBool(std::vector<bool> otherwise);
  OpAttrDef& ListInt();
  OpAttrDef& ListInt(std::vector<int64_t> otherwise);
  OpAttrDef& ListFloat();
  OpAttrDef& ListFloat(const std::vector<float>& otherwise);
  OpAttrDef& ListString();
  OpAttrDef& ListString(std::vector<std::string> otherwise);
  OpAttrDef& ListListInt();
  OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> otherwise);
  OpAttrDef& Version(uint32_t) { return *this; }
  template <class... Text>
  OpAttrDef& Comment(Text&&...) {
    return *this;
  }

  const AttrDescription& said() const { return said_; }

 private:
  AttrDescription said_;
};

// What an operator is on one SoC: what differs there of its parameters and attributes, and flags. `deque` keeps the
// references that builders return.
class PYPTO_TWIN_API OpAICoreConfig {
 public:
  OpAICoreConfig();
  explicit OpAICoreConfig(const char* soc);
  OpAICoreConfig(const OpAICoreConfig&);
  OpAICoreConfig& operator=(const OpAICoreConfig&);
  ~OpAICoreConfig();

  OpParamDef& Input(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  OpParamDef& Output(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  OpAttrDef& Attr(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  OpAICoreConfig& DynamicCompileStaticFlag(bool flag) { return Flag("dynamicCompileStatic.flag", flag); }
  OpAICoreConfig& DynamicFormatFlag(bool flag) { return Flag("dynamicFormat.flag", flag); }
  OpAICoreConfig& DynamicRankSupportFlag(bool flag) { return Flag("dynamicRankSupport.flag", flag); }
  OpAICoreConfig& DynamicShapeSupportFlag(bool flag) { return Flag("dynamicShapeSupport.flag", flag); }
  OpAICoreConfig& NeedCheckSupportFlag(bool flag) { return Flag("needCheckSupport.flag", flag); }
  OpAICoreConfig& PrecisionReduceFlag(bool flag) { return Flag("precision_reduce.flag", flag); }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value);

  SocDescription Said(const char* soc, Place at) const;

 private:
  OpAICoreConfig& Flag(const char* key, bool flag);

  std::string soc_;
  std::deque<OpParamDef> inputs_;
  std::deque<OpParamDef> outputs_;
  std::deque<OpAttrDef> attrs_;
  std::map<std::string, std::string> flags_;
  std::map<std::string, std::string> extended_;
};

// The operator on AI Cores. Functions given here register nothing: IMPL_OP_OPTILING does that in the host library.
class PYPTO_TWIN_API OpAICoreDef {
 public:
  OpAICoreDef();
  OpAICoreDef(const OpAICoreDef&);
  OpAICoreDef& operator=(const OpAICoreDef&);
  ~OpAICoreDef();

  OpAICoreDef& SetTiling(ge::graphStatus (*)(gert::TilingContext*)) { return *this; }
  template <class Function>
  OpAICoreDef& SetCheckSupport(Function) {
    return *this;
  }
  template <class Function>
  OpAICoreDef& SetOpSelectFormat(Function) {
    return *this;
  }
  OpAICoreDef& AddConfig(const char* soc, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config, const char* file = __builtin_FILE(),
                         int line = __builtin_LINE());

  const std::vector<SocDescription>& said() const { return configs_; }

 private:
  std::vector<SocDescription> configs_;
};

class PYPTO_TWIN_API OpDef {
 public:
  explicit OpDef(const char* type);
  OpDef(const OpDef&);
  OpDef& operator=(const OpDef&);
  ~OpDef();

  OpParamDef& Input(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  OpParamDef& Output(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  OpAttrDef& Attr(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  OpAICoreDef& AICore() { return aicore_; }
  OpDef& SetInferShape(ge::graphStatus (*)(gert::InferShapeContext*)) { return *this; }
  OpDef& SetInferDataType(ge::graphStatus (*)(gert::InferDataTypeContext*)) { return *this; }
  template <class Function>
  OpDef& SetInferShapeRange(Function) {
    return *this;
  }
  OpDef& EnableFallBack() {
    fallback_ = true;
    return *this;
  }
  template <class... Text>
  OpDef& Comment(Text&&...) {
    return *this;
  }
  OpDef& FormatMatchMode(FormatCheckOption) { return *this; }

  OpDescription Said(Place at) const;

 private:
  std::string type_;
  std::deque<OpParamDef> inputs_;
  std::deque<OpParamDef> outputs_;
  std::deque<OpAttrDef> attrs_;
  OpAICoreDef aicore_;
  bool fallback_ = false;
};

// What OP_ADD does.
PYPTO_TWIN_API void Define(const OpDef& op, Place at);

}  // namespace ops

#endif  // PYPTO_TWIN_REGISTER_OP_DEF_H_
