"""kernel.json, variants.json and the generated sources → one row per variant."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Row:
    """One variant; variants with the same `text` number have the same source and become one object in the binary."""

    dtypes: Mapping[str, str]
    fields: Mapping[str, int]
    tiling_key: int
    core: str
    entry: str
    source: str
    sha256: str
    text: int

    def as_json(self) -> dict[str, Any]:
        """The row as JSON data."""
        return {
            "dtypes": dict(self.dtypes),
            "fields": dict(self.fields),
            "tiling_key": self.tiling_key,
            "tiling_key_hex": f"0x{self.tiling_key:x}",
            "core": self.core,
            "symbol": self.entry,
            "source": self.source,
            "sha256": self.sha256,
            "text": self.text,
        }


def rows_of(variants: Mapping[str, Any], directories: Sequence[Path]) -> list[Row]:
    """The rows in the order of dtype columns and TilingKeys; texts are numbered from 1 as they come."""
    sources = {path.name: path for directory in directories for path in directory.iterdir()}
    dtypes = {column["index"]: column["dtypes"] for column in variants["columns"]}
    numbers: dict[str, int] = {}
    rows = []
    for variant in sorted(variants["variants"], key=lambda v: (v["column"], v["tiling_key"], v["core"])):
        digest = hashlib.sha256(sources[variant["source"]].read_bytes()).hexdigest()
        number = numbers.setdefault(digest, len(numbers) + 1)
        column = dict(sorted(dtypes[variant["column"]].items()))
        key, core, entry, source = (variant[name] for name in ("tiling_key", "core", "entry", "source"))
        rows.append(Row(column, variant["combo"], key, core, entry, source, digest, number))
    return rows
