#include "testing/last_launch.h"

namespace pypto_twin {
namespace testing {

LastLaunch& OfThisThread() {
  thread_local LastLaunch last;
  return last;
}

}  // namespace testing
}  // namespace pypto_twin
