// What the handles of acl_meta.h point at.
#ifndef PYPTO_TWIN_SRC_ACL_TENSOR_H_
#define PYPTO_TWIN_SRC_ACL_TENSOR_H_

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"

// Strides and offset count elements; `data` is the start of the storage.
struct aclTensor {
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  std::vector<int64_t> storage_dims;
  int64_t offset = 0;
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  void* data = nullptr;
};
struct aclScalar {
  aclDataType dtype = ACL_DT_UNDEFINED;
  std::vector<uint8_t> bytes;
};
struct aclIntArray {
  std::vector<int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<uint8_t> values;
};
struct aclTensorList {
  std::vector<const aclTensor*> tensors;
};
struct aclScalarList {
  std::vector<const aclScalar*> scalars;
};

namespace pypto_twin {
namespace acl {

// Strides of a tensor whose elements lie end to end, the last dimension innermost.
std::vector<int64_t> ContiguousStrides(const std::vector<int64_t>& dims);

// Whether the elements lie end to end from the offset on; dimensions of one element have no stride.
bool IsContiguous(const aclTensor& tensor);

}  // namespace acl
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_ACL_TENSOR_H_
