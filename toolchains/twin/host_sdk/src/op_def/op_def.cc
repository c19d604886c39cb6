#include "register/op_def.h"

#include <utility>

namespace ops {
namespace {

// The definition of a name, made when it is mentioned first.
template <class Definition>
Definition& Get(std::deque<Definition>& definitions, const char* name, Place at) {
  for (Definition& definition : definitions) {
    if (definition.said().name == name) return definition;
  }
  return definitions.emplace_back(name, at);
}

template <class Description, class Definition>
std::vector<Description> AllSaid(const std::deque<Definition>& definitions) {
  std::vector<Description> said;
  for (const Definition& definition : definitions) said.push_back(definition.said());
  return said;
}

}  // namespace

OpParamDef::OpParamDef(const char* name, Place at) {
  said_.name = name;
  said_.at = at;
}
OpParamDef::OpParamDef(const OpParamDef&) = default;
OpParamDef& OpParamDef::operator=(const OpParamDef&) = default;
OpParamDef::~OpParamDef() = default;

OpParamDef& OpParamDef::ParamType(Option type) {
  static constexpr const char* kNames[] = {"ignore", "optional", "required", "dynamic", "virtual"};
  said_.param_type = kNames[type];
  return *this;
}
OpParamDef& OpParamDef::DataType(std::vector<ge::DataType> dtypes) {
  said_.dtypes = std::move(dtypes);
  return *this;
}
OpParamDef& OpParamDef::DataTypeList(std::vector<ge::DataType> dtypes) {
  said_.dtype_list = std::move(dtypes);
  return *this;
}
OpParamDef& OpParamDef::DataTypeForBinQuery(std::vector<ge::DataType> dtypes) {
  said_.bin_query_dtypes = std::move(dtypes);
  return *this;
}
OpParamDef& OpParamDef::Format(std::vector<ge::Format> formats) {
  said_.formats = std::move(formats);
  return *this;
}
OpParamDef& OpParamDef::FormatList(std::vector<ge::Format> formats) {
  said_.format_list = std::move(formats);
  return *this;
}
OpParamDef& OpParamDef::FormatForBinQuery(std::vector<ge::Format> formats) {
  said_.bin_query_formats = std::move(formats);
  return *this;
}
OpParamDef& OpParamDef::UnknownShapeFormat(std::vector<ge::Format> formats) {
  said_.unknown_shape_formats = std::move(formats);
  return *this;
}
OpParamDef& OpParamDef::ValueDepend(Option depend, DependScope) {
  said_.value_depend = depend == REQUIRED ? "required" : "optional";
  return *this;
}
OpParamDef& OpParamDef::Follow(const char* param) {
  said_.follows = param;
  return *this;
}
OpParamDef& OpParamDef::Refuse(const char* what) {
  said_.unsupported.push_back(what);
  return *this;
}

namespace {

OpAttrDef& Typed(OpAttrDef& attr, AttrDescription& said, const char* type, pypto_twin::host::AttrDefault otherwise = {}) {
  said.type = type;
  said.otherwise = std::move(otherwise);
  return attr;
}

}  // namespace

OpAttrDef::OpAttrDef(const char* name, Place at) {
  said_.name = name;
  said_.at = at;
}
OpAttrDef::OpAttrDef(const OpAttrDef&) = default;
OpAttrDef& OpAttrDef::operator=(const OpAttrDef&) = default;
OpAttrDef::~OpAttrDef() = default;

OpAttrDef& OpAttrDef::AttrType(Option type) {
  said_.required = type == REQUIRED;
  return *this;
}
OpAttrDef& OpAttrDef::Bool() { return Typed(*this, said_, "bool"); }
OpAttrDef& OpAttrDef::Bool(bool otherwise) { return Typed(*this, said_, "bool", otherwise); }
OpAttrDef& OpAttrDef::Int() { return Typed(*this, said_, "int"); }
OpAttrDef& OpAttrDef::Int(int64_t otherwise) { return Typed(*this, said_, "int", otherwise); }
OpAttrDef& OpAttrDef::Float() { return Typed(*this, said_, "float"); }
OpAttrDef& OpAttrDef::Float(float otherwise) { return Typed(*this, said_, "float", static_cast<double>(otherwise)); }
OpAttrDef& OpAttrDef::String() { return Typed(*this, said_, "str"); }
OpAttrDef& OpAttrDef::String(const char* otherwise) { return Typed(*this, said_, "str", std::string(otherwise)); }
OpAttrDef& OpAttrDef::ListBool() { return Typed(*this, said_, "list_bool"); }
OpAttrDef& OpAttrDef::ListBool(std::vector<bool> otherwise) {
  return Typed(*this, said_, "list_bool", std::move(otherwise));
}
OpAttrDef& OpAttrDef::ListInt() { return Typed(*this, said_, "list_int"); }
OpAttrDef& OpAttrDef::ListInt(std::vector<int64_t> otherwise) {
  return Typed(*this, said_, "list_int", std::move(otherwise));
}
OpAttrDef& OpAttrDef::ListFloat() { return Typed(*this, said_, "list_float"); }
OpAttrDef& OpAttrDef::ListFloat(const std::vector<float>& otherwise) {
  return Typed(*this, said_, "list_float", std::vector<double>(otherwise.begin(), otherwise.end()));
}
OpAttrDef& OpAttrDef::ListString() { return Typed(*this, said_, "list_str"); }
OpAttrDef& OpAttrDef::ListString(std::vector<std::string> otherwise) {
  return Typed(*this, said_, "list_str", std::move(otherwise));
}
OpAttrDef& OpAttrDef::ListListInt() { return Typed(*this, said_, "list_list_int"); }
OpAttrDef& OpAttrDef::ListListInt(std::vector<std::vector<int64_t>> otherwise) {
  return Typed(*this, said_, "list_list_int", std::move(otherwise));
}

OpAICoreConfig::OpAICoreConfig() = default;
OpAICoreConfig::OpAICoreConfig(const char* soc) : soc_(soc) {}
OpAICoreConfig::OpAICoreConfig(const OpAICoreConfig&) = default;
OpAICoreConfig& OpAICoreConfig::operator=(const OpAICoreConfig&) = default;
OpAICoreConfig::~OpAICoreConfig() = default;

OpParamDef& OpAICoreConfig::Input(const char* name, const char* file, int line) {
  return Get(inputs_, name, {file, line});
}
OpParamDef& OpAICoreConfig::Output(const char* name, const char* file, int line) {
  return Get(outputs_, name, {file, line});
}
OpAttrDef& OpAICoreConfig::Attr(const char* name, const char* file, int line) {
  return Get(attrs_, name, {file, line});
}
OpAICoreConfig& OpAICoreConfig::ExtendCfgInfo(const char* key, const char* value) {
  extended_[key] = value;
  return *this;
}
OpAICoreConfig& OpAICoreConfig::Flag(const char* key, bool flag) {
  flags_[key] = flag ? "true" : "false";
  return *this;
}
SocDescription OpAICoreConfig::Said(const char* soc, Place at) const {
  SocDescription said;
  said.soc = soc;
  said.at = at;
  said.inputs = AllSaid<ParamDescription>(inputs_);
  said.outputs = AllSaid<ParamDescription>(outputs_);
  said.attrs = AllSaid<AttrDescription>(attrs_);
  said.flags = flags_;
  said.extended = extended_;
  return said;
}

OpAICoreDef::OpAICoreDef() = default;
OpAICoreDef::OpAICoreDef(const OpAICoreDef&) = default;
OpAICoreDef& OpAICoreDef::operator=(const OpAICoreDef&) = default;
OpAICoreDef::~OpAICoreDef() = default;

OpAICoreDef& OpAICoreDef::AddConfig(const char* soc, const char* file, int line) {
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
OpAICoreDef& OpAICoreDef::AddConfig(const char* soc, const OpAICoreConfig& config, const char* file, int line) {
  configs_.push_back(config.Said(soc, {file, line}));
  return *this;
}

OpDef::OpDef(const char* type) : type_(type) {}
OpDef::OpDef(const OpDef&) = default;
OpDef& OpDef::operator=(const OpDef&) = default;
OpDef::~OpDef() = default;

OpParamDef& OpDef::Input(const char* name, const char* file, int line) { return Get(inputs_, name, {file, line}); }
OpParamDef& OpDef::Output(const char* name, const char* file, int line) { return Get(outputs_, name, {file, line}); }
OpAttrDef& OpDef::Attr(const char* name, const char* file, int line) { return Get(attrs_, name, {file, line}); }
OpDescription OpDef::Said(Place at) const {
  OpDescription said;
  said.op_type = type_;
  said.at = at;
  said.inputs = AllSaid<ParamDescription>(inputs_);
  said.outputs = AllSaid<ParamDescription>(outputs_);
  said.attrs = AllSaid<AttrDescription>(attrs_);
  said.socs = aicore_.said();
  said.fallback = fallback_;
  return said;
}

void Define(const OpDef& op, Place at) { pypto_twin::host::RegisterOpDescription(op.Said(at)); }

}  // namespace ops
