// What host functions log as errors, gathered while one of them runs.
#ifndef PYPTO_TWIN_SRC_LOG_CAPTURE_H_
#define PYPTO_TWIN_SRC_LOG_CAPTURE_H_

#include <string>

namespace pypto_twin {
namespace host {

// Gathers the errors that the calling thread logs while it exists; the innermost one gets them.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  // The errors so far, joined by "; ".
  const std::string& text() const { return text_; }
  void Add(const std::string& line) { text_ += (text_.empty() ? "" : "; ") + line; }

 private:
  std::string text_;
  LogCapture* outer_;
};

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_LOG_CAPTURE_H_
