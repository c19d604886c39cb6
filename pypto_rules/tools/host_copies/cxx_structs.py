"""Struct definitions in C++ text, as far as a TilingData can be written by hand: plain fields and arrays of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Size, which is also the alignment, of the types a TilingData is made of, on x86_64 and aarch64.
_SIZES = {
    **dict.fromkeys(("bool", "char", "signed char", "unsigned char", "int8_t", "uint8_t"), 1),
    **dict.fromkeys(("short", "unsigned short", "int16_t", "uint16_t"), 2),
    **dict.fromkeys(("int", "unsigned", "unsigned int", "int32_t", "uint32_t", "float"), 4),
    **dict.fromkeys(("long", "unsigned long", "long long", "unsigned long long", "size_t", "double"), 8),
    **dict.fromkeys(("int64_t", "uint64_t"), 8),
}
_COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_ACCESS = re.compile(r"\b(?:public|private|protected)\s*:")
_DECLARATOR = re.compile(r"(\w+)\s*(?:\[\s*(\d+)\s*\])?\s*(?:=.*|\{.*\})?", re.DOTALL)
_MACRO_FIELD = re.compile(r"TILING_DATA_FIELD_DEF(_ARR)?\s*\(([^)]*)\)")


@dataclass(frozen=True)
class Field:
    """A member: its place in bytes, and its C type as written."""

    name: str
    ctype: str
    offset: int


@dataclass(frozen=True)
class Struct:
    """A definition; `fields` is None when it has members whose layout is not known here."""

    name: str
    line: int
    fields: tuple[Field, ...] | None
    size: int


def structs(text: str, names: set[str]) -> Iterator[Struct]:
    """The definitions of `names` in `text`: struct, class, and BEGIN_TILING_DATA_DEF."""
    code = _COMMENT_OR_STRING.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in re.finditer(r"\b(?:struct|class)\s+(?:alignas\s*\([^)]*\)\s*)?(\w+)[^;{}()]*\{", code):
        if found[1] in names:
            body = code[found.end() : _closing_brace(code, found.end())]
            yield _struct(found[1], _line(code, found.start()), _members(body))
    for found in re.finditer(r"\bBEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)(.*?)\bEND_TILING_DATA_DEF\b", code, re.DOTALL):
        if found[1] in names:
            yield _struct(found[1], _line(code, found.start()), _macro_members(found[2]))


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _closing_brace(code: str, start: int) -> int:
    depth = 1
    for position in range(start, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth == 0:
            return position
    return len(code)


def _members(body: str) -> list[tuple[str, str, int]] | None:
    """Name, type and number of elements of each member, or None when one is not a plain field."""
    members = []
    for statement in _ACCESS.sub(" ", body).split(";"):
        words = statement.split()
        if not words:
            continue
        declaration = re.fullmatch(r"\s*((?:std::)?[a-z_][\w ]*?)\s+(\w+\s*(?:[\[={,].*)?)", statement, re.DOTALL)
        ctype = " ".join(declaration[1].removeprefix("std::").split()) if declaration else ""
        if ctype not in _SIZES:
            return None
        for declarator in re.split(r",(?![^{]*\})", declaration[2]):
            found = _DECLARATOR.fullmatch(declarator.strip())
            if not found:
                return None
            members.append((found[1], ctype, int(found[2] or 1)))
    return members


def _macro_members(body: str) -> list[tuple[str, str, int]] | None:
    members = []
    for found in _MACRO_FIELD.finditer(body):
        words = [word.strip() for word in found[2].split(",")]
        count = words.pop(1) if found[1] and len(words) == 3 else "1"
        if len(words) != 2 or words[0] not in _SIZES or not count.isdigit():
            return None
        members.append((words[1], words[0], int(count)))
    return None if "TILING_DATA_FIELD_DEF_STRUCT" in body else members


def _struct(name: str, line: int, members: list[tuple[str, str, int]] | None) -> Struct:
    if members is None:
        return Struct(name, line, None, 0)
    fields, end, alignment = [], 0, 1
    for member, ctype, count in members:
        size = _SIZES[ctype]
        offset = (end + size - 1) // size * size
        fields.append(Field(member, ctype if count == 1 else f"{ctype}[{count}]", offset))
        end, alignment = offset + size * count, max(alignment, size)
    return Struct(name, line, tuple(fields), (end + alignment - 1) // alignment * alignment)
