// A JSON file of a package, or an error that names it.
#ifndef PYPTO_TWIN_SRC_EXECUTOR_JSON_FILE_H_
#define PYPTO_TWIN_SRC_EXECUTOR_JSON_FILE_H_

#include <nlohmann/json.hpp>
#include <string>

namespace pypto_twin {
namespace host {

bool FileExists(const std::string& path);

// Throws CallError for a file that is not there or no JSON object.
nlohmann::json ReadJson(const std::string& path);

// Runs `read` on the data; what it misses in them becomes a CallError that names the file.
template <class Read>
auto FromJson(const std::string& path, Read read) -> decltype(read(nlohmann::json()));

// The error for a file that lacks what is read from it.
[[noreturn]] void RefuseJson(const std::string& path, const std::string& what);

template <class Read>
auto FromJson(const std::string& path, Read read) -> decltype(read(nlohmann::json())) {
  const nlohmann::json data = ReadJson(path);
  try {
    return read(data);
  } catch (const nlohmann::json::exception& error) {
    RefuseJson(path, error.what());
  }
}

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_EXECUTOR_JSON_FILE_H_
