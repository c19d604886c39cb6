#include <cstdio>
#include <exception>

#include "scaled_sum.h"

int main()
{
    try {
        for (const float value : ScaledSum({1, 2, 3}, {10, 20, 30}, {1, 0.5, 2})) {
            std::printf("%g\n", value);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "scaled_sum: %s\n", error.what());
        return 1;
    }
    return 0;
}
