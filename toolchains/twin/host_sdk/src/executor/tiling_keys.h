// TilingKeys of a binary: which there are, and what a number that is none of them was meant to be.
#ifndef PYPTO_TWIN_SRC_EXECUTOR_TILING_KEYS_H_
#define PYPTO_TWIN_SRC_EXECUTOR_TILING_KEYS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pypto_twin {
namespace host {

// A field, the first in the least significant bits; a key holds the index of its value.
struct KeyField {
  std::string name;
  uint32_t bits = 0;
  std::vector<uint64_t> values;
};

// A key that the binary has, with its values in field order.
struct BuiltKey {
  uint64_t packed = 0;
  std::vector<uint64_t> values;
};

// "tail=1, tile=128".
std::string NamedValues(const std::vector<KeyField>& fields, const std::vector<uint64_t>& values);

// Why `packed` is no key of the kernel's, and what to do: it decodes to values that were not built, it was put together
// by hand, or it means nothing. Ends with the keys that there are.
std::string ExplainUnknownKey(const std::string& kernel, uint64_t packed, const std::vector<KeyField>& fields,
                              const std::vector<BuiltKey>& built);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_EXECUTOR_TILING_KEYS_H_
