"""TilingData values → the bytes of the C struct."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pypto_rules.testing.errors import KernelCallError
from pypto_rules.tools.contract.manifest import TilingData
from pypto_rules.tools.headers.struct_bytes import Field, Layout


def pack(tiling: TilingData, given: Any) -> bytes:
    """The struct's bytes, padding zeroed.

    Args:
        tiling: the contract's description of the struct.
        given: a mapping with every field, as a number or, for an array field, as a sequence of exactly its length; or
            an instance of the class of that name in the kernel's `pypto_tiling` module.

    Raises:
        KernelCallError: names the field, or the class that was given.
    """
    values = given if isinstance(given, Mapping) else _values(tiling, given)
    names = [field.name for field in tiling.fields]
    for name in values:
        if name not in names:
            raise KernelCallError(f"{tiling.name} has no field '{name}'; its fields are {', '.join(names)}")
    for name in names:
        if name not in values:
            raise KernelCallError(
                f"TilingData field '{name}' of {tiling.name} is missing; give all of {', '.join(names)}"
            )
    fields = [Field(field.name, field.name, field.element_ctype, field.count, field.offset) for field in tiling.fields]
    try:
        return Layout(tiling.name, tiling.sizeof, fields).pack(values)
    except ValueError as error:
        raise KernelCallError(f"TilingData field {error}") from None


def _values(tiling: TilingData, given: Any) -> dict[str, Any]:
    """The values of an instance of the generated class by the names of the struct's fields."""
    members = [field.name for field in tiling.fields]
    wanted = f"{tiling.name} (fields {', '.join(members)})"
    if not dataclasses.is_dataclass(given) or isinstance(given, type):
        raise KernelCallError(f"tiling is {given!r}; give a mapping or an instance of {wanted}")
    attributes = [field.name for field in dataclasses.fields(given)]
    # The generated class puts an underscore behind names that Python uses.
    same = [name.rstrip("_") for name in attributes] == [name.rstrip("_") for name in members]
    if type(given).__name__ != tiling.name or not same:
        found = f"{type(given).__name__} (fields {', '.join(attributes)})"
        raise KernelCallError(
            f"tiling is a {found}; this kernel takes a {wanted}. Import it from the kernel's own module"
        )
    return {member: getattr(given, name) for member, name in zip(members, attributes, strict=True)}
