#include "log/log.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "log/capture.h"
#include "pypto_twin/host/names.h"

namespace pypto_twin {
namespace host {
namespace {

thread_local LogCapture* innermost = nullptr;

// ASCEND_GLOBAL_LOG_LEVEL as CANN has it: 0 debug, 1 info, 2 warning, 3 error (default), 4 none.
int LeastLevel() {
  static const int level = [] {
    const char* given = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
    return given != nullptr && given[0] >= '0' && given[0] <= '4' && given[1] == 0 ? given[0] - '0' : 3;
  }();
  return level;
}

const char* NameOf(LogLevel level) {
  static constexpr const char* kNames[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  return kNames[static_cast<int>(level)];
}

}  // namespace

LogCapture::LogCapture() : outer_(innermost) { innermost = this; }
LogCapture::~LogCapture() { innermost = outer_; }

void Log(LogLevel level, const std::string& subject, const char* format, ...) {
  char text[2048];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  // An error inside a host function becomes part of the message of the call that runs it, which is printed once.
  if (level == LogLevel::error && innermost != nullptr) {
    innermost->Add(text);
  } else if (static_cast<int>(level) >= LeastLevel()) {
    fprintf(stderr, "[%s] %s: %s\n", NameOf(level), subject.c_str(), text);
  }
}

}  // namespace host
}  // namespace pypto_twin

namespace Ops {
namespace Base {

std::string ToString(ge::DataType dtype) { return pypto_twin::host::DtypeName(dtype); }
std::string ToString(ge::Format format) { return pypto_twin::host::FormatName(format); }
std::string ToString(const gert::Shape& shape) {
  std::string text = "[";
  for (size_t index = 0; index < shape.GetDimNum(); ++index) {
    text += (index == 0 ? "" : ", ") + std::to_string(shape.GetDim(index));
  }
  return text + "]";
}
std::string ToString(const gert::StorageShape& shape) { return ToString(shape.GetStorageShape()); }
std::string ToString(const std::vector<int64_t>& values) {
  std::string text = "[";
  for (size_t index = 0; index < values.size(); ++index) {
    text += (index == 0 ? "" : ", ") + std::to_string(values[index]);
  }
  return text + "]";
}

}  // namespace Base
}  // namespace Ops
