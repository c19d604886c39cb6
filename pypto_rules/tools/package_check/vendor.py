"""A vendor tree under test."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TBE = "op_impl/ai_core/tbe"


@dataclass(frozen=True)
class Vendor:
    """`vendors/<vendor>` of a package, and its installer."""

    root: Path
    run: Path

    @functools.cached_property
    def paths(self) -> dict[str, Path]:
        """Every file and link by its path in the tree; what links lead to is no second time in it."""
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {str(path.relative_to(self.root)): path for path in sorted(found)}

    @functools.cached_property
    def manifest(self) -> dict[str, Any]:
        """manifest.json."""
        return self.load("manifest.json")

    def load(self, path: str) -> Any:
        """A JSON file of the tree."""
        return json.loads((self.root / path).read_text(encoding="utf-8"))
