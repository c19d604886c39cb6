"""The TilingData as `BEGIN_TILING_DATA_DEF` wants it: with padding spelt out and names that do not collide.

The framework's TilingDef does not lay fields out as a C++ compiler does: older versions put them end to end, newer ones
align them. With every gap written as a field of bytes both give the size and the offsets of the struct. The macros also
make members out of field names (`<field>_`, `<field>_handler_`, ...), which must not hit members of TilingDef or each
other.
"""

from __future__ import annotations

from dataclasses import dataclass

from pypto_rules.tools.contract.manifest import TilingData

# Members of TilingDef that a field of that name, with the macros' underscore behind it, would hide.
_TILING_DEF_MEMBERS = frozenset(
    {
        "class_name",
        "data_ptr",
        "data_size",
        "feature_bit_flag",
        "field_info",
        "field_offset_map",
        "reserved_buf",
        "struct_size",
    }
)
_MACRO_SUFFIXES = ("_handler", "_offset", "_reserve_buf")


@dataclass(frozen=True)
class RegisteredField:
    """One TILING_DATA_FIELD_DEF (count None) or TILING_DATA_FIELD_DEF_ARR."""

    ctype: str
    name: str
    count: int | None


def padded_fields(tiling: TilingData) -> list[RegisteredField]:
    """The fields in order, gaps and the tail filled with bytes."""
    names = _Names({field.name for field in tiling.fields})
    result: list[RegisteredField] = []
    end = 0
    for field in tiling.fields:
        result += _gap(names, field.offset - end)
        result.append(RegisteredField(field.element_ctype, names.of_field(field.name), field.count))
        end = field.offset + field.size
    return result + _gap(names, tiling.sizeof - end)


def _gap(names: _Names, size: int) -> list[RegisteredField]:
    return [RegisteredField("uint8_t", names.of_padding(), size)] if size else []


class _Names:
    """Gives out names none of which is another's or TilingDef's member."""

    def __init__(self, fields: set[str]) -> None:
        self._fields = fields
        self._taken = set(_TILING_DEF_MEMBERS)
        self._paddings = 0

    def of_field(self, name: str) -> str:
        """The field's own name where the macros allow it."""
        chosen = name
        while self._clashes(chosen) or (chosen != name and chosen in self._fields):
            chosen += "_value"
        return self._take(chosen)

    def of_padding(self) -> str:
        """The next name for padding."""
        self._paddings += 1
        chosen = f"padding_{self._paddings}"
        while self._clashes(chosen) or chosen in self._fields:
            chosen += "_bytes"
        return self._take(chosen)

    def _clashes(self, name: str) -> bool:
        return bool({name, *(name + suffix for suffix in _MACRO_SUFFIXES)} & self._taken)

    def _take(self, name: str) -> str:
        self._taken.update((name, *(name + suffix for suffix in _MACRO_SUFFIXES)))
        return name
