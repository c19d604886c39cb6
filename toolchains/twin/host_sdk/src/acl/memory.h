// Device memory: every allocation lies between guard bytes, and begins as poison.
#ifndef PYPTO_TWIN_SRC_ACL_MEMORY_H_
#define PYPTO_TWIN_SRC_ACL_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace pypto_twin {
namespace acl {

struct Allocation {
  uint8_t* start = nullptr;
  size_t size = 0;
};

// The allocation that an address lies in; its end counts as inside, for tensors of no element.
std::optional<Allocation> FindAllocation(const void* address);

// What was written outside of an allocation, in words; "" when nothing was. The guard bytes are mended.
std::string DamageAround(const Allocation& allocation);

// Memory of the executor's own, guarded like the user's.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(size_t size);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  uint8_t* data() const { return allocation_.start; }
  const Allocation& allocation() const { return allocation_; }

 private:
  Allocation allocation_;
};

}  // namespace acl
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_ACL_MEMORY_H_
