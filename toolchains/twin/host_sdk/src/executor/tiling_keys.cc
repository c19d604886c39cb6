#include "executor/tiling_keys.h"

namespace pypto_twin {
namespace host {
namespace {

constexpr size_t kShown = 16;

uint64_t Mask(uint32_t bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

// The values whose indices are in the key; false when an index is beyond its list or bits are left over.
bool Decode(uint64_t packed, const std::vector<KeyField>& fields, std::vector<uint64_t>& values) {
  uint32_t offset = 0;
  for (const KeyField& field : fields) {
    const uint64_t index = offset >= 64 ? 0 : packed >> offset & Mask(field.bits);
    if (index >= field.values.size()) return false;
    values.push_back(field.values[index]);
    offset += field.bits;
  }
  return offset >= 64 || packed >> offset == 0;
}

// The key somebody gets who shifts the values themselves.
uint64_t PackedByHand(const std::vector<KeyField>& fields, const std::vector<uint64_t>& values) {
  uint64_t packed = 0;
  uint32_t offset = 0;
  for (size_t index = 0; index < fields.size(); ++index) {
    if (offset < 64) packed |= values[index] << offset;
    offset += fields[index].bits;
  }
  return packed;
}

std::string CallOf(const std::vector<uint64_t>& values) {
  std::string text = "GET_TPL_TILING_KEY(";
  for (size_t index = 0; index < values.size(); ++index) {
    text += (index == 0 ? "" : ", ") + std::to_string(values[index]);
  }
  return text + ")";
}

std::string Listed(const std::vector<KeyField>& fields, const std::vector<BuiltKey>& built) {
  std::string text;
  for (size_t index = 0; index < built.size() && index < kShown; ++index) {
    text += (index == 0 ? "" : "; ") + std::to_string(built[index].packed) + ": " +
            NamedValues(fields, built[index].values);
  }
  return built.size() > kShown ? text + "; and " + std::to_string(built.size() - kShown) + " more" : text;
}

}  // namespace

std::string NamedValues(const std::vector<KeyField>& fields, const std::vector<uint64_t>& values) {
  std::string text;
  for (size_t index = 0; index < values.size() && index < fields.size(); ++index) {
    text += (index == 0 ? "" : ", ") + fields[index].name + "=" + std::to_string(values[index]);
  }
  return text;
}

std::string ExplainUnknownKey(const std::string& kernel, uint64_t packed, const std::vector<KeyField>& fields,
                              const std::vector<BuiltKey>& built) {
  const std::string subject = std::to_string(packed) + " is not a TilingKey of " + kernel;
  const std::string there_are = "; there are " + Listed(fields, built);
  if (packed == ~uint64_t{0}) {
    return subject + ": it is INVALID_TILING_KEY, what GET_TPL_TILING_KEY gives for values that are not allowed" +
           there_are;
  }
  for (const BuiltKey& key : built) {
    if (PackedByHand(fields, key.values) != packed) continue;
    return subject + "; " + NamedValues(fields, key.values) + " is " + std::to_string(key.packed) + "; use " +
           CallOf(key.values) + there_are;
  }
  std::vector<uint64_t> values;
  if (Decode(packed, fields, values)) {
    return subject + " in this build: it decodes to " + NamedValues(fields, values) +
           ", which is_valid refuses or the flag tiling_keys left out" + there_are;
  }
  return subject + ": no combination decodes to it; pack it with GET_TPL_TILING_KEY(...)" + there_are;
}

}  // namespace host
}  // namespace pypto_twin
