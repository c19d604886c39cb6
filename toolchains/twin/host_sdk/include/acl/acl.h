/* All of acl. Plain C. */
#ifndef PYPTO_TWIN_ACL_ACL_H_
#define PYPTO_TWIN_ACL_ACL_H_

#include "acl/acl_base.h"
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

#endif /* PYPTO_TWIN_ACL_ACL_H_ */
