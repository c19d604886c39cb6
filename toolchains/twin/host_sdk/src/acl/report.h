// How a refused call says why: one line on stderr, and aclGetRecentErrMsg.
#ifndef PYPTO_TWIN_SRC_ACL_REPORT_H_
#define PYPTO_TWIN_SRC_ACL_REPORT_H_

#include <string>

#include "acl/acl_base.h"

namespace pypto_twin {
namespace acl {

// Notes and prints the text for the calling thread; returns `code`, for `return Refuse(...)`.
int Refuse(int code, const std::string& text);

}  // namespace acl
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_ACL_REPORT_H_
