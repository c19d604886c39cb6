/* Tensors, scalars and lists as aclnn functions take them. They describe device memory and do not own it. Functions that
   create give null for wrong arguments; aclGetRecentErrMsg says why. Plain C. */
#ifndef PYPTO_TWIN_ACLNN_ACL_META_H_
#define PYPTO_TWIN_ACLNN_ACL_META_H_

#ifndef __cplusplus
#include <stdbool.h>
#endif

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `strides` and `offset` count elements; null strides: contiguous. `data` is the start of the storage. */
ACL_FUNC_VISIBILITY aclTensor* aclCreateTensor(const int64_t* view_dims, uint64_t view_dims_num, aclDataType dtype,
                                               const int64_t* strides, int64_t offset, aclFormat format,
                                               const int64_t* storage_dims, uint64_t storage_dims_num, void* data);
ACL_FUNC_VISIBILITY aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* view_dims, uint64_t view_dims_num,
                                              aclDataType dtype, const int64_t* strides, int64_t offset,
                                              aclFormat format, const int64_t* storage_dims,
                                              uint64_t storage_dims_num, void* data);
ACL_FUNC_VISIBILITY aclScalar* aclCreateScalar(void* value, aclDataType dtype);
ACL_FUNC_VISIBILITY aclIntArray* aclCreateIntArray(const int64_t* values, uint64_t count);
ACL_FUNC_VISIBILITY aclFloatArray* aclCreateFloatArray(const float* values, uint64_t count);
ACL_FUNC_VISIBILITY aclBoolArray* aclCreateBoolArray(const bool* values, uint64_t count);
/* The list owns its tensors, as CANN's does: destroying it destroys them. */
ACL_FUNC_VISIBILITY aclTensorList* aclCreateTensorList(const aclTensor* const* tensors, uint64_t count);
ACL_FUNC_VISIBILITY aclScalarList* aclCreateScalarList(const aclScalar* const* scalars, uint64_t count);

ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensor(const aclTensor* tensor);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalar(const aclScalar* scalar);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyIntArray(const aclIntArray* array);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyFloatArray(const aclFloatArray* array);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyBoolArray(const aclBoolArray* array);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensorList(const aclTensorList* list);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalarList(const aclScalarList* list);

/* The arrays they give are the caller's: delete[] them. */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** dims, uint64_t* dims_num);
ACL_FUNC_VISIBILITY aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** dims, uint64_t* dims_num);
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides, uint64_t* strides_num);
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset);
ACL_FUNC_VISIBILITY aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dtype);
ACL_FUNC_VISIBILITY aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format);
ACL_FUNC_VISIBILITY aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** address);
ACL_FUNC_VISIBILITY aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* address);
ACL_FUNC_VISIBILITY aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size);
ACL_FUNC_VISIBILITY aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size);
ACL_FUNC_VISIBILITY aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size);
ACL_FUNC_VISIBILITY aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size);

/* An executor of phase one runs once, unless it is made repeatable; then it is destroyed by hand. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor);
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor);

#ifdef __cplusplus
}
#endif

#endif /* PYPTO_TWIN_ACLNN_ACL_META_H_ */
