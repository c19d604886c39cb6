// What every part of the host library shares: which symbols it exports, and how it refuses what it does not model.
#ifndef PYPTO_TWIN_HOST_API_H_
#define PYPTO_TWIN_HOST_API_H_

#include <stdexcept>

#define PYPTO_TWIN_API __attribute__((visibility("default")))

namespace pypto_twin {
namespace host {

// What an operator's host side cannot do, or refuses to; the text is for the user.
class PYPTO_TWIN_API HostError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Ends the call of a function that is declared as CANN declares it and that the twin does not model: HostError with its name.
[[noreturn]] PYPTO_TWIN_API void Unsupported(const char* function);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_HOST_API_H_
