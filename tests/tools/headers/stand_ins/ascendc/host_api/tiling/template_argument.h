// Stand-in for the CANN header of this name; see README.md. Like the original it has three modes: text for CANN's tools
// (ASCENDC_TPL_PRE), nothing (ASCENDC_TPL_KERNEL), and for the host variables of fixed names.
#pragma once
#include <cstdint>
#ifndef ASCENDC_TPL_KERNEL
#include <initializer_list>
#include <vector>
#endif

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_LIST 1
constexpr std::uint64_t INVALID_TILING_KEY = 0xFFFFFFFFFFFFFFFF;

#if defined(ASCENDC_TPL_PRE)
#define ASCENDC_TPL_UINT_DECL(name, ...) @@UINT_DECL_##name@@ = {__VA_ARGS__}
#define ASCENDC_TPL_ARGS_DECL(kernel, ...) @@ARGS_DECL_##kernel@@ = {__VA_ARGS__}
#define ASCENDC_TPL_UINT_SEL(name, ...) @@UINT_SEL_##name@@ = {__VA_ARGS__}
#define ASCENDC_TPL_ARGS_SEL(...) @@{__VA_ARGS__}
#define ASCENDC_TPL_SEL(...) @@LISTS@@ = {__VA_ARGS__}
#elif defined(ASCENDC_TPL_KERNEL)
#define ASCENDC_TPL_UINT_DECL(...)
#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_UINT_SEL(...)
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_SEL(...)
#else
namespace stand_in {
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
            return INVALID_TILING_KEY;
        }
        key |= (index - 1) << offset;
        offset += field.bits;
        ++argument;
    }
    return offset > 64 ? INVALID_TILING_KEY : key;
}
}  // namespace stand_in

using TilingDeclareParams = std::vector<stand_in::Field>;
using TilingSelectParams = std::vector<std::vector<stand_in::Field>>;

#define ASCENDC_TPL_UINT_DECL(name, bits, ...) stand_in::Field{#name, bits, {__VA_ARGS__}}
#define ASCENDC_TPL_ARGS_DECL(kernel, ...) static TilingDeclareParams g_tilingDeclareParams{__VA_ARGS__}
#ifdef ASCENDC_DEBUG
#define ASCENDC_TPL_UINT_SEL(name, ...) stand_in::Field{#name, 0, {__VA_ARGS__}}
#define ASCENDC_TPL_ARGS_SEL(...) {__VA_ARGS__}
#define ASCENDC_TPL_SEL(...) static TilingSelectParams g_tilingSelectParams{__VA_ARGS__}
#else
#define ASCENDC_TPL_SEL(...)
#endif
#define GET_TPL_TILING_KEY(...) stand_in::Encode(g_tilingDeclareParams, {__VA_ARGS__})
#define ASCENDC_TPL_SEL_PARAM(context, ...)              \
    do {                                                 \
        uint64_t key = GET_TPL_TILING_KEY(__VA_ARGS__); \
        context->SetTilingKey(key);                      \
    } while (0)
#endif
