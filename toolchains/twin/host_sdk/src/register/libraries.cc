// Loads host libraries and keeps what each of them registers.
#include <dlfcn.h>

#include <mutex>

#include "register/op_functions.h"

namespace pypto_twin {
namespace host {
namespace {

struct LoadedLibrary {
  HostLibrary described;
  Registrations registrations;
};

// Both are leaked: static initialisers and destructors of libraries may run before and after everything else.
std::mutex& Mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
std::map<std::string, std::unique_ptr<LoadedLibrary>>& Libraries() {
  static auto* libraries = new std::map<std::string, std::unique_ptr<LoadedLibrary>>;
  return *libraries;
}

// Set while a library is being loaded: its static initialisers run in the thread that loads it.
thread_local Registrations* current = nullptr;

// One size for each operator: a copy of the TilingData with another layout must not win by the order of registration.
void CheckTilingData(const std::string& path, const Registrations& registrations) {
  for (const auto& [op_type, classes] : registrations.tiling_data) {
    for (const auto& [name, bytes] : classes) {
      const auto& [first_name, first_bytes] = *classes.begin();
      if (bytes == first_bytes) continue;
      throw HostError(path + ": two TilingData classes of different sizes are registered for " + op_type + ": " +
                      first_name + " has " + std::to_string(first_bytes) + " bytes, " + name + " has " +
                      std::to_string(bytes) + "; remove the one that is written by hand");
    }
  }
}

HostLibrary Describe(const std::string& path, const Registrations& registrations) {
  HostLibrary library;
  library.path = path;
  for (const auto& [op_type, functions] : registrations.functions) {
    if (functions.tiling != nullptr) library.tiling_ops.push_back(op_type);
    if (functions.infer_shape != nullptr) library.infershape_ops.push_back(op_type);
  }
  return library;
}

const LoadedLibrary* Find(const HostLibrary& library) {
  const std::lock_guard<std::mutex> lock(Mutex());
  const auto found = Libraries().find(library.path);
  return found == Libraries().end() ? nullptr : found->second.get();
}

}  // namespace

Registrations& CurrentRegistrations() {
  // A library that was linked, not loaded by us, registers here, where nothing looks.
  static auto* elsewhere = new Registrations;
  return current != nullptr ? *current : *elsewhere;
}

const HostLibrary& LoadHostLibrary(const std::string& path) {
  const std::lock_guard<std::mutex> lock(Mutex());
  std::unique_ptr<LoadedLibrary>& library = Libraries()[path];
  if (library != nullptr) return library->described;
  auto loaded = std::make_unique<LoadedLibrary>();
  current = &loaded->registrations;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  current = nullptr;
  if (handle == nullptr) {
    Libraries().erase(path);
    const char* reason = dlerror();
    throw HostError(std::string("cannot load the host library: ") + (reason ? reason : path.c_str()));
  }
  try {
    CheckTilingData(path, loaded->registrations);
  } catch (const HostError&) {
    Libraries().erase(path);
    throw;
  }
  loaded->described = Describe(path, loaded->registrations);
  library = std::move(loaded);
  return library->described;
}

const OpFunctions* FindFunctions(const HostLibrary& library, const std::string& op_type) {
  const LoadedLibrary* loaded = Find(library);
  if (loaded == nullptr) return nullptr;
  const auto found = loaded->registrations.functions.find(op_type);
  return found == loaded->registrations.functions.end() ? nullptr : &found->second;
}

size_t RegisteredTilingBytes(const HostLibrary& library, const std::string& op_type) {
  const LoadedLibrary* loaded = Find(library);
  if (loaded == nullptr) return 0;
  const auto found = loaded->registrations.tiling_data.find(op_type);
  return found == loaded->registrations.tiling_data.end() ? 0 : found->second.begin()->second;
}

}  // namespace host
}  // namespace pypto_twin
