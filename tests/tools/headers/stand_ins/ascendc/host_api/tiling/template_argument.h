// Stand-in for the CANN header of this name; see README.md.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_LIST 1

namespace stand_in {
constexpr std::uint64_t kInvalidKey = ~std::uint64_t{0};

struct Field {
    const char* name;
    unsigned bits;
    std::vector<std::uint64_t> values;  // the list marker first
};

inline std::uint64_t Encode(const std::vector<Field>& fields, std::initializer_list<std::uint64_t> arguments) {
    std::uint64_t key = 0;
    unsigned offset = 0;
    auto argument = arguments.begin();
    for (const Field& field : fields) {
        if (argument == arguments.end()) {
            break;
        }
        std::uint64_t index = 1;
        while (index < field.values.size() && field.values[index] != *argument) {
            ++index;
        }
        if (index == field.values.size()) {
            return kInvalidKey;
        }
        key |= (index - 1) << offset;
        offset += field.bits;
        ++argument;
    }
    return offset > 64 ? kInvalidKey : key;
}
}  // namespace stand_in

#define ASCENDC_TPL_UINT_DECL(name, bits, ...) stand_in::Field{#name, bits, {__VA_ARGS__}}
#define ASCENDC_TPL_ARGS_DECL(kernel, ...) static const std::vector<stand_in::Field> g_tilingDeclareParams{__VA_ARGS__}
// A host release build does not look at the selection.
#define ASCENDC_TPL_SEL(...)
#define GET_TPL_TILING_KEY(...) stand_in::Encode(g_tilingDeclareParams, {__VA_ARGS__})
