// Crashes of users' functions become errors: a test that ends with a signal says nothing of whose function it was.
#ifndef PYPTO_TWIN_SRC_REGISTER_CRASH_H_
#define PYPTO_TWIN_SRC_REGISTER_CRASH_H_

#include <functional>

namespace pypto_twin {
namespace host {

// Calls `function`. Throws HostError when it reads or writes where nothing is, or divides by zero; what it had on its
// stack is then not destroyed. Exceptions pass through.
void CatchCrash(const std::function<void()>& function);

}  // namespace host
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_REGISTER_CRASH_H_
