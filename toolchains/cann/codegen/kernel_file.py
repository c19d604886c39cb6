"""The kernel file as pypto_pro executes it, and errors in the user's words: file, line, variant."""

from __future__ import annotations

import contextlib
import linecache
import sys
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_MODULE = "pypto_kernel_file"


class KernelError(Exception):
    """pypto_pro refuses the kernel; the text is for the user."""


def load(path: str, kernel_name: str) -> Any:
    """Execute the kernel file at a relative path, once, and return its kernel.

    The module is registered while it is executed: dataclasses look themselves up (cann-flow, section 1.9).
    """
    module = types.ModuleType(_MODULE)
    module.__file__ = path
    sys.modules[_MODULE] = module
    with reported(path, "loading the kernel file"):
        text = Path(path).read_bytes()
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    kernel = getattr(module, kernel_name, None)
    if not hasattr(kernel, "to_kernel_def"):
        raise KernelError(
            f"{path}: pypto_pro sees no @pl.jit kernel '{kernel_name}' here, which kernel.json names. Rebuild it."
        )
    return kernel


@contextlib.contextmanager
def reported(path: str, doing: str) -> Iterator[None]:
    """Whatever is raised inside becomes a KernelError at the user's line."""
    linecache.clearcache()
    try:
        yield
    except KernelError:
        raise
    except (Exception, SystemExit) as error:
        line = _line(error, path)
        at = f"{line[0]}:{line[1]}" if line else path
        said = " ".join(str(error).split()) or "no further words"
        raise KernelError(f"{at}: pypto_pro: {type(error).__name__}: {said} [{doing}]") from error


def _line(error: BaseException, path: str) -> tuple[str, int] | None:
    """The innermost line of the user's files: those at relative paths, as `load` compiled them."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return _shown(error.filename), error.lineno
    here = str(Path.cwd())
    frames = [
        (frame.filename, frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path or frame.filename.startswith(here + "/")
    ]
    if not frames:
        # pypto_pro reads the kernel's syntax tree: some versions say where in the error itself.
        line = getattr(error, "lineno", None) or getattr(error, "line", None)
        return (path, line) if isinstance(line, int) else None
    name, number = frames[-1]
    return _shown(name), number or 1


def _shown(name: str) -> str:
    return name.removeprefix(str(Path.cwd()) + "/")
