"""A private place to execute a kernel in: nothing of the machine reaches pypto_pro, nothing of it stays behind.

pypto_pro writes below the current directory and reads and sets variables of the environment (cann-flow, section 9,
items 3 and 4). torch, which it imports for launches on a device, is a module here that has nothing: whatever asks it
for something is told so, instead of going on with a mock (item 7).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import types
from collections.abc import Iterator, Sequence
from pathlib import Path

_KEPT = ("LC_ALL", "PATH", "TZ")
_ABSENT = ("torch", "torch_npu")


class PrivateError(Exception):
    """A file cannot be brought to the private place; the text is for the user."""


class _Absent(types.ModuleType):
    """A module that may be imported and has nothing."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"{self.__name__}.{name} was used while code was generated, where there is no {self.__name__}; "
            "use it in functions that only a launch calls"
        )


@contextlib.contextmanager
def place(files: Sequence[str], import_roots: Sequence[str]) -> Iterator[Path]:
    """A directory with copies of the files at the same relative paths, as current directory; its environment is fixed.

    What is imported from `import_roots` is found there. Everything is as before afterwards.
    """
    before = dict(os.environ), os.getcwd(), list(sys.path), sys.dont_write_bytecode
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch).resolve()
        for file in files:
            _copy(Path(file), directory)
        try:
            os.environ.clear()
            os.environ.update({name: before[0][name] for name in _KEPT if name in before[0]}, HOME=str(directory))
            os.chdir(directory)
            sys.dont_write_bytecode = True
            sys.path[:0] = [str(directory / relative(root)) for root in import_roots]
            sys.modules.update({name: _Absent(name) for name in _ABSENT})
            yield directory
        finally:
            os.environ.clear()
            os.environ.update(before[0])
            os.chdir(before[1])
            sys.path[:], sys.dont_write_bytecode = before[2:]
            for name in _ABSENT:
                sys.modules.pop(name, None)


def relative(path: str) -> str:
    """Where a path of the command line lies in the private place."""
    return path.lstrip("/")


def _copy(file: Path, directory: Path) -> None:
    copied = directory / relative(str(file))
    copied.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(file, copied)
    except OSError as error:
        raise PrivateError(
            f"cannot read {file}: {error.strerror}; name an existing file in --kernel or --src"
        ) from error
