// aic-<soc>-ops-info.ini: a section an operator (cann-flow, section 3.4).
#ifndef STANDIN_OPS_INFO_H_
#define STANDIN_OPS_INFO_H_

#include <string>

#include "columns.h"
#include "pypto_twin/host/names.h"
#include "text.h"

namespace standin {

using namespace pypto_twin::host;  // NOLINT: a program

inline std::string DtypeText(const std::vector<ge::DataType>& dtypes) {
  std::vector<std::string> names;
  for (const auto dtype : dtypes) names.push_back(dtype == ge::DT_FLOAT ? "float32" : DtypeName(dtype));
  return Joined(names, ",");
}

inline std::string FormatText(const std::vector<ge::Format>& formats) {
  std::vector<std::string> names;
  for (const auto format : formats) names.push_back(FormatName(format));
  return Joined(names, ",");
}

inline std::string ParamLines(const std::string& group, const ParamDescription& param) {
  std::ostringstream out;
  const auto line = [&](const char* key, const std::string& value) {
    if (!value.empty()) out << group << "." << key << "=" << value << "\n";
  };
  line("name", param.name);
  line("dtype", DtypeText(param.dtypes));
  line("for_bin_dtype", DtypeText(param.bin_query_dtypes));
  line("format", FormatText(param.formats));
  line("for_bin_format", FormatText(param.bin_query_formats));
  line("unknownshape_format", FormatText(param.unknown_shape_formats));
  line("shape", "all");
  line("paramType", param.param_type == "virtual" ? "optional" : param.param_type);
  line("virtual", param.param_type == "virtual" ? "true" : "");
  line("valueDepend", param.value_depend);
  if (param.init_value) out << group << ".initValue=" << static_cast<uint64_t>(*param.init_value) << "\n";
  line("outputShapeDependOnCompute", param.shape_depends_on_compute ? "true" : "");
  return out.str();
}

// A default value; floats as C++ streams print them.
struct Value {
  std::string operator()(std::monostate) const { return "[]"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return (std::ostringstream() << static_cast<float>(value)).str(); }
  std::string operator()(const std::string& value) const { return value; }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    std::vector<std::string> texts;
    for (const T& value : values) {
      if constexpr (std::is_same_v<T, std::string>) texts.push_back("\"" + value + "\"");
      else texts.push_back((*this)(value));
    }
    return "[" + Joined(texts, ",") + "]";
  }
};

inline std::string AttrLines(const std::vector<AttrDescription>& attrs) {
  std::ostringstream out;
  std::vector<std::string> names;
  for (const auto& attr : attrs) names.push_back(attr.name);
  if (!names.empty()) out << "attr.list=" << Joined(names, ",") << "\n";
  for (const auto& attr : attrs) {
    std::string type = attr.type;  // list_list_int → listListInt
    for (size_t at; (at = type.find('_')) != std::string::npos;) {
      type = type.substr(0, at) + static_cast<char>(std::toupper(type[at + 1])) + type.substr(at + 2);
    }
    const std::string group = "attr_" + attr.name;
    out << group << ".type=" << type << "\n" << group << ".value=all\n";
    out << group << ".paramType=" << (attr.required ? "required" : "optional") << "\n";
    if (!attr.required) out << group << ".defaultValue=" << std::visit(Value(), attr.otherwise) << "\n";
  }
  return out.str();
}

inline std::string Section(const OpDescription& op, const SocDescription& soc) {
  Params inputs = Merged(op.inputs, soc.inputs), outputs = Merged(op.outputs, soc.outputs);
  std::vector<ParamDescription*> params;
  for (auto* side : {&inputs, &outputs}) {
    for (auto& param : *side) params.push_back(&param);
  }
  Expand(params);
  std::string text = "[" + op.op_type + "]\n";
  for (size_t i = 0; i < inputs.size(); ++i) text += ParamLines("input" + std::to_string(i), inputs[i]);
  for (size_t i = 0; i < outputs.size(); ++i) text += ParamLines("output" + std::to_string(i), outputs[i]);
  text += AttrLines(op.attrs);
  std::map<std::string, std::string> extended = soc.extended;
  extended.insert({"prebuildPattern.value", "Opaque"});
  extended.insert({"coreType.value", "AiCore"});
  if (op.fallback) extended.insert({"aclnnSupport.value", "support_aclnn"});
  extended.insert({"opFile.value", SnakeCase(op.op_type)});
  extended.insert({"opInterface.value", SnakeCase(op.op_type)});
  for (const auto& entries : {soc.flags, extended}) {
    for (const auto& [key, value] : entries) text += key + "=" + value + "\n";
  }
  return text;
}

}  // namespace standin

#endif  // STANDIN_OPS_INFO_H_
