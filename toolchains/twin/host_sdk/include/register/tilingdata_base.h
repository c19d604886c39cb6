// TilingData by macros: a class whose fields lie as a C++ compiler lays them out, registered under its operator. Tiling
// sources of PyPTO kernels need none of it: the class comes from the kernel file, and its registration is generated.
#ifndef PYPTO_TWIN_REGISTER_TILINGDATA_BASE_H_
#define PYPTO_TWIN_REGISTER_TILINGDATA_BASE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "graph/types.h"
#include "pypto_twin/host/api.h"
#include "securec.h"

namespace pypto_twin {
namespace host {

PYPTO_TWIN_API void RegisterTilingData(const char* op_type, const char* class_name, size_t bytes);

}  // namespace host
}  // namespace pypto_twin

namespace optiling {

class TilingDef {
 public:
  size_t GetDataSize() const { return (bytes_.size() + alignment_ - 1) / alignment_ * alignment_; }
  const char* GetTilingClassName() const { return class_name_; }

  // Copies the fields to `buffer`; too small a one is an error that the caller sees.
  void SaveToBuffer(void* buffer, size_t capacity) const {
    if (buffer == nullptr || capacity < GetDataSize()) {
      throw ::pypto_twin::host::HostError(
          "SaveToBuffer: the TilingData does not fit into the buffer; its layout differs from the kernel's");
    }
    memset(buffer, 0, GetDataSize());
    memcpy(buffer, bytes_.data(), bytes_.size());
  }

 protected:
  explicit TilingDef(const char* class_name) : class_name_(class_name) {}

  size_t Place(size_t element_bytes, size_t count) {
    const size_t offset = (bytes_.size() + element_bytes - 1) / element_bytes * element_bytes;
    bytes_.resize(offset + element_bytes * count);
    if (element_bytes > alignment_) alignment_ = element_bytes;
    return offset;
  }
  void* At(size_t offset) { return bytes_.data() + offset; }

 private:
  const char* class_name_;
  std::vector<uint8_t> bytes_;
  size_t alignment_ = 1;
};

}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(name)                  \
  class name : public ::optiling::TilingDef {        \
   public:                                           \
    name() : ::optiling::TilingDef(#name) {}

#define TILING_DATA_FIELD_DEF(type, field)                                                     \
 public:                                                                                       \
  void set_##field(type value) { memcpy(At(field##_offset_), &value, sizeof(type)); }          \
  type get_##field() {                                                                         \
    type value;                                                                                \
    memcpy(static_cast<void*>(&value), At(field##_offset_), sizeof(type));                     \
    return value;                                                                              \
  }                                                                                            \
                                                                                               \
 private:                                                                                      \
  size_t field##_offset_ = Place(sizeof(type), 1);

#define TILING_DATA_FIELD_DEF_ARR(type, count, field)                                              \
 public:                                                                                           \
  void set_##field(const type* values) { memcpy(At(field##_offset_), values, sizeof(type) * (count)); } \
  type* get_##field() { return static_cast<type*>(At(field##_offset_)); }                          \
                                                                                                   \
 private:                                                                                          \
  size_t field##_offset_ = Place(sizeof(type), count);

#define END_TILING_DATA_DEF \
  }                         \
  ;

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                 \
  [[maybe_unused]] static const bool pypto_twin_registered_##op_type##_##class_name =   \
      (::pypto_twin::host::RegisterTilingData(#op_type, #class_name, class_name().GetDataSize()), true);

#endif  // PYPTO_TWIN_REGISTER_TILINGDATA_BASE_H_
