"""What the fields of a TilingData are called in the generated Python class."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

# Members of the generated class.
_MEMBERS = frozenset({"OFFSETS", "SIZE", "from_bytes", "to_bytes"})


def python_names(members: Iterable[str]) -> dict[str, str]:
    """Field of the struct → its name in Python: the same, with `_` behind it where that is in use."""
    members = list(members)
    taken = set(members)
    names = {}
    for member in members:
        name = member
        while _is_used(name) or (name != member and name in taken):
            name += "_"
        taken.add(name)
        names[member] = name
    return names


def _is_used(name: str) -> bool:
    # `dataclass` takes what the metaclass has (`mro`) for the field's default.
    return keyword.iskeyword(name) or name in _MEMBERS or hasattr(type, name)
