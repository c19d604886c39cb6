// The bytes that the tiling function hands to the kernel.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_DATA_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_DATA_H_

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "graph/ge_error_codes.h"
#include "pypto_twin/host/api.h"

namespace gert {

class PYPTO_TWIN_API TilingData {
 public:
  TilingData(void* data, size_t capacity) : data_(data), capacity_(capacity) {}
  TilingData(const TilingData&) = delete;
  TilingData& operator=(const TilingData&) = delete;

  size_t GetCapacity() const { return capacity_; }
  size_t GetDataSize() const { return data_size_; }
  // More than the capacity ends the call: HostError.
  void SetDataSize(size_t size);
  void* GetData() { return data_; }
  const void* GetData() const { return data_; }

  template <class T, typename std::enable_if<std::is_standard_layout<T>::value, int>::type = 0>
  ge::graphStatus Append(const T& value) {
    return Append(&value, 1);
  }
  template <class T, typename std::enable_if<std::is_standard_layout<T>::value, int>::type = 0>
  ge::graphStatus Append(const T* values, size_t count) {
    const size_t before = data_size_;
    if (sizeof(T) * count > capacity_ - before) return ge::GRAPH_FAILED;
    memcpy(static_cast<char*>(data_) + before, static_cast<const void*>(values), sizeof(T) * count);
    data_size_ = before + sizeof(T) * count;
    return ge::GRAPH_SUCCESS;
  }

 private:
  void* data_;
  size_t capacity_;
  size_t data_size_ = 0;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_TILING_DATA_H_
