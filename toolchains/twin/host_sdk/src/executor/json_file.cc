#include "executor/json_file.h"

#include <unistd.h>

#include <fstream>

#include "executor/packages.h"

namespace pypto_twin {
namespace host {

bool FileExists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

nlohmann::json ReadJson(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw CallError(ACLNN_ERR_INNER_LOAD_JSON_FAILED, "cannot read " + path + "; install the package again");
  nlohmann::json data = nlohmann::json::parse(file, nullptr, false);
  if (!data.is_object()) RefuseJson(path, "it is no JSON object");
  return data;
}

void RefuseJson(const std::string& path, const std::string& what) {
  throw CallError(ACLNN_ERR_INNER_LOAD_JSON_FAILED, path + " is damaged (" + what + "); install the package again");
}

}  // namespace host
}  // namespace pypto_twin
