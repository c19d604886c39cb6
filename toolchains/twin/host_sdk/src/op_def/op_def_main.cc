// op_def_dump --library LIB.so --out RAW.json: loads the library of a `_def.cpp` and writes what it defines, unchecked.
// Exit status: 0 done, 1 it cannot be loaded or written, 2 a wrong command line.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "pypto_twin/host/names.h"
#include "pypto_twin/host/op_description.h"

namespace {

using nlohmann::json;
using namespace pypto_twin::host;  // NOLINT: a program of one file

json NamesOf(const std::vector<ge::DataType>& dtypes) {
  json names = json::array();
  for (const ge::DataType dtype : dtypes) names.push_back(DtypeName(dtype));
  return names;
}

json NamesOf(const std::vector<ge::Format>& formats) {
  json names = json::array();
  for (const ge::Format format : formats) names.push_back(FormatName(format));
  return names;
}

std::string TextOf(const Place& place) { return std::string(place.file) + ":" + std::to_string(place.line); }

json DataOf(const ParamDescription& param) {
  return {{"name", param.name},
          {"at", TextOf(param.at)},
          {"param_type", param.param_type},
          {"dtypes", NamesOf(param.dtypes)},
          {"dtype_list", NamesOf(param.dtype_list)},
          {"bin_query_dtypes", NamesOf(param.bin_query_dtypes)},
          {"formats", NamesOf(param.formats)},
          {"format_list", NamesOf(param.format_list)},
          {"bin_query_formats", NamesOf(param.bin_query_formats)},
          {"unknown_shape_formats", NamesOf(param.unknown_shape_formats)},
          {"value_depend", param.value_depend},
          {"follows", param.follows},
          {"auto_contiguous", param.auto_contiguous},
          {"ignore_contiguous", param.ignore_contiguous},
          {"shape_depends_on_compute", param.shape_depends_on_compute},
          {"init_value", param.init_value ? json(*param.init_value) : json()},
          {"unsupported", param.unsupported}};
}

json DataOf(const AttrDescription& attr) {
  const json otherwise = std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) return json();
        else return json(value);
      },
      attr.otherwise);
  return {{"name", attr.name}, {"at", TextOf(attr.at)}, {"type", attr.type},
          {"required", attr.required}, {"default", otherwise}};
}

json DataOf(const SocDescription& soc);
json DataOf(const OpDescription& op);

template <class Description>
json ListOf(const std::vector<Description>& descriptions) {
  json list = json::array();
  for (const Description& description : descriptions) list.push_back(DataOf(description));
  return list;
}

json DataOf(const SocDescription& soc) {
  return {{"soc", soc.soc},
          {"at", TextOf(soc.at)},
          {"inputs", ListOf(soc.inputs)},
          {"outputs", ListOf(soc.outputs)},
          {"attrs", ListOf(soc.attrs)},
          {"flags", soc.flags},
          {"extended", soc.extended}};
}

json DataOf(const OpDescription& op) {
  return {{"op_type", op.op_type},
          {"at", TextOf(op.at)},
          {"inputs", ListOf(op.inputs)},
          {"outputs", ListOf(op.outputs)},
          {"attrs", ListOf(op.attrs)},
          {"socs", ListOf(op.socs)},
          {"fallback", op.fallback}};
}

int Fail(const char* text) {
  std::fprintf(stderr, "%s\n", text);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 || std::strcmp(argv[1], "--library") != 0 || std::strcmp(argv[3], "--out") != 0) {
    std::fprintf(stderr, "usage: op_def_dump --library LIB.so --out RAW.json\n");
    return 2;
  }
  const std::string library = std::strchr(argv[2], '/') != nullptr ? argv[2] : std::string("./") + argv[2];
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) return Fail(dlerror());
  std::ofstream out(argv[4]);
  out << json{{"ops", ListOf(RegisteredOpDescriptions())}}.dump(1) << "\n";
  out.close();
  return out ? 0 : Fail("cannot write the output");
}
