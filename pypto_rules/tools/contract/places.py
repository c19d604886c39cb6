"""Where Python's own modules, the front end and these tools lie: all that is not the user's."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def standard_library() -> list[str]:
    """The entries of sys.path that are the standard library's."""
    roots = {os.path.dirname(os.path.abspath(os.__file__))}
    kept = []
    for entry in sys.path:
        absolute = os.path.abspath(entry) if entry else ""
        inside = any(absolute == root or absolute.startswith(root + os.sep) for root in roots)
        zipped = absolute.endswith(f"python{sys.version_info[0]}{sys.version_info[1]}.zip")
        if (inside or zipped) and not is_installed(absolute):
            kept.append(entry)
    return kept


def is_installed(path: str) -> bool:
    """Whether a path is a package installed on the machine, which no build may see."""
    return "site-packages" in path or "dist-packages" in path


def front_end() -> str:
    """The directory `pypto_pro` is imported from."""
    import pypto_pro

    return str(Path(os.path.abspath(pypto_pro.__file__ or "")).parent.parent)


def tools() -> str:
    """The directory `pypto_rules` is imported from."""
    return str(Path(os.path.abspath(__file__)).parents[3])
