// The OpDef of an operator: inputs, outputs, attributes, and what it is on each SoC. Every call notes the line it is on.
#ifndef PYPTO_TWIN_REGISTER_OP_DEF_H_
#define PYPTO_TWIN_REGISTER_OP_DEF_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
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
class OpParamDef {
 public:
  OpParamDef(const char* name, Place at) {
    said_.name = name;
    said_.at = at;
  }

  OpParamDef& ParamType(Option type) {
    static constexpr const char* kNames[] = {"ignore", "optional", "required", "dynamic", "virtual"};
    said_.param_type = kNames[type];
    return *this;
  }
  OpParamDef& DataType(std::vector<ge::DataType> dtypes) { return Set(said_.dtypes, std::move(dtypes)); }
  OpParamDef& DataTypeList(std::vector<ge::DataType> dtypes) { return Set(said_.dtype_list, std::move(dtypes)); }
  OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType> dtypes) {
    return Set(said_.bin_query_dtypes, std::move(dtypes));
  }
  OpParamDef& Format(std::vector<ge::Format> formats) { return Set(said_.formats, std::move(formats)); }
  OpParamDef& FormatList(std::vector<ge::Format> formats) { return Set(said_.format_list, std::move(formats)); }
  OpParamDef& FormatForBinQuery(std::vector<ge::Format> formats) {
    return Set(said_.bin_query_formats, std::move(formats));
  }
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format> formats) {
    return Set(said_.unknown_shape_formats, std::move(formats));
  }
  OpParamDef& ValueDepend(Option depend, DependScope = DependScope::ALL) {
    said_.value_depend = depend == REQUIRED ? "required" : "optional";
    return *this;
  }
  OpParamDef& Follow(const char* param) {
    said_.follows = param;
    return *this;
  }
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
  template <class T>
  OpParamDef& Set(T& target, T value) {
    target = std::move(value);
    return *this;
  }
  OpParamDef& Refuse(const char* what) {
    said_.unsupported.push_back(what);
    return *this;
  }

  ParamDescription said_;
};

// An attribute. One without a default value is what its AttrType says; one with a default is optional.
class OpAttrDef {
 public:
  OpAttrDef(const char* name, Place at) {
    said_.name = name;
    said_.at = at;
  }

  OpAttrDef& AttrType(Option type) {
    said_.required = type == REQUIRED;
    return *this;
  }
  OpAttrDef& Bool() { return Typed("bool"); }
  OpAttrDef& Bool(bool otherwise) { return Typed("bool", otherwise); }
  OpAttrDef& Int() { return Typed("int"); }
  OpAttrDef& Int(int64_t otherwise) { return Typed("int", otherwise); }
  OpAttrDef& Float() { return Typed("float"); }
  OpAttrDef& Float(float otherwise) { return Typed("float", static_cast<double>(otherwise)); }
  OpAttrDef& String() { return Typed("str"); }
  OpAttrDef& String(const char* otherwise) { return Typed("str", std::string(otherwise)); }
  OpAttrDef& ListBool() { return Typed("list_bool"); }
  OpAttrDef& ListBool(std::vector<bool> otherwise) { return Typed("list_bool", std::move(otherwise)); }
  OpAttrDef& ListInt() { return Typed("list_int"); }
  OpAttrDef& ListInt(std::vector<int64_t> otherwise) { return Typed("list_int", std::move(otherwise)); }
  OpAttrDef& ListFloat() { return Typed("list_float"); }
  OpAttrDef& ListFloat(const std::vector<float>& otherwise) {
    return Typed("list_float", std::vector<double>(otherwise.begin(), otherwise.end()));
  }
  OpAttrDef& ListString() { return Typed("list_str"); }
  OpAttrDef& ListString(std::vector<std::string> otherwise) { return Typed("list_str", std::move(otherwise)); }
  OpAttrDef& ListListInt() { return Typed("list_list_int"); }
  OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> otherwise) {
    return Typed("list_list_int", std::move(otherwise));
  }
  OpAttrDef& Version(uint32_t) { return *this; }
  template <class... Text>
  OpAttrDef& Comment(Text&&...) {
    return *this;
  }

  const AttrDescription& said() const { return said_; }

 private:
  OpAttrDef& Typed(const char* type, pypto_twin::host::AttrDefault otherwise = {}) {
    said_.type = type;
    said_.otherwise = std::move(otherwise);
    return *this;
  }

  AttrDescription said_;
};

// Parameters or attributes in the order of their first mention; `deque` keeps the references that builders return.
template <class Definition>
class Definitions {
 public:
  Definition& Get(const char* name, Place at) {
    for (Definition& definition : items_) {
      if (definition.said().name == name) return definition;
    }
    return items_.emplace_back(name, at);
  }
  template <class Description>
  std::vector<Description> Said() const {
    std::vector<Description> said;
    for (const Definition& definition : items_) said.push_back(definition.said());
    return said;
  }

 private:
  std::deque<Definition> items_;
};

// What an operator is on one SoC; parameters and attributes named here stand in place of the operator's own.
class OpAICoreConfig {
 public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char* soc) : soc_(soc) {}

  OpParamDef& Input(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return inputs_.Get(name, {file, line});
  }
  OpParamDef& Output(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return outputs_.Get(name, {file, line});
  }
  OpAttrDef& Attr(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return attrs_.Get(name, {file, line});
  }
  OpAICoreConfig& DynamicCompileStaticFlag(bool flag) { return Flag("dynamicCompileStatic.flag", flag); }
  OpAICoreConfig& DynamicFormatFlag(bool flag) { return Flag("dynamicFormat.flag", flag); }
  OpAICoreConfig& DynamicRankSupportFlag(bool flag) { return Flag("dynamicRankSupport.flag", flag); }
  OpAICoreConfig& DynamicShapeSupportFlag(bool flag) { return Flag("dynamicShapeSupport.flag", flag); }
  OpAICoreConfig& NeedCheckSupportFlag(bool flag) { return Flag("needCheckSupport.flag", flag); }
  OpAICoreConfig& PrecisionReduceFlag(bool flag) { return Flag("precision_reduce.flag", flag); }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
    extended_[key] = value;
    return *this;
  }

  SocDescription Said(const char* soc, Place at) const {
    SocDescription said;
    said.soc = soc;
    said.at = at;
    said.inputs = inputs_.Said<ParamDescription>();
    said.outputs = outputs_.Said<ParamDescription>();
    said.attrs = attrs_.Said<AttrDescription>();
    said.flags = flags_;
    said.extended = extended_;
    return said;
  }

 private:
  OpAICoreConfig& Flag(const char* key, bool flag) {
    flags_[key] = flag ? "true" : "false";
    return *this;
  }

  std::string soc_;
  Definitions<OpParamDef> inputs_;
  Definitions<OpParamDef> outputs_;
  Definitions<OpAttrDef> attrs_;
  std::map<std::string, std::string> flags_;
  std::map<std::string, std::string> extended_;
};

// The operator on AI Cores. Functions given here register nothing: IMPL_OP_OPTILING does that in the host library.
class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(ge::graphStatus (*)(gert::TilingContext*)) { return *this; }
  template <class Function>
  OpAICoreDef& SetCheckSupport(Function) {
    return *this;
  }
  template <class Function>
  OpAICoreDef& SetOpSelectFormat(Function) {
    return *this;
  }
  OpAICoreDef& AddConfig(const char* soc, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    // What CANN assumes when nothing is said.
    OpAICoreConfig config(soc);
    config.DynamicCompileStaticFlag(true)
        .DynamicFormatFlag(true)
        .DynamicRankSupportFlag(true)
        .DynamicShapeSupportFlag(true)
        .NeedCheckSupportFlag(false)
        .PrecisionReduceFlag(true);
    return AddConfig(soc, config, file, line);
  }
  OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config, const char* file = __builtin_FILE(),
                         int line = __builtin_LINE()) {
    configs_.push_back(config.Said(soc, {file, line}));
    return *this;
  }

  const std::vector<SocDescription>& said() const { return configs_; }

 private:
  std::vector<SocDescription> configs_;
};

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}

  OpParamDef& Input(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return inputs_.Get(name, {file, line});
  }
  OpParamDef& Output(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return outputs_.Get(name, {file, line});
  }
  OpAttrDef& Attr(const char* name, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return attrs_.Get(name, {file, line});
  }
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

  OpDescription Said(Place at) const {
    OpDescription said;
    said.op_type = type_;
    said.at = at;
    said.inputs = inputs_.Said<ParamDescription>();
    said.outputs = outputs_.Said<ParamDescription>();
    said.attrs = attrs_.Said<AttrDescription>();
    said.socs = aicore_.said();
    said.fallback = fallback_;
    return said;
  }

 private:
  std::string type_;
  Definitions<OpParamDef> inputs_;
  Definitions<OpParamDef> outputs_;
  Definitions<OpAttrDef> attrs_;
  OpAICoreDef aicore_;
  bool fallback_ = false;
};

}  // namespace ops

#endif  // PYPTO_TWIN_REGISTER_OP_DEF_H_
