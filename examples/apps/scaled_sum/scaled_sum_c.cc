// ScaledSum for callers of C: Python's ctypes, for example.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>

#include "scaled_sum.h"

// result[i] = (x[i] + y[i]) * w[i] for count elements. Returns 0, or 1 after a message on stderr.
extern "C" int scaled_sum(const float* x, const float* y, const float* w, size_t count, float* result)
{
    try {
        const std::vector<float> sum = ScaledSum({x, x + count}, {y, y + count}, {w, w + count});
        std::copy(sum.begin(), sum.end(), result);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
