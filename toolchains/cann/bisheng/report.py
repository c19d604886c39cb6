"""What a failed compile of a variant says: which one, the compiler's message, the kernel's lines, how to repeat it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

_TITLE = re.compile(r"//\s*(?P<shown>\S.*)")
_ORIGIN = re.compile(r"//\s*(?P<origin>\S+\.py:\d+)\s*$")


def failure(problem: str, message: str, source: str, command: Sequence[str]) -> str:
    """The text of a failure.

    Args:
        problem: what happened.
        message: what the compiler printed.
        source: path of the variant's source, whose first line says which variant it is.
        command: the compiler's command line.
    """
    title = _TITLE.match(_lines(source)[0])
    shown = f"{title['shown']} ({source})" if title else source
    # Bazel keeps the inputs there when a sandbox is gone; the paths of the command are relative to it.
    repeated = f'(cd "$(bazel info execution_root)" && {shlex.join(command)})'
    return f"error: {problem}\n  variant: {shown}\n{message}  to repeat it, from the workspace:\n  {repeated}\n"


def mapped(message: str, source: str) -> str:
    """The compiler's message, with the kernel's line below each line that names a position in the source.

    Args:
        message: what the compiler printed.
        source: path of the source, whose comments `// <file>.py:<line>` say where the code below them comes from.
    """
    position = re.compile(rf"{re.escape(source)}:(?P<line>\d+)(:\d+)?[:,] ")
    text = []
    for line in message.splitlines():
        text.append(line)
        found = position.search(line)
        origin = _origin(_lines(source)[: int(found["line"])]) if found else None
        if origin:
            text.append(f"  which is the code of {origin}")
    return "".join(f"{line}\n" for line in text)


def _origin(lines: Sequence[str]) -> str | None:
    """The position that the last comment of some lines names."""
    found = filter(None, map(_ORIGIN.search, reversed(lines)))
    return next((match["origin"] for match in found), None)


def _lines(source: str) -> list[str]:
    return Path(source).read_text(encoding="utf-8", errors="replace").splitlines() or [""]
