// Reads the bytes of two TilingData structs from standard input, one after the other, and prints them.
#include <cstdio>
#include <iostream>

#include "LeakyScaleTiling_print.h"
#include "PlainCopyTiling_print.h"

int main() {
    LeakyScaleTiling scale{};
    PlainCopyTiling copy{};
    std::cin.read(reinterpret_cast<char*>(&scale), sizeof(scale));
    std::cin.read(reinterpret_cast<char*>(&copy), sizeof(copy));
    if (!std::cin || std::cin.peek() != EOF) {
        return 1;
    }
    std::cout << scale << "\n" << pypto::ToString(copy);
}
