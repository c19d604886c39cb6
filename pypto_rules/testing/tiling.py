"""TilingData values → the bytes of the C struct."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from pypto_rules.testing.errors import KernelCallError
from pypto_rules.tools.contract.manifest import TilingData, TilingField

_FORMATS = {"int": "q", "float": "f", "bool": "?"}


def pack(tiling: TilingData, values: Mapping[str, Any]) -> bytes:
    """The struct's bytes, padding zeroed.

    Every field must be given, as a number or, for an array field, as a sequence of exactly its length.
    """
    names = [field.name for field in tiling.fields]
    for given in values:
        if given not in names:
            raise KernelCallError(f"{tiling.name} has no field '{given}'; its fields are {', '.join(names)}")
    buffer = bytearray(tiling.sizeof)
    for field in tiling.fields:
        if field.name not in values:
            raise KernelCallError(
                f"TilingData field '{field.name}' of {tiling.name} is missing; give all of {', '.join(names)}"
            )
        _pack_field(buffer, field, values[field.name])
    return bytes(buffer)


def _pack_field(buffer: bytearray, field: TilingField, value: Any) -> None:
    elements = _elements(field, value)
    kind = field.py.split("[", 1)[0]
    try:
        struct.pack_into(f"<{len(elements)}{_FORMATS[kind]}", buffer, field.offset, *elements)
    except (struct.error, OverflowError) as error:
        raise KernelCallError(
            f"TilingData field '{field.name}' is {field.ctype}, which cannot hold {value!r}: {error}"
        ) from None


def _elements(field: TilingField, value: Any) -> Sequence[Any]:
    if field.count is None:
        return [value]
    elements = list(value)
    if len(elements) != field.count:
        raise KernelCallError(f"TilingData field '{field.name}' has {field.count} elements, {len(elements)} given")
    return elements
