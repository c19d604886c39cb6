// The last launch of the calling thread, for tests that say which variant they reached.
#ifndef PYPTO_TWIN_SRC_TESTING_LAST_LAUNCH_H_
#define PYPTO_TWIN_SRC_TESTING_LAST_LAUNCH_H_

#include <cstdint>
#include <map>
#include <string>

namespace pypto_twin {
namespace testing {

struct LastLaunch {
  std::string kernel;
  std::map<std::string, std::string> dtypes;
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  uint64_t workspace_bytes = 0;
  int32_t site = -1;  // of a rule that the kernel broke
};

LastLaunch& OfThisThread();

}  // namespace testing
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SRC_TESTING_LAST_LAUNCH_H_
