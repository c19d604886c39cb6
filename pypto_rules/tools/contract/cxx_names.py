"""Which names can go into generated C++."""

from __future__ import annotations

from pypto_rules.tools.contract import cxx_macros

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
half bfloat16_t assert offsetof main std
GET_TPL_TILING_KEY INVALID_TILING_KEY TILING_KEY_VAR GM_ADDR AICORE TEMPLATE_ARGUMENT_H
BEGIN_TILING_DATA_DEF END_TILING_DATA_DEF TILING_DATA_FIELD_DEF TILING_DATA_FIELD_DEF_ARR TILING_DATA_FIELD_DEF_STRUCT
REGISTER_TILING_DATA_CLASS
"""
# Names at global scope of those headers: a class or an entry function of that name is a second definition.
_GLOBAL = """
ParamStruct TilingDeclareParams TilingSelectParams g_tilingDeclareParams g_tilingSelectParams TypeFromId
MAX_BITS_NUM VAL_PAIR VAL_START
AscendC ge gert optiling platform_ascendc pto ops pypto
"""
_KEYWORD_SET = frozenset(_KEYWORDS.split())
_TAKEN_SET = frozenset(_TAKEN.split())
_GLOBAL_SET = frozenset(_GLOBAL.split())


def why_not(name: str) -> str | None:
    """Why the name cannot be used in C++, None when it can."""
    if not name.isidentifier():
        return f"'{name}' is no name; allowed are letters, digits and _"
    if not name.isascii():
        return f"'{name}' has characters other than ASCII letters, digits and _, which g++ before 10 refuses"
    if name in _KEYWORD_SET:
        return f"'{name}' is a C++ keyword"
    if name in _TAKEN_SET or cxx_macros.is_macro(name):
        return f"'{name}' is a type or macro of the headers it goes into"
    if name.startswith("ASCENDC_"):
        return f"'{name}' starts like the macros of the TilingKey header (ASCENDC_)"
    if "__" in name or (name[:1] == "_" and name[1:2].isupper()):
        return f"'{name}' is reserved in C++ (two underscores together, or an underscore and a capital)"
    return None


def why_not_global(name: str) -> str | None:
    """The same for a class or function, which must not have the name of another one."""
    if name in _GLOBAL_SET:
        return f"'{name}' is a class, constant or namespace of the headers it goes into"
    if name[:1] == "_":
        return f"'{name}' starts with an underscore, which C++ reserves at global scope"
    return why_not(name)


def better(name: str) -> str:
    """A name to suggest instead."""
    ascii_only = "".join(char if char.isascii() and char.isalnum() else "_" for char in name)
    cleaned = ascii_only.strip("_") or "name"
    while "__" in cleaned:
        cleaned = cleaned.replace("__", "_")
    for candidate in (cleaned, f"{cleaned}_", f"my_{cleaned}"):
        if why_not_global(candidate) is None:
            return candidate
    return "another_name"
