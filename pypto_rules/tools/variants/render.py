"""Rows as a table to read, as CSV, as JSON."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from pypto_rules.tools.variants.rows import Row

_SHORT = 12  # characters of a digest that people compare


def as_table(rows: Sequence[Row], heading: str, notes: Sequence[str]) -> str:
    """Aligned columns below a heading, with what can be said of all of them at the end."""
    names = [*rows[0].dtypes, *rows[0].fields]
    head = [*names, "TilingKey", "hex", "core", "text", "sha256", "symbol"]
    lines = [head]
    for row in rows:
        values = [*row.dtypes.values(), *map(str, row.fields.values())]
        key = [str(row.tiling_key), f"0x{row.tiling_key:x}"]
        lines.append([*values, *key, row.core, str(row.text), row.sha256[:_SHORT], row.entry])
    widths = [max(_width(line[i]) for line in lines) for i in range(len(head))]
    text = [heading, ""]
    for line in lines:
        text.append("  ".join(_padded(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip())
    return "\n".join([*text, "", *notes]) + "\n"


def _width(text: str) -> int:
    """Columns a terminal shows the text in; wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def as_csv(rows: Sequence[Row]) -> str:
    """A line of names, then a line per variant."""
    names = [*rows[0].dtypes, *rows[0].fields]
    rest = [name for name in rows[0].as_json() if name not in ("dtypes", "fields")]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*names, *rest])
    for row in rows:
        data = row.as_json()
        writer.writerow([*row.dtypes.values(), *row.fields.values(), *(data[name] for name in rest)])
    return out.getvalue()


def as_json(rows: Sequence[Row], about: Mapping[str, Any]) -> str:
    """One object: what the kernel is, then its variants."""
    return json.dumps({**about, "variants": [row.as_json() for row in rows]}, ensure_ascii=False, indent=1) + "\n"
