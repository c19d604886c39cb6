"""Which names can go into generated C++."""

from __future__ import annotations

_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
# Types and macros that the generated headers, or the headers they include, already use.
_TAKEN = """
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ssize_t ptrdiff_t intptr_t uintptr_t
half bfloat16_t NULL EOF errno assert offsetof stdin stdout stderr INFINITY NAN INT8_MAX INT8_MIN INT16_MAX
INT16_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX
GET_TPL_TILING_KEY INVALID_TILING_KEY TILING_KEY_VAR GM_ADDR AICORE main std
"""
_KEYWORD_SET = frozenset(_KEYWORDS.split())
_TAKEN_SET = frozenset(_TAKEN.split())


def why_not(name: str) -> str | None:
    """Why the name cannot be used in C++, None when it can."""
    if name in _KEYWORD_SET:
        return f"'{name}' is a C++ keyword"
    if name in _TAKEN_SET:
        return f"'{name}' is a type or macro of the headers it goes into"
    if name.startswith(("ASCENDC_TPL_", "ASCENDC_")):
        return f"'{name}' starts like the macros of the TilingKey header (ASCENDC_)"
    if "__" in name or (name[:1] == "_" and name[1:2].isupper()):
        return f"'{name}' is reserved in C++ (two underscores together, or an underscore and a capital)"
    return None


def better(name: str) -> str:
    """A name to suggest instead."""
    cleaned = name.strip("_") or "field"
    while "__" in cleaned:
        cleaned = cleaned.replace("__", "_")
    return f"{cleaned}_" if why_not(cleaned) is not None else cleaned
