#include "executor/binary.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>

#include "executor/json_file.h"
#include "pypto_twin/host/names.h"

namespace pypto_twin {
namespace host {
namespace {

std::mutex& Mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
std::map<std::string, std::unique_ptr<Binary>>& Binaries() {
  static auto* binaries = new std::map<std::string, std::unique_ptr<Binary>>;
  return *binaries;
}

std::unique_ptr<Binary> Describe(const nlohmann::json& data, void* library, const std::string& path) {
  auto binary = std::make_unique<Binary>();
  binary->name = data.at("binFileName").get<std::string>();
  binary->kernel = data.at("opKernel").get<std::string>();
  binary->dtypes = data.at("dtypes").get<std::map<std::string, std::string>>();
  const std::string core_type = data.at("coreType").get<std::string>();
  binary->cores = core_type == "VectorCore" ? Cores::vector : core_type == "AiCore" ? Cores::cube : Cores::mix;
  binary->tiling_bytes = data.at("tilingDataSize").get<uint64_t>();
  for (const nlohmann::json& field : data.at("tilingKeyFields")) {
    binary->fields.push_back({field.at("name").get<std::string>(), field.at("bits").get<uint32_t>(),
                              field.at("values").get<std::vector<uint64_t>>()});
  }
  for (const nlohmann::json& key : data.at("kernelList")) {
    const auto symbol = key.at("kernelName").get<std::string>();
    const auto packed = key.at("tilingKey").get<uint64_t>();
    auto entry = reinterpret_cast<pypto_twin_entry>(dlsym(library, symbol.c_str()));
    if (entry == nullptr) RefuseJson(path, "the binary beside it has no " + symbol);
    binary->entries[packed] = entry;
    BuiltKey built{packed, {}};
    for (const KeyField& field : binary->fields) {
      built.values.push_back(key.at("combo").at(field.name).get<uint64_t>());
    }
    binary->keys.push_back(std::move(built));
  }
  return binary;
}

// ND stands for every format in which the elements lie in the order of the dimensions.
bool IsPlain(int format) {
  static const std::set<int> plain = {ge::FORMAT_NCHW,  ge::FORMAT_NHWC,  ge::FORMAT_ND,   ge::FORMAT_HWCN,
                                      ge::FORMAT_NDHWC, ge::FORMAT_NCDHW, ge::FORMAT_DHWCN, ge::FORMAT_NCL};
  return plain.count(format) != 0;
}

// "1,2" → dtype and format; an absent tensor matches whatever the binary has in its place.
bool Matches(const std::string& wanted, const std::string& built) {
  if (wanted.empty() || wanted == built) return true;
  const size_t comma = wanted.find(',');
  const size_t other = built.find(',');
  if (other == std::string::npos || wanted.substr(0, comma) != built.substr(0, other)) return false;
  return std::atoi(built.c_str() + other + 1) == ge::FORMAT_ND && IsPlain(std::atoi(wanted.c_str() + comma + 1));
}

// The tensors of a simplified key, "<OpType>/d=0,p=0/1,2/1,2".
std::vector<std::string> TensorsOf(const std::string& key) {
  std::vector<std::string> parts;
  std::istringstream stream(key);
  for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
  parts.erase(parts.begin(), parts.begin() + (parts.size() < 2 ? parts.size() : 2));
  return parts;
}

std::string Shown(const std::string& key) {
  std::string text;
  for (const std::string& tensor : TensorsOf(key)) {
    const size_t comma = tensor.find(',');
    text += (text.empty() ? "" : ", ") + DtypeName(static_cast<ge::DataType>(std::atoi(tensor.c_str()))) + " " +
            FormatName(static_cast<ge::Format>(std::atoi(tensor.c_str() + comma + 1)));
  }
  return "(" + text + ")";
}

}  // namespace

const Binary& LoadBinary(const BinaryEntry& entry) {
  const std::lock_guard<std::mutex> lock(Mutex());
  std::unique_ptr<Binary>& binary = Binaries()[entry.json_path];
  if (binary != nullptr) return *binary;
  try {
    const std::string path = entry.bin_path.find('/') == 0 ? entry.bin_path : "./" + entry.bin_path;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw CallError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                      std::string("cannot load the kernel: ") + dlerror() + "; install the package again");
    }
    binary = FromJson(entry.json_path,
                      [&](const nlohmann::json& data) { return Describe(data, library, entry.json_path); });
  } catch (const HostError&) {
    Binaries().erase(entry.json_path);
    throw;
  }
  return *binary;
}

const BinaryEntry& ChooseBinary(const PackagedOp& op, const std::string& op_type,
                                const std::vector<std::string>& tensors, const std::string& shown) {
  std::string there;
  for (const BinaryEntry& entry : op.binaries) {
    if (entry.simplified_keys.empty()) continue;
    const std::vector<std::string> built = TensorsOf(entry.simplified_keys.front());
    bool matches = built.size() == tensors.size();
    for (size_t index = 0; matches && index < built.size(); ++index) matches = Matches(tensors[index], built[index]);
    if (matches) return entry;
    there += (there.empty() ? "" : "; ") + Shown(entry.simplified_keys.front());
  }
  if (there.empty()) {
    throw CallError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                    "the kernels of " + op_type + " in " + op.package.directory +
                        " do not say which dtypes they are for; build the package with the operator's OpDef");
  }
  throw CallError(ACLNN_ERR_PARAM_INVALID,
                  op_type + " has no kernel for the dtypes and formats " + shown + "; " + op.package.directory + " has " +
                      there + "; add a column to the OpDef, or give other tensors");
}

}  // namespace host
}  // namespace pypto_twin
