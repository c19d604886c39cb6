#include "acl/memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "acl/acl_rt.h"
#include "acl/report.h"

namespace pypto_twin {
namespace acl {
namespace {

constexpr size_t kGuard = 128;  // bytes on either side, which keep the 64-byte alignment of the device
constexpr int kGuardByte = 0xB7;
constexpr int kPoisonByte = 0xFF;  // NaN in every float type: uninitialised memory must not look right

std::mutex& Mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
std::map<uintptr_t, size_t>& Allocations() {
  static auto* allocations = new std::map<uintptr_t, size_t>;
  return *allocations;
}

uint8_t* Allocate(size_t size) {
  const size_t rounded = (size + 63) / 64 * 64;
  auto* bytes = static_cast<uint8_t*>(aligned_alloc(64, kGuard + rounded + kGuard));
  if (bytes == nullptr) return nullptr;
  memset(bytes, kGuardByte, kGuard + rounded + kGuard);
  memset(bytes + kGuard, kPoisonByte, size);
  const std::lock_guard<std::mutex> lock(Mutex());
  Allocations()[reinterpret_cast<uintptr_t>(bytes + kGuard)] = size;
  return bytes + kGuard;
}

bool Release(void* start) {
  {
    const std::lock_guard<std::mutex> lock(Mutex());
    if (Allocations().erase(reinterpret_cast<uintptr_t>(start)) == 0) return false;
  }
  free(static_cast<uint8_t*>(start) - kGuard);
  return true;
}

// The first and the last byte of a guard that is not what it was; false when all are.
bool FindDamage(const uint8_t* guard, size_t& first, size_t& last) {
  bool found = false;
  for (size_t index = 0; index < kGuard; ++index) {
    if (guard[index] == kGuardByte) continue;
    if (!found) first = index;
    last = index;
    found = true;
  }
  return found;
}

}  // namespace

std::optional<Allocation> FindAllocation(const void* address) {
  const auto value = reinterpret_cast<uintptr_t>(address);
  const std::lock_guard<std::mutex> lock(Mutex());
  auto found = Allocations().upper_bound(value);
  if (found == Allocations().begin()) return std::nullopt;
  --found;
  if (value > found->first + found->second) return std::nullopt;
  return Allocation{reinterpret_cast<uint8_t*>(found->first), found->second};
}

std::string DamageAround(const Allocation& allocation) {
  std::string text;
  size_t first = 0;
  size_t last = 0;
  uint8_t* before = allocation.start - kGuard;
  uint8_t* after = allocation.start + allocation.size;
  if (FindDamage(before, first, last)) {
    text += std::to_string(last - first + 1) + " bytes before its start, from offset -" + std::to_string(kGuard - first);
  }
  if (FindDamage(after, first, last)) {
    text += (text.empty() ? "" : ", and ") + std::to_string(last - first + 1) + " bytes behind its end, from offset " +
            std::to_string(allocation.size + first);
  }
  memset(before, kGuardByte, kGuard);
  memset(after, kGuardByte, kGuard);
  return text;
}

GuardedBuffer::GuardedBuffer(size_t size) : allocation_{Allocate(size), size} {
  if (allocation_.start == nullptr) throw std::bad_alloc();
}
GuardedBuffer::~GuardedBuffer() { Release(allocation_.start); }

namespace {

aclError AllocateFor(const char* function, void** target, size_t size) {
  if (target == nullptr || size == 0) {
    const char* what = target == nullptr ? "a null pointer to write the address to" : "a size of 0 bytes";
    return Refuse(ACL_ERROR_INVALID_PARAM, std::string(function) + ": " + what + "; give a pointer and a size above 0");
  }
  *target = Allocate(size);
  if (*target != nullptr) return ACL_SUCCESS;
  return Refuse(ACL_ERROR_BAD_ALLOC, std::string(function) + ": no memory for " + std::to_string(size) + " bytes");
}

aclError ReleaseFor(const char* function, void* start, const char* allocator) {
  const std::optional<Allocation> allocation = FindAllocation(start);
  if (allocation && allocation->start == start) {
    const std::string damage = DamageAround(*allocation);
    Release(start);
    if (damage.empty()) return ACL_SUCCESS;
    return Refuse(ACL_ERROR_RT_PARAM_INVALID, std::string(function) + ": the memory was overrun: " + damage +
                                                  " were written by someone, not by a kernel");
  }
  return Refuse(ACL_ERROR_RT_PARAM_INVALID, std::string(function) + ": the address is none that " + allocator +
                                                " gave, or it was freed before");
}

// The bytes from an address to the end of its allocation; any number for memory that is not acl's.
size_t Room(const void* address) {
  const std::optional<Allocation> allocation = FindAllocation(address);
  if (!allocation) return SIZE_MAX;
  return static_cast<size_t>(allocation->start + allocation->size - static_cast<const uint8_t*>(address));
}

aclError Copy(const char* function, void* target, size_t capacity, const void* source, size_t count,
              aclrtMemcpyKind kind) {
  const std::string name = function;
  if (count == 0) return ACL_SUCCESS;
  if (target == nullptr || source == nullptr) {
    return Refuse(ACL_ERROR_INVALID_PARAM, name + ": a null " + (target == nullptr ? "target" : "source"));
  }
  if (count > capacity) {
    return Refuse(ACL_ERROR_INVALID_PARAM, name + ": " + std::to_string(count) + " bytes do not fit into the " +
                                               std::to_string(capacity) + " of the target");
  }
  const struct {
    const void* address;
    const char* side;
    bool on_device;
  } ends[] = {
      {target, "target", kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE},
      {source, "source", kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE},
  };
  for (const auto& end : ends) {
    if (kind != ACL_MEMCPY_DEFAULT && end.on_device && !FindAllocation(end.address)) {
      return Refuse(ACL_ERROR_RT_PARAM_INVALID, name + ": the " + end.side + " is no device memory, but the kind of copy " +
                                                    "says so; allocate it with aclrtMalloc, or correct the kind");
    }
    if (count > Room(end.address)) {
      return Refuse(ACL_ERROR_RT_PARAM_INVALID, name + ": " + std::to_string(count) + " bytes are more than the " +
                                                    std::to_string(Room(end.address)) + " that are left at the " +
                                                    end.side);
    }
  }
  memmove(target, source, count);
  return ACL_SUCCESS;
}

aclError Fill(const char* function, void* device, size_t capacity, int32_t value, size_t count) {
  const std::string name = function;
  if (device == nullptr) return Refuse(ACL_ERROR_INVALID_PARAM, name + ": a null target");
  if (count > capacity || count > Room(device)) {
    return Refuse(ACL_ERROR_INVALID_PARAM, name + ": " + std::to_string(count) + " bytes do not fit into the target");
  }
  memset(device, value, count);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace acl
}  // namespace pypto_twin

extern "C" {

aclError aclrtMalloc(void** device, size_t size, aclrtMemMallocPolicy) {
  return pypto_twin::acl::AllocateFor("aclrtMalloc", device, size);
}
aclError aclrtMallocAlign32(void** device, size_t size, aclrtMemMallocPolicy) {
  return pypto_twin::acl::AllocateFor("aclrtMallocAlign32", device, size);
}
aclError aclrtMallocCached(void** device, size_t size, aclrtMemMallocPolicy) {
  return pypto_twin::acl::AllocateFor("aclrtMallocCached", device, size);
}
aclError aclrtFree(void* device) { return pypto_twin::acl::ReleaseFor("aclrtFree", device, "aclrtMalloc"); }
aclError aclrtMallocHost(void** host, size_t size) {
  if (host == nullptr || size == 0) {
    return pypto_twin::acl::Refuse(ACL_ERROR_INVALID_PARAM, "aclrtMallocHost: a null pointer or a size of 0 bytes");
  }
  *host = malloc(size);
  return *host != nullptr ? ACL_SUCCESS : pypto_twin::acl::Refuse(ACL_ERROR_BAD_ALLOC, "aclrtMallocHost: no memory");
}
aclError aclrtFreeHost(void* host) {
  if (host == nullptr || pypto_twin::acl::FindAllocation(host)) {
    return pypto_twin::acl::Refuse(ACL_ERROR_INVALID_PARAM,
                                   "aclrtFreeHost: the address is none that aclrtMallocHost gave");
  }
  free(host);
  return ACL_SUCCESS;
}
aclError aclrtMemset(void* device, size_t capacity, int32_t value, size_t count) {
  return pypto_twin::acl::Fill("aclrtMemset", device, capacity, value, count);
}
aclError aclrtMemsetAsync(void* device, size_t capacity, int32_t value, size_t count, aclrtStream) {
  return pypto_twin::acl::Fill("aclrtMemsetAsync", device, capacity, value, count);
}
aclError aclrtMemcpy(void* target, size_t capacity, const void* source, size_t count, aclrtMemcpyKind kind) {
  return pypto_twin::acl::Copy("aclrtMemcpy", target, capacity, source, count, kind);
}
aclError aclrtMemcpyAsync(void* target, size_t capacity, const void* source, size_t count, aclrtMemcpyKind kind,
                          aclrtStream) {
  return pypto_twin::acl::Copy("aclrtMemcpyAsync", target, capacity, source, count, kind);
}

}  // extern "C"
