#include "executor/packages.h"

#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "executor/json_file.h"

namespace pypto_twin {
namespace host {
namespace {

constexpr const char* kKernels = "/op_impl/ai_core/tbe/kernel/";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text.empty() ? "none" : text;
}

Package Open(const std::string& directory, const std::string& named_by) {
  const std::string manifest = directory + "/manifest.json";
  if (!FileExists(manifest)) {
    throw CallError(ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND,
                    named_by + " names '" + directory +
                        "', which holds no package of these rules (there is no manifest.json); name the directory "
                        "vendors/<vendor> of an installed package");
  }
  return FromJson(manifest, [&](const nlohmann::json& data) {
    return Package{directory, data.at("backend").get<std::string>(), data.at("socs").get<std::vector<std::string>>()};
  });
}

// The vendors of config.ini, in its order.
std::vector<std::string> ConfiguredVendors(const std::string& vendors) {
  std::ifstream file(vendors + "/config.ini");
  const std::string key = "load_priority=";
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) == 0) return Split(line.substr(key.size()), ',');
  }
  return {};
}

std::string Machine() {
  utsname name = {};
  uname(&name);
  return name.machine;
}

std::string IfThere(const std::string& path) { return FileExists(path) ? path : ""; }

std::vector<BinaryEntry> BinariesOf(const nlohmann::json& op, const std::string& kernels) {
  std::vector<BinaryEntry> binaries;
  for (const nlohmann::json& binary : op.at("binaryList")) {
    binaries.push_back({binary.value("simplifiedKey", std::vector<std::string>()),
                        kernels + binary.at("jsonPath").get<std::string>(),
                        kernels + binary.at("binPath").get<std::string>()});
  }
  return binaries;
}

void CheckBackend(const Package& package) {
  if (package.backend == "twin") return;
  throw CallError(ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND,
                  "the package in " + package.directory + " is of the backend '" + package.backend +
                      "', and this is the run time of the CPU twin; build the package with the twin");
}

}  // namespace

std::vector<Package> FindPackages() {
  std::vector<Package> packages;
  for (const std::string& entry : Split(Variable("ASCEND_CUSTOM_OPP_PATH"), ':')) {
    packages.push_back(Open(entry, "ASCEND_CUSTOM_OPP_PATH"));
  }
  const std::string opp = Variable("ASCEND_OPP_PATH");
  if (!opp.empty()) {
    for (const std::string& vendor : ConfiguredVendors(opp + "/vendors")) {
      const std::string directory = opp + "/vendors/" + vendor;
      // Packages of CANN's own tools may be installed there, too; they have no manifest, and no kernels for us.
      if (FileExists(directory + "/manifest.json")) packages.push_back(Open(directory, "vendors/config.ini"));
    }
  }
  if (packages.empty()) {
    throw CallError(ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND,
                    "no operator package is installed: ASCEND_CUSTOM_OPP_PATH is '" +
                        Variable("ASCEND_CUSTOM_OPP_PATH") + "', ASCEND_OPP_PATH is '" + opp +
                        "'; source <package>/bin/set_env.bash, or set ASCEND_CUSTOM_OPP_PATH to a vendor directory");
  }
  return packages;
}

std::string SocOfProcess() {
  const std::string given = Variable("PYPTO_TWIN_SOC");
  if (!given.empty()) return given;
  const Package first = FindPackages().front();
  if (first.socs.empty()) RefuseJson(first.directory + "/manifest.json", "it names no SoC");
  return first.socs.front();
}

PackagedOp FindOperator(const std::string& op_type, const std::string& soc) {
  std::string looked;
  for (const Package& package : FindPackages()) {
    const std::string kernels = package.directory + kKernels;
    const std::string config = kernels + "config/" + soc + "/binary_info_config.json";
    if (!FileExists(config)) {
      looked += "; " + package.directory + " is for " + Joined(package.socs);
      continue;
    }
    const nlohmann::json data = ReadJson(config);
    if (!data.contains(op_type)) {
      std::vector<std::string> names;
      for (const auto& item : data.items()) names.push_back(item.key());
      looked += "; " + package.directory + " has " + Joined(names);
      continue;
    }
    CheckBackend(package);
    PackagedOp op;
    op.package = package;
    op.binaries = FromJson(config, [&](const nlohmann::json& all) { return BinariesOf(all.at(op_type), kernels); });
    op.tiling_library = IfThere(package.directory + "/op_impl/ai_core/tbe/op_tiling/liboptiling.so");
    op.proto_library =
        IfThere(package.directory + "/op_proto/lib/linux/" + Machine() + "/libcust_opsproto_rt2.0.so");
    return op;
  }
  throw CallError(ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND,
                  "no installed package has a kernel of " + op_type + " for " + soc + looked +
                      "; build one with --config=" + soc + ", or choose another SoC with PYPTO_TWIN_SOC");
}

}  // namespace host
}  // namespace pypto_twin
