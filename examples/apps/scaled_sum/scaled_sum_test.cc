// The application's result, and what it says of a call that cannot be.
#include <cstdio>
#include <stdexcept>
#include <string>

#include "scaled_sum.h"

int main()
{
    std::vector<float> x(1000);
    std::vector<float> y(1000);
    std::vector<float> w(1000);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = static_cast<float>(i);
        y[i] = 2 * x[i];
        w[i] = static_cast<float>(i % 3);
    }
    const std::vector<float> result = ScaledSum(x, y, w);
    for (size_t i = 0; i < x.size(); i++) {
        if (result[i] != 3 * x[i] * w[i]) {
            std::printf("result[%zu] is %g\n", i, result[i]);
            return 1;
        }
    }
    try {
        ScaledSum(x, std::vector<float>(7), w);
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        std::printf("%s\n", text.c_str());
        return text.find("AddExample") == std::string::npos ? 1 : 0;
    }
    std::printf("shapes that do not fit were added\n");
    return 1;
}
