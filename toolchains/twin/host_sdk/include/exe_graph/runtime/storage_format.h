// A tensor's format as its user sees it and as it is laid out in memory.
#ifndef PYPTO_TWIN_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
#define PYPTO_TWIN_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_

#include "graph/types.h"

namespace gert {

class StorageFormat {
 public:
  StorageFormat() = default;
  StorageFormat(ge::Format origin, ge::Format storage) : origin_format_(origin), storage_format_(storage) {}

  bool operator==(const StorageFormat& other) const {
    return origin_format_ == other.origin_format_ && storage_format_ == other.storage_format_;
  }
  bool operator!=(const StorageFormat& other) const { return !(*this == other); }

  ge::Format GetOriginFormat() const { return origin_format_; }
  ge::Format GetStorageFormat() const { return storage_format_; }
  void SetOriginFormat(ge::Format format) { origin_format_ = format; }
  void SetStorageFormat(ge::Format format) { storage_format_ = format; }

 private:
  ge::Format origin_format_ = ge::FORMAT_ND;
  ge::Format storage_format_ = ge::FORMAT_ND;
};

}  // namespace gert

#endif  // PYPTO_TWIN_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
