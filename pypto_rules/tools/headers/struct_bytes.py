"""Values of a TilingData ↔ bytes of its C++ struct, with the standard library alone.

This text is the head of every generated module `pypto_tiling/<kernel>.py`; `pypto_rules.testing` imports it as it is.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Mapping, Sequence
from typing import Any

# C type → (format of `struct`, what it can hold).
_TYPES = {
    "int64_t": ("q", "integers from -9223372036854775808 to 9223372036854775807"),
    "float": ("f", "numbers from -3.4028235e+38 to 3.4028235e+38, inf and nan"),
    "bool": ("?", "True, False, 1 and 0"),
}
_SHOWN = 16


@dataclasses.dataclass(frozen=True)
class Field:
    """One field: `name` in Python, `member` in the struct; `count` is None for a scalar, `offset` in bytes."""

    name: str
    member: str
    ctype: str
    count: int | None
    offset: int

    def checked(self, owner: str, value: Any) -> Any:
        """The value as the struct holds it, an array as a tuple. ValueError names the field of class `owner`."""
        if self.count is None:
            return self._element(f"{owner}.{self.name}", value)
        try:
            elements = tuple(value)
        except TypeError:
            elements = None
        if elements is None or len(elements) != self.count:
            given = f"{len(elements)} given" if elements is not None else f"{value!r} given"
            raise ValueError(
                f"{owner}.{self.name} has {self.count} elements, {given}; give a list or tuple of that length"
            )
        return tuple(self._element(f"{owner}.{self.name}[{i}]", element) for i, element in enumerate(elements))

    def _element(self, where: str, value: Any) -> Any:
        code, allowed = _TYPES[self.ctype]
        try:
            # `struct` takes anything for a bool, by its truth.
            if self.ctype == "bool" and (isinstance(value, float) or value not in (0, 1)):
                raise ValueError
            return struct.unpack(f"<{code}", struct.pack(f"<{code}", value))[0]
        except (struct.error, OverflowError, TypeError, ValueError):
            raise ValueError(f"{where} is {self.ctype}, which cannot hold {value!r}; allowed are {allowed}") from None

    @property
    def format(self) -> str:
        """The format of all elements."""
        return f"<{1 if self.count is None else self.count}{_TYPES[self.ctype][0]}"


class Layout:
    """The fields of one TilingData class and its size in bytes. Errors are ValueError."""

    def __init__(self, owner: str, size: int, fields: Sequence[Field]) -> None:
        self.owner = owner
        self.size = size
        self.fields = {field.name: field for field in fields}

    def checked(self, name: str, value: Any) -> Any:
        """The value as the field `name` of the struct holds it; AttributeError when there is no such field."""
        if name not in self.fields:
            raise AttributeError(f"{self.owner} has no field '{name}'; its fields are {', '.join(self.fields)}")
        return self.fields[name].checked(self.owner, value)

    def pack(self, values: Mapping[str, Any]) -> bytes:
        """The bytes of the struct, padding zeroed; `values` has every field by its name in Python."""
        buffer = bytearray(self.size)
        for field in self.fields.values():
            value = field.checked(self.owner, values[field.name])
            struct.pack_into(field.format, buffer, field.offset, *([value] if field.count is None else value))
        return bytes(buffer)

    def unpack(self, data: Any) -> dict[str, Any]:
        """The values in a bytes-like object of exactly the struct's size, by name in Python."""
        data = bytes(memoryview(data))
        if len(data) != self.size:
            raise ValueError(f"{self.owner} is {self.size} bytes, {len(data)} given; give the whole struct and no more")
        values = {}
        for field in self.fields.values():
            elements = struct.unpack_from(field.format, data, field.offset)
            values[field.name] = elements[0] if field.count is None else elements
        return values

    def text(self, values: Mapping[str, Any]) -> str:
        """One `field = value` per line, as the generated C++ `ToString` prints it."""
        lines = [f"  {field.member} = {_shown(values[field.name])}" for field in self.fields.values()]
        return "\n".join([f"{self.owner} {{", *lines, "}"])


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        rest = [f"... {len(value)} elements"] if len(value) > _SHOWN else []
        return f"[{', '.join([*map(_shown, value[:_SHOWN]), *rest])}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    # Nine digits tell any two 32-bit floats apart.
    return f"{value:.9g}" if isinstance(value, float) else str(value)
