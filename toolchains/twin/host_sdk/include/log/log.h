// Logging and checks of host functions. What OP_LOGE says becomes the reason of the failure that the caller sees.
#ifndef PYPTO_TWIN_LOG_LOG_H_
#define PYPTO_TWIN_LOG_LOG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "graph/types.h"
#include "pypto_twin/host/api.h"
#include "securec.h"

namespace pypto_twin {
namespace host {

enum class LogLevel { debug, info, warning, error };

PYPTO_TWIN_API __attribute__((format(printf, 3, 4))) void Log(LogLevel level, const std::string& subject,
                                                              const char* format, ...);

// A text without a subject.
inline void Log(LogLevel level, const std::string& text) { Log(level, "operator", "%s", text.c_str()); }

// Who logs: a name, or the operator of a context.
inline std::string LogSubject(const char* name) { return name != nullptr ? name : "nil"; }
inline std::string LogSubject(const std::string& name) { return name; }
inline std::string LogSubject(const gert::ExtendedKernelContext* context) {
  return context != nullptr ? context->GetNodeName() : "nil";
}

}  // namespace host
}  // namespace pypto_twin

namespace Ops {
namespace Base {

PYPTO_TWIN_API std::string ToString(ge::DataType dtype);
PYPTO_TWIN_API std::string ToString(ge::Format format);
PYPTO_TWIN_API std::string ToString(const gert::Shape& shape);
PYPTO_TWIN_API std::string ToString(const gert::StorageShape& shape);
PYPTO_TWIN_API std::string ToString(const std::vector<int64_t>& values);

}  // namespace Base
}  // namespace Ops

#define PYPTO_TWIN_LOG(level, subject, ...) \
  ::pypto_twin::host::Log(::pypto_twin::host::LogLevel::level, ::pypto_twin::host::LogSubject(subject), ##__VA_ARGS__)

// With a subject alone, that is the text.
#define OP_LOGD(subject, ...) PYPTO_TWIN_LOG(debug, subject, ##__VA_ARGS__)
#define OP_LOGV(subject, ...) PYPTO_TWIN_LOG(debug, subject, ##__VA_ARGS__)
#define OP_LOGI(subject, ...) PYPTO_TWIN_LOG(info, subject, ##__VA_ARGS__)
#define OP_EVENT(subject, ...) PYPTO_TWIN_LOG(info, subject, __VA_ARGS__)
#define OP_LOGW(subject, ...) PYPTO_TWIN_LOG(warning, subject, ##__VA_ARGS__)
#define OP_LOGE(subject, ...) PYPTO_TWIN_LOG(error, subject, ##__VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(subject, ...) OP_LOGE(subject, ##__VA_ARGS__)
#define OP_LOG_FULL(level, subject, ...) PYPTO_TWIN_LOG(info, subject, __VA_ARGS__)

// Values of a parameter that are not what the operator takes; texts are ready made, `std::string` or `const char*`.
#define PYPTO_TWIN_LOGE_VALUE(what, subject, param, value, expected)                                            \
  OP_LOGE(subject, "%s has %s %s, it should be %s", ::pypto_twin::host::LogSubject(param).c_str(), what,         \
          ::pypto_twin::host::LogSubject(value).c_str(), ::pypto_twin::host::LogSubject(expected).c_str())
#define OP_LOGE_FOR_INVALID_VALUE(subject, param, value, expected) \
  PYPTO_TWIN_LOGE_VALUE("value", subject, param, value, expected)
#define OP_LOGE_FOR_INVALID_SHAPE(subject, param, value, expected) \
  PYPTO_TWIN_LOGE_VALUE("shape", subject, param, value, expected)
#define OP_LOGE_FOR_INVALID_SHAPEDIM(subject, param, value, expected) \
  PYPTO_TWIN_LOGE_VALUE("rank", subject, param, value, expected)
#define OP_LOGE_FOR_INVALID_DTYPE(subject, param, value, expected) \
  PYPTO_TWIN_LOGE_VALUE("dtype", subject, param, value, expected)
#define OP_LOGE_FOR_INVALID_FORMAT(subject, param, value, expected) \
  PYPTO_TWIN_LOGE_VALUE("format", subject, param, value, expected)

#define PYPTO_TWIN_LOGE_REASON(what, subject, param, value, reason)                                             \
  OP_LOGE(subject, "%s has %s %s: %s", ::pypto_twin::host::LogSubject(param).c_str(), what,                      \
          ::pypto_twin::host::LogSubject(value).c_str(), ::pypto_twin::host::LogSubject(reason).c_str())
#define OP_LOGE_FOR_INVALID_ARGUMENT_WITH_REASON(subject, param, reason)                        \
  OP_LOGE(subject, "%s is wrong: %s", ::pypto_twin::host::LogSubject(param).c_str(),             \
          ::pypto_twin::host::LogSubject(reason).c_str())
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("value", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("values", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("shape", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("shapes", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("rank", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("ranks", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("size", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("dtype", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("dtypes", subject, param, value, reason)
#define OP_LOGE_FOR_INVALID_FORMAT_WITH_REASON(subject, param, value, reason) \
  PYPTO_TWIN_LOGE_REASON("format", subject, param, value, reason)
#define OP_LOGE_WITH_INVALID_INPUT_DTYPE(subject, param, value, expected) \
  OP_LOGE_FOR_INVALID_DTYPE(subject, param, value, expected)
#define OP_LOGE_WITH_INVALID_INPUT_SHAPE(subject, param, value, expected) \
  OP_LOGE_FOR_INVALID_SHAPE(subject, param, value, expected)
#define OP_LOGE_WITH_INVALID_ATTR(subject, param, value, expected) \
  OP_LOGE_FOR_INVALID_VALUE(subject, param, value, expected)

#define OP_CHECK_IF(condition, log, ...) \
  do {                                   \
    if (condition) {                     \
      log;                               \
      __VA_ARGS__;                       \
    }                                    \
  } while (0)
#define OP_TILING_CHECK(condition, log, ...) OP_CHECK_IF(condition, log, __VA_ARGS__)
#define OP_CHECK(condition, log, ...) OP_CHECK_IF(condition, log, __VA_ARGS__)
#define OPS_CHECK(condition, log, ...) OP_CHECK_IF(condition, log, __VA_ARGS__)

#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ...) \
  do {                                                        \
    if ((pointer) == nullptr) {                               \
      OP_LOGE(context, "%s is nullptr", #pointer);            \
      return __VA_ARGS__;                                     \
    }                                                         \
  } while (0)
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) \
  OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ge::GRAPH_FAILED)
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_NULL_WITH_CONTEXT(context, pointer)
#define OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ...) \
  OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, __VA_ARGS__)

#define OPS_LOG_D(subject, ...) OP_LOGD(subject, __VA_ARGS__)
#define OPS_LOG_I(subject, ...) OP_LOGI(subject, __VA_ARGS__)
#define OPS_LOG_W(subject, ...) OP_LOGW(subject, __VA_ARGS__)
#define OPS_LOG_E(subject, ...) OP_LOGE(subject, __VA_ARGS__)
#define OPS_REPORT_VECTOR_INNER_ERR(subject, ...) OP_LOGE(subject, __VA_ARGS__)
#define OPS_REPORT_CUBE_INNER_ERR(subject, ...) OP_LOGE(subject, __VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILIING(subject, ...) OP_LOGE(subject, __VA_ARGS__)
#define VECTOR_INFER_SHAPE_INNER_ERR_REPORT(subject, message) \
  OP_LOGE(subject, "%s", ::pypto_twin::host::LogSubject(message).c_str())
#define CUBE_INNER_ERR_REPORT(subject, ...) OP_LOGE(subject, __VA_ARGS__)

#endif  // PYPTO_TWIN_LOG_LOG_H_
