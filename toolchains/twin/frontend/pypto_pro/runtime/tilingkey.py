"""`TilingKeyField` and `TilingKeySchema`: declarations kept as given, so that the contract can report every fault."""

from __future__ import annotations

from typing import Any

MISSING = object()


class TilingKeyField:
    """One field of a TilingKey class: `TilingKeyField(bits=1, values=[0, 1])`."""

    def __init__(self, *, bits: Any = MISSING, values: Any = MISSING) -> None:
        missing = [name for name, given in (("bits", bits), ("values", values)) if given is MISSING]
        if missing:
            raise TypeError(f"TilingKeyField needs {' and '.join(missing)}: TilingKeyField(bits=1, values=[0, 1])")
        self.bits = bits
        self.values = values
        self.name: Any = None

    def __set_name__(self, owner: type, name: str) -> None:
        if self.name is None:
            self.name = name

    def __repr__(self) -> str:
        return f"TilingKeyField(bits={self.bits!r}, values={self.values!r})"


class TilingKeySchema:
    """The fields of a TilingKey class, in definition order."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def field_names(self) -> list[str]:
        """Names of the class's own fields."""
        return [name for name, value in vars(self.cls).items() if isinstance(value, TilingKeyField)]


__all__ = ["TilingKeyField", "TilingKeySchema"]
