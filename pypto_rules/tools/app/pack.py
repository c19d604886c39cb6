"""Lays the files of a Python tool out in one directory, with a compiled copy of each module.

Arguments, one a line of the file named by `@FILE`: the directory; the module to run; the directories below it that
modules are imported from, joined by `:`; then `place=source` for every file.
"""

from __future__ import annotations

import py_compile
import shutil
import sys
from pathlib import Path

_MAIN = """\
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:1] = [os.path.join(_HERE, name) for name in {roots!r}]

from {module} import main  # noqa: E402  after the path is set

sys.exit(main())
"""


def pack(directory: Path, module: str, roots: list[str], files: dict[str, str]) -> None:
    """Make the directory; `files` gives the source of each place in it.

    Compiled modules are bound to their source by nothing but their place: both are written here, once, and
    `unchecked-hash` is the one form without a time stamp that Python does not verify at each start.
    """
    for place, source in files.items():
        target = directory / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        if target.suffix == ".py":
            py_compile.compile(
                str(target),
                dfile=place,  # what tracebacks show; the directory's own path would differ from machine to machine
                doraise=True,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
    (directory / "__main__.py").write_text(_MAIN.format(module=module, roots=roots), encoding="utf-8")


def main(argument: str) -> int:
    """Pack what the argument file says."""
    lines = Path(argument.removeprefix("@")).read_text(encoding="utf-8").splitlines()
    directory, module, roots, *files = lines
    pack(Path(directory), module, roots.split(":"), dict(line.split("=", 1) for line in files))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
