"""Which variants there are: dtype column × valid TilingKey × core; their names and the constants they fold."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.selection import selection
from toolchains.twin.codegen import dtypes
from toolchains.twin.codegen.errors import InputError
from toolchains.twin.codegen.state import Variant
from toolchains.twin.codegen.values import Const, Value

Column = dict[str, str]

# Characters of field values in a file name; file systems allow 255 bytes for all of it.
_LONGEST_VALUES = 100


@dataclass(frozen=True)
class Wanted:
    """Selections of the flags `tiling_keys` and `dtypes`; none for all variants."""

    tiling_keys: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()


EVERY = Wanted()


@dataclass(frozen=True)
class Item:
    """One variant to generate."""

    column: int
    dtypes: Column
    key: manifest.ValidKey
    combo: dict[str, int]
    core: str
    source: str

    def label(self, kernel: str, soc: str) -> str:
        """The variant in the words of an error message."""
        parts = [f"{name}={value}" for name, value in (*self.combo.items(), *self.dtypes.items())]
        return f"variant {', '.join(parts)} of {kernel} on {soc}"


def read_columns(path: str, kernel: manifest.Kernel) -> list[Column]:
    """The dtype columns, checked against the kernel's datatype variables."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the dtype columns {Path(path).name}: {error}") from error
    if not isinstance(data, list) or not data or not all(isinstance(column, dict) for column in data):
        raise InputError(f"{Path(path).name} must be a list of objects, dtype variable to dtype; found {data!r:.80}")
    variables = sorted(set((kernel.datatype or {}).values()))
    for column in data:
        _check_column(column, variables, kernel.kernel_name)
    return data


def _check_column(column: dict[str, Any], variables: list[str], name: str) -> None:
    shown = json.dumps(column)
    for variable in variables:
        if variable not in column:
            have = f'dtypes = {{"{variable}": [...]}}'
            raise InputError(
                f"column {shown} gives no dtype for {variable}, a datatype variable of {name}; fix: {have}"
            )
    for variable, dtype in column.items():
        if variable not in variables:
            allowed = ", ".join(variables) or "none"
            raise InputError(
                f"column {shown}: {variable} is no datatype variable of {name}; allowed {allowed}; fix: remove it"
            )
        if dtype not in dtypes.BY_CANN:
            raise InputError(f"column {shown}: dtype {dtype!r} is not supported; allowed {', '.join(dtypes.BY_CANN)}")


def enumerate_items(kernel: manifest.Kernel, columns: list[Column], wanted: Wanted) -> list[Item]:
    """The wanted variants in the order of variants.json. SelectionError for wishes that fit nothing."""
    keys = sorted(selection.select_keys(wanted.tiling_keys, kernel), key=lambda key: key.packed)
    order = sorted(dict.fromkeys((kernel.datatype or {}).values()))
    items = []
    for index in selection.select_columns(wanted.dtypes, kernel.op_file, columns):
        column = columns[index]
        joined = "_".join(column[variable] for variable in order) or "nodtype"
        for key in keys:
            combo = kernel.tiling_key.as_dict(key.combo)
            source = _source(kernel.kernel_name, joined, combo, "vector")
            items.append(Item(index, column, key, combo, "vector", source))
    _check_unique(items)
    return items


def narrowed(kernel: manifest.Kernel, columns: list[Column], wanted: Wanted) -> dict[str, Any] | None:
    """What made a build smaller and how many variants the whole has, for variants.json; None when it is whole."""
    tiling_keys = selection.for_kernel(wanted.tiling_keys, kernel.op_file)
    dtypes = selection.for_kernel(wanted.dtypes, kernel.op_file)
    if not tiling_keys and not dtypes:
        return None
    return {"tiling_keys": tiling_keys, "dtypes": dtypes, "of": len(kernel.tiling_key.valid) * len(columns)}


def _source(kernel: str, joined: str, combo: dict[str, int], core: str) -> str:
    """The variant's file name: of field values, not of the packed key, which changes when a candidate is inserted."""
    values = "_".join(f"{name}{value}" for name, value in combo.items())
    if len(values) > _LONGEST_VALUES:
        values = values[:_LONGEST_VALUES] + "_" + hashlib.sha256(values.encode()).hexdigest()[:16]
    return f"{kernel}-{joined}-{values}-{core}.cpp"


def _check_unique(items: list[Item]) -> None:
    seen: dict[str, Item] = {}
    for item in items:
        if item.source in seen:
            raise InputError(f"two dtype columns are equal: {json.dumps(item.dtypes)}; fix: remove one of them")
        seen[item.source] = item


def variant_of(item: Item, soc: str) -> Variant:
    """The constants of a variant."""
    constants: dict[str, Value] = {name: Const(value) for name, value in item.combo.items()}
    constants.update({name: Const(dtypes.BY_CANN[dtype]) for name, dtype in item.dtypes.items()})
    return Variant(soc, constants)
