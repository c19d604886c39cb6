"""Which variants of a kernel are wanted, and what their sources are called."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.codegen.columns import Column
from pypto_rules.tools.contract import manifest
from pypto_rules.tools.selection import selection

# Characters of field values in a file name; file systems allow 255 bytes for all of it.
_LONGEST_VALUES = 100


@dataclass(frozen=True)
class Wanted:
    """Selections of the flags `tiling_keys` and `dtypes`; none for all variants."""

    tiling_keys: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()


EVERY = Wanted()


def keys(kernel: manifest.Kernel, wanted: Wanted) -> list[manifest.ValidKey]:
    """The wanted TilingKeys by number. SelectionError for wishes that fit nothing, as of the following two."""
    return sorted(selection.select_keys(wanted.tiling_keys, kernel), key=lambda key: key.packed)


def columns(kernel: manifest.Kernel, given: Sequence[Column], wanted: Wanted) -> list[int]:
    """The indices of the wanted columns."""
    return selection.select_columns(wanted.dtypes, kernel.op_file, given)


def narrowed(kernel: manifest.Kernel, whole: int, wanted: Wanted) -> dict[str, Any] | None:
    """What made a build smaller and how many variants the `whole` has, for variants.json; None when it is whole."""
    tiling_keys = selection.for_kernel(wanted.tiling_keys, kernel.op_file)
    dtypes = selection.for_kernel(wanted.dtypes, kernel.op_file)
    if not tiling_keys and not dtypes:
        return None
    return {"tiling_keys": tiling_keys, "dtypes": dtypes, "of": whole}


def joined(kernel: manifest.Kernel, column: Column) -> str:
    """The dtypes of a column in a file name."""
    order = sorted(dict.fromkeys((kernel.datatype or {}).values()))
    return "_".join(column[variable] for variable in order) or "nodtype"


def source_name(kernel: str, column: str, combo: Mapping[str, int], core: str) -> str:
    """The variant's file name: of field values, not of the packed key, which changes when a candidate is inserted."""
    values = "_".join(f"{name}{value}" for name, value in combo.items())
    if len(values) > _LONGEST_VALUES:
        values = values[:_LONGEST_VALUES] + "_" + hashlib.sha256(values.encode()).hexdigest()[:16]
    return f"{kernel}-{column}-{values}-{core}.cpp"


def label(kernel: str, soc: str, combo: Mapping[str, int], dtypes: Column) -> str:
    """The variant in the words of an error message."""
    parts = [f"{name}={value}" for name, value in (*combo.items(), *dtypes.items())]
    return f"variant {', '.join(parts)} of {kernel} on {soc}"
