"""variants.json of the CANN code generator, as the link reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolchains.cann.binary.kernel_types import KernelType


@dataclass(frozen=True)
class Variant:
    """One compiled source: a TilingKey on one core, and the entry it defines."""

    column: int
    tiling_key: int
    combo: dict[str, int]
    core: str
    source: str
    entry: str


@dataclass(frozen=True)
class Column:
    """One binary: its name, its dtypes, its variants in the order of TilingKeys and, within a key, of cores.

    `op_column` counts the columns of the OpDef, None for a kernel without one.
    """

    binary: str
    dtypes: dict[str, str]
    op_column: int | None
    variants: tuple[Variant, ...]

    @property
    def keys(self) -> dict[int, dict[str, int]]:
        """TilingKey → field values, in order."""
        return {variant.tiling_key: variant.combo for variant in self.variants}


@dataclass(frozen=True)
class Table:
    """All columns of a kernel for a SoC; they are of one kernel type."""

    kernel_name: str
    soc: str
    kernel_type: KernelType
    columns: tuple[Column, ...]


def read(path: Path) -> Table:
    """The table of a variants.json."""
    data = json.loads(path.read_text(encoding="utf-8"))
    kernel_type = KernelType[data["kernel_type"]]
    columns = tuple(_column(item, data["variants"], kernel_type) for item in data["columns"])
    return Table(data["kernel_name"], data["soc"], kernel_type, columns)


def _column(item: dict[str, Any], variants: list[dict[str, Any]], kernel_type: KernelType) -> Column:
    own = [Variant(**variant) for variant in variants if variant["column"] == item["index"]]
    own.sort(key=lambda variant: (variant.tiling_key, kernel_type.cores.index(variant.core)))
    return Column(item["binary"], item["dtypes"], item["op_column"], tuple(own))
