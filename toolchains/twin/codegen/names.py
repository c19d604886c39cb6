"""C++ names for Python names."""

from __future__ import annotations

import re

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl
        const constexpr const_cast continue decltype default delete do double dynamic_cast else enum explicit
        export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
        nullptr operator or or_eq private protected public register reinterpret_cast return short signed sizeof
        static static_assert static_cast struct switch template this thread_local throw true try typedef typeid
        typename union unsigned using virtual void volatile wchar_t while xor xor_eq errno assert stdin stdout
        stderr linux unix final override import module""",
    )
)
# Names the generated text itself uses.
_OURS = frozenset(
    {"pypto_twin", "pt", "std", "Tiling", "kernel", "block", "tiling", "launch", "main", "printf", "offsetof", "size_t"}
    | {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)


def cpp_name(name: str) -> str:
    """A legal C++ identifier that is no keyword, no reserved name and no likely macro; the same one if it is legal."""
    plain = "".join(ch if ch.isascii() else f"u{ord(ch):04x}" for ch in name)
    if plain.startswith("_"):
        plain = "v" + plain
    plain = re.sub("_{2,}", "_", plain)
    macro_like = len(plain) > 2 and plain.upper() == plain and not plain[0].isdigit()
    return plain + "_" if plain in _KEYWORDS or plain in _OURS or macro_like else plain


class NameScopes:
    """Names in nested C++ blocks: unique among the enclosing ones, free again when the block ends."""

    def __init__(self) -> None:
        self._blocks: list[set[str]] = [set()]

    def push(self) -> None:
        """Enter a block."""
        self._blocks.append(set())

    def pop(self) -> None:
        """Leave it."""
        self._blocks.pop()

    def new(self, hint: str) -> str:
        """A fresh name for a variable declared here."""
        base = cpp_name(hint)
        name, number = base, 1
        while any(name in block for block in self._blocks):
            name, number = f"{base.rstrip('_')}_{number}", number + 1
        self._blocks[-1].add(name)
        return name
