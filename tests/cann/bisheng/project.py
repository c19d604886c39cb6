"""What the tests of bisheng share: the stand-in toolkit as a repository, and the command lines of the specification."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.cann.toolkit import assemble

HERE = Path(__file__).parent
# Where the parts of a toolkit lie in its repository.
_PARTS = {
    "bisheng": "tools/bisheng_compiler",
    "asc": "{arch}/asc",
    "ascendc": "{arch}/ascendc",
    "include": "include",
    "python": "python/site-packages",
    "tikcpp": "{arch}/tikcpp",
}


def make_repository(directory: Path) -> Path:
    """Writes the stand-in toolkit, laid out as its repository is; returns the directory."""
    toolkit = assemble.make(directory.with_name(f"{directory.name}.toolkit"))
    for name, place in _PARTS.items():
        shutil.copytree(toolkit / place.format(arch=f"{platform.machine()}-linux"), directory / name)
    return directory


def golden(name: str, values: Mapping[str, str]) -> list[str]:
    """The arguments of a golden file: one a line, `#` begins a comment, `{name}` stands for a value."""
    lines = (HERE / f"golden/{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.format_map(values) for line in lines if not line.startswith("#")]
