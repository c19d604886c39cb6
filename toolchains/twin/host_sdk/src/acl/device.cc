// Device, contexts, streams and events: handles that are checked, and nothing to wait for.
#include <mutex>
#include <set>
#include <string>

#include "acl/acl_rt.h"
#include "acl/report.h"
#include "aclnn/aclnn_base.h"
#include "executor/packages.h"
#include "platform/platforms.h"

namespace pypto_twin {
namespace acl {
namespace {

// The handles of one kind that are alive.
class Handles {
 public:
  void* Create() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return *alive_.insert(new char).first;
  }
  bool Destroy(void* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (alive_.erase(handle) == 0) return false;
    delete static_cast<char*>(handle);
    return true;
  }
  bool Has(void* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return alive_.count(handle) != 0;
  }

 private:
  std::mutex mutex_;
  std::set<void*> alive_;
};

Handles& Streams() {
  static auto* handles = new Handles;
  return *handles;
}
Handles& Contexts() {
  static auto* handles = new Handles;
  return *handles;
}
Handles& Events() {
  static auto* handles = new Handles;
  return *handles;
}

std::mutex initialized_mutex;
bool initialized = false;
thread_local void* current_context = nullptr;

aclError CheckDevice(const char* function, int32_t device) {
  if (device == 0) return ACL_SUCCESS;
  return Refuse(ACL_ERROR_RT_INVALID_DEVICEID, std::string(function) + ": there is no device " +
                                                   std::to_string(device) + "; the CPU twin has device 0");
}

aclError Create(const char* function, Handles& handles, void** handle) {
  if (handle == nullptr) return Refuse(ACL_ERROR_INVALID_PARAM, std::string(function) + ": a null pointer");
  *handle = handles.Create();
  return ACL_SUCCESS;
}

aclError Known(const char* function, Handles& handles, void* handle, bool none_is_default) {
  if ((handle == nullptr && none_is_default) || handles.Has(handle)) return ACL_SUCCESS;
  return Refuse(ACL_ERROR_RT_PARAM_INVALID, std::string(function) + ": the handle is unknown, or was destroyed before");
}

aclError Destroy(const char* function, Handles& handles, void* handle) {
  if (handles.Destroy(handle)) return ACL_SUCCESS;
  return Known(function, handles, handle, false);
}

}  // namespace
}  // namespace acl
}  // namespace pypto_twin

using namespace pypto_twin::acl;  // NOLINT: the functions below are acl's

extern "C" {

aclError aclInit(const char*) {
  const std::lock_guard<std::mutex> lock(initialized_mutex);
  if (initialized) return Refuse(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: called twice; call aclFinalize between");
  initialized = true;
  return ACL_SUCCESS;
}
aclError aclFinalize() {
  const std::lock_guard<std::mutex> lock(initialized_mutex);
  if (!initialized) return Refuse(ACL_ERROR_UNINITIALIZE, "aclFinalize: aclInit was not called");
  initialized = false;
  return ACL_SUCCESS;
}
aclnnStatus aclnnInit(const char*) { return ACLNN_SUCCESS; }
aclnnStatus aclnnFinalize() { return ACLNN_SUCCESS; }

aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
  if (major == nullptr || minor == nullptr || patch == nullptr) {
    return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtGetVersion: a null pointer");
  }
  *major = 1;
  *minor = 0;
  *patch = 0;
  return ACL_SUCCESS;
}
const char* aclrtGetSocName() {
  try {
    return pypto_twin::host::FindPlatform(pypto_twin::host::SocOfProcess()).full_name;
  } catch (const pypto_twin::host::HostError& error) {
    Refuse(ACL_ERROR_UNINITIALIZE, std::string("aclrtGetSocName: ") + error.what());
    return nullptr;
  }
}

aclError aclrtSetDevice(int32_t device) { return CheckDevice("aclrtSetDevice", device); }
aclError aclrtResetDevice(int32_t device) { return CheckDevice("aclrtResetDevice", device); }
aclError aclrtGetDevice(int32_t* device) {
  if (device == nullptr) return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice: a null pointer");
  *device = 0;
  return ACL_SUCCESS;
}
aclError aclrtGetDeviceCount(uint32_t* count) {
  if (count == nullptr) return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount: a null pointer");
  *count = 1;
  return ACL_SUCCESS;
}
aclError aclrtGetRunMode(aclrtRunMode* mode) {
  if (mode == nullptr) return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtGetRunMode: a null pointer");
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}
aclError aclrtSynchronizeDevice() { return ACL_SUCCESS; }

aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
  const aclError known = CheckDevice("aclrtCreateContext", device);
  if (known != ACL_SUCCESS) return known;
  const aclError created = Create("aclrtCreateContext", Contexts(), context);
  if (created == ACL_SUCCESS) current_context = *context;
  return created;
}
aclError aclrtDestroyContext(aclrtContext context) {
  if (current_context == context) current_context = nullptr;
  return Destroy("aclrtDestroyContext", Contexts(), context);
}
aclError aclrtSetCurrentContext(aclrtContext context) {
  const aclError known = Known("aclrtSetCurrentContext", Contexts(), context, false);
  if (known == ACL_SUCCESS) current_context = context;
  return known;
}
aclError aclrtGetCurrentContext(aclrtContext* context) {
  if (context == nullptr) return Refuse(ACL_ERROR_INVALID_PARAM, "aclrtGetCurrentContext: a null pointer");
  *context = current_context;
  return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream* stream) { return Create("aclrtCreateStream", Streams(), stream); }
aclError aclrtDestroyStream(aclrtStream stream) { return Destroy("aclrtDestroyStream", Streams(), stream); }
aclError aclrtDestroyStreamForce(aclrtStream stream) { return Destroy("aclrtDestroyStreamForce", Streams(), stream); }
aclError aclrtSynchronizeStream(aclrtStream stream) {
  return Known("aclrtSynchronizeStream", Streams(), stream, true);
}
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t) {
  return Known("aclrtSynchronizeStreamWithTimeout", Streams(), stream, true);
}

aclError aclrtCreateEvent(aclrtEvent* event) { return Create("aclrtCreateEvent", Events(), event); }
aclError aclrtDestroyEvent(aclrtEvent event) { return Destroy("aclrtDestroyEvent", Events(), event); }
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream) { return Known("aclrtRecordEvent", Events(), event, false); }
aclError aclrtSynchronizeEvent(aclrtEvent event) { return Known("aclrtSynchronizeEvent", Events(), event, false); }
aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent event) {
  return Known("aclrtStreamWaitEvent", Events(), event, false);
}
aclError aclrtEventElapsedTime(float*, aclrtEvent, aclrtEvent) {
  return Refuse(ACL_ERROR_API_NOT_SUPPORT,
                "aclrtEventElapsedTime is not supported by the CPU twin: it simulates what kernels do, not how long");
}

}  // extern "C"
