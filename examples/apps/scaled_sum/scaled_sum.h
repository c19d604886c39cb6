// (x + y) * w on the device, by two operators of this workspace.
#ifndef SCALED_SUM_H_
#define SCALED_SUM_H_

#include <vector>

// All three have the same number of elements. Throws std::runtime_error with the run time's message.
std::vector<float> ScaledSum(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& w);

#endif  // SCALED_SUM_H_
