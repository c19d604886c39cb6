"""kernel.json: the typed model, its reader and its writer.

Every tool after the contract (headers, code generation, link, package) gets a kernel through `read`.
The field names are part of the contract between the tools; `SCHEMA_VERSION` changes when their meaning does.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, overload

SCHEMA_VERSION = 1


class ManifestError(ValueError):
    """The file is not a kernel.json of this version."""


@dataclass(frozen=True)
class KeyField:
    """One TilingKey field: `bits` wide at bit `offset`; `values` in the order that gives the packed index."""

    name: str
    bits: int
    offset: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class ValidKey:
    """One legal combination: field values in field order, and the packed 64-bit key of their indices."""

    combo: tuple[int, ...]
    packed: int
    packed_hex: str


class ValidKeys(Sequence[ValidKey]):
    """Legal combinations, kept as their packed keys alone: there may be a million of them."""

    def __init__(self, fields: tuple[KeyField, ...], packed: array[int]) -> None:
        self._fields = fields
        self.packed = packed

    def __len__(self) -> int:
        return len(self.packed)

    @overload
    def __getitem__(self, place: int) -> ValidKey: ...
    @overload
    def __getitem__(self, place: slice) -> ValidKeys: ...
    def __getitem__(self, place: int | slice) -> ValidKey | ValidKeys:
        if isinstance(place, slice):
            return ValidKeys(self._fields, self.packed[place])
        packed = self.packed[place]
        combo = tuple(field.values[packed >> field.offset & ((1 << field.bits) - 1)] for field in self._fields)
        return ValidKey(combo, packed, f"{packed:x}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)


@dataclass(frozen=True)
class TilingKey:
    """The TilingKey schema. `total_combos` is the raw product, `valid` what is_valid leaves (never empty)."""

    name: str
    fields: tuple[KeyField, ...]
    total_bits: int
    has_is_valid: bool
    total_combos: int
    valid: Sequence[ValidKey]

    def as_dict(self, combo: tuple[int, ...]) -> dict[str, int]:
        """The combination with its field names, in field order."""
        return {field.name: value for field, value in zip(self.fields, combo, strict=True)}


@dataclass(frozen=True)
class TilingField:
    """One TilingData member. `count` is None for a scalar; `ctype` is `int64_t` or, for arrays, `int64_t[4]`."""

    name: str
    py: str
    dtype: str
    count: int | None
    offset: int
    size: int
    ctype: str

    @property
    def element_ctype(self) -> str:
        """The C type of one element, without the array bound."""
        return self.ctype.split("[", 1)[0]


@dataclass(frozen=True)
class TilingData:
    """The TilingData struct as the C++ compilers of host and device lay it out."""

    param: str
    name: str
    sizeof: int
    align: int
    fields: tuple[TilingField, ...]


@dataclass(frozen=True)
class Param:
    """One kernel parameter. `kind`: ptr, tensor or tiling; `shape` only for tensor."""

    name: str
    kind: str
    dtype: str | None
    shape: tuple[int, ...] | None


@dataclass(frozen=True)
class EntryParam:
    """One parameter of the device entry function."""

    ctype: str
    name: str
    pointer: bool


@dataclass(frozen=True)
class Kernel:
    """Everything the contract says about one kernel file. `arch` is the architecture it pins, None when none."""

    kernel_name: str
    op_file: str
    tiling_key: TilingKey
    datatype: dict[str, str] | None
    tiling: TilingData
    params: tuple[Param, ...]
    entry_params: tuple[EntryParam, ...]
    has_cube: bool
    has_vector: bool
    arch: str | None = None

    @property
    def workspace(self) -> Param:
        """The workspace parameter (always second to last)."""
        return self.params[-2]

    @property
    def business_params(self) -> tuple[Param, ...]:
        """Inputs and outputs of the operator, in order."""
        return self.params[:-2]


def to_json(kernel: Kernel) -> dict[str, Any]:
    """The kernel as plain JSON data, `schema_version` first."""
    data = {"schema_version": SCHEMA_VERSION, **asdict(_without_keys(kernel))}
    data["tiling_key"]["valid"] = [asdict(key) for key in kernel.tiling_key.valid]
    return data


def _without_keys(kernel: Kernel) -> Kernel:
    return replace(kernel, tiling_key=replace(kernel.tiling_key, valid=()))


def lines(kernel: Kernel) -> Iterator[str]:
    """The text of kernel.json, that of `dumps(to_json(kernel))`, in parts that need little memory."""
    before, after = dumps({"schema_version": SCHEMA_VERSION, **asdict(_without_keys(kernel))}).split('"valid": []')
    yield before + '"valid": ['
    separator = "\n"
    for key in kernel.tiling_key.valid:
        values = ",\n     ".join(map(str, key.combo))
        yield f'{separator}   {{\n    "combo": [\n     {values}\n    ],\n'
        yield f'    "packed": {key.packed},\n    "packed_hex": "{key.packed_hex}"\n   }}'
        separator = ",\n"
    yield "\n  ]" + after


def dumps(data: Any) -> str:
    """JSON text in the one format that passes between the tools."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def write(kernel: Kernel, path: str | Path) -> None:
    """Write kernel.json."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines(kernel))


def read(path: str | Path) -> Kernel:
    """Read kernel.json."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ManifestError(f"cannot read the kernel manifest {Path(path).name}: {error}") from error
    return from_json(data, name=Path(path).name)


def from_json(data: Any, name: str = "kernel.json") -> Kernel:
    """The kernel from JSON data; `name` is used in error texts."""
    version = data.get("schema_version") if isinstance(data, dict) else None
    if version != SCHEMA_VERSION:
        found = f"{name}: schema_version is {version!r}"
        raise ManifestError(f"{found}, this tool reads {SCHEMA_VERSION}; rebuild the kernel")
    try:
        return _kernel(data)
    except (KeyError, TypeError) as error:
        raise ManifestError(f"{name}: not a complete kernel manifest: {error}; rebuild the kernel") from error


def _kernel(data: dict[str, Any]) -> Kernel:
    return Kernel(
        kernel_name=data["kernel_name"],
        op_file=data["op_file"],
        tiling_key=_tiling_key(data["tiling_key"]),
        datatype=data["datatype"],
        tiling=TilingData(**{**data["tiling"], "fields": tuple(TilingField(**f) for f in data["tiling"]["fields"])}),
        params=tuple(Param(**{**p, "shape": _shape(p["shape"])}) for p in data["params"]),
        entry_params=tuple(EntryParam(**p) for p in data["entry_params"]),
        has_cube=data["has_cube"],
        has_vector=data["has_vector"],
        arch=data.get("arch"),
    )


def _tiling_key(data: dict[str, Any]) -> TilingKey:
    fields = tuple(KeyField(**{**f, "values": tuple(f["values"])}) for f in data["fields"])
    valid = tuple(ValidKey(**{**v, "combo": tuple(v["combo"])}) for v in data["valid"])
    return TilingKey(**{**data, "fields": fields, "valid": valid})


def _shape(shape: list[int] | None) -> tuple[int, ...] | None:
    return None if shape is None else tuple(shape)
