// <project>_<op>.{h,cpp}, the aclnn interface (cann-flow, section 8.1), and <op>_proto.{h,cpp}, the prototype.
#ifndef STANDIN_INTERFACES_H_
#define STANDIN_INTERFACES_H_

#include "ops_info.h"

namespace standin {

struct Argument {
  std::string type, name, call;  // call: what hands it to the executor
};

inline std::vector<Argument> Arguments(const OpDescription& op) {
  static const std::map<std::string, std::string> kTypes = {
      {"int", "int64_t "}, {"float", "double "}, {"bool", "bool "}, {"str", "char *"},
      {"list_int", "const aclIntArray *"}, {"list_float", "const aclFloatArray *"}, {"list_bool", "const aclBoolArray *"}};
  std::vector<Argument> arguments;
  const auto tensors = [&](const Params& params, const char* side, const char* end) {
    for (size_t i = 0; i < params.size(); ++i) {
      const bool dynamic = params[i].param_type == "dynamic";
      const std::string name = params[i].name + (params[i].param_type == "optional" ? "Optional" : "") + end;
      const std::string function = std::string("NnopbaseAdd") + (dynamic ? "Dynamic" : "") + side;
      arguments.push_back({dynamic ? "const aclTensorList *" : "const aclTensor *", name,
                           function + "(space, " + name + ", " + std::to_string(i) + ")"});
    }
  };
  tensors(op.inputs, "Input", "");
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    const AttrDescription& attr = op.attrs[i];
    const std::string& type = kTypes.at(attr.type);
    const bool pointer = type.back() == '*';
    const std::string name = attr.name + (pointer && !attr.required ? "Optional" : "");
    arguments.push_back({type, name, "NnopbaseAddAttr(space, " + std::string(pointer ? "" : "&") + name + ", " +
                                         std::to_string(i) + ")"});
  }
  tensors(op.outputs, "Output", "Out");
  return arguments;
}

inline void WriteAclnn(const OpDescription& op, const std::string& project) {
  const std::string stem = project + "_" + SnakeCase(op.op_type), api = project + op.op_type;
  std::vector<std::string> parameters, calls;
  for (const Argument& argument : Arguments(op)) {
    parameters.push_back("    " + argument.type + argument.name);
    calls.push_back("    if (status == 0) status = " + argument.call + ";\n");
  }
  parameters.insert(parameters.end(), {"    uint64_t *workspaceSize", "    aclOpExecutor **executor"});
  const std::string one = "aclnnStatus " + api + "GetWorkspaceSize(\n" + Joined(parameters, ",\n") + ")";
  const std::string two = "aclnnStatus " + api + "(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)";
  const std::string shown = "__attribute__((visibility(\"default\")))\n";
  Write(stem + ".h", "#pragma once\n#include \"aclnn/acl_meta.h\"\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + shown + one + ";\n" +
                         shown + two + ";\n#ifdef __cplusplus\n}\n#endif\n");
  std::string body = "    void *space = NnopbaseGetExecutor(\"" + op.op_type + "\");\n    aclnnStatus status = space == nullptr;\n";
  body += Joined(calls, "") + "    *executor = static_cast<aclOpExecutor *>(space);\n    return status != 0 ? status : NnopbaseRunForWorkspace(space, workspaceSize);\n";
  Write(stem + ".cpp",
        "#include \"" + stem + ".h\"\n#include \"standin_nnopbase.h\"\nextern \"C\" {\n" + one + " {\n" + body + "}\n" + two +
            " {\n    return NnopbaseRunWithWorkspace(executor, stream, workspace, workspaceSize);\n}\n}\n");
}

inline void WriteProto(const OpDescription& op) {
  static const std::map<std::string, std::string> kTypes = {
      {"int", "Int"}, {"float", "Float"}, {"bool", "Bool"}, {"str", "String"}, {"list_int", "ListInt"},
      {"list_float", "ListFloat"}, {"list_bool", "ListBool"}, {"list_str", "ListString"}, {"list_list_int", "ListListInt"}};
  const std::string stem = SnakeCase(op.op_type) + "_proto";
  std::string prototype = "REG_OP(" + op.op_type + ")\n";
  std::vector<std::string> depending;
  const auto tensors = [&](const Params& params, const char* side) {
    for (const auto& param : params) {
      const char* kind = param.param_type == "dynamic" ? "DYNAMIC_" : "";
      if (param.param_type == "optional" && side[0] == 'I') kind = "OPTIONAL_";
      prototype += std::string("    .") + kind + side + "(" + param.name + ", TensorType::ALL())\n";
    }
  };
  tensors(op.inputs, "INPUT");
  tensors(op.outputs, "OUTPUT");
  for (const auto& attr : op.attrs) {
    prototype += attr.required ? "    .REQUIRED_ATTR(" + attr.name + ", " + kTypes.at(attr.type) + ")\n"
                               : "    .ATTR(" + attr.name + ", " + kTypes.at(attr.type) + ", {})\n";
  }
  prototype += "    .OP_END_FACTORY_REG(" + op.op_type + ");\n";
  Write(stem + ".h", "#ifndef STANDIN_" + stem + "\n#define STANDIN_" + stem + "\n#include \"graph/operator_reg.h\"\nnamespace ge {\n" +
                         prototype + "}\n#endif\n");
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (!op.inputs[i].value_depend.empty()) depending.push_back(std::to_string(i));
  }
  const std::string implementation =
      depending.empty() ? "" : "IMPL_OP(" + op.op_type + ").InputsDataDependency({" + Joined(depending, ", ") + "});\n";
  Write(stem + ".cpp", "#include \"" + stem + ".h\"\n#include \"register/op_impl_registry.h\"\nnamespace ge {\n" + implementation + "}\n");
}

}  // namespace standin

#endif  // STANDIN_INTERFACES_H_
