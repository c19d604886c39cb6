"""Starts the compiler of AI Core code as it is told to, and looks at what came of it.

It stands in front of bisheng in every compile of a variant, so nothing is imported that a successful compile can do
without. The toolchain names the compiler in the environment: the command line is the compiler's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

COMPILER = "PYPTO_BISHENG"
_ELF = b"\x7fELF"


def main() -> int:
    """Entry point; returns the compiler's exit code, 128 and the signal's number after a crash."""
    compiler, arguments = os.environ[COMPILER], sys.argv[1:]
    try:
        status, output = _run([compiler, *arguments])
    except OSError as error:
        print(f"error: cannot start the compiler {compiler}: {error.strerror}", file=sys.stderr)
        return 1
    problem = _problem(status, _following(arguments, "-o"))
    if problem or output:
        # Imported only now: it takes as long as the rest of this program.
        from toolchains.cann.bisheng import report

        source = _following(arguments, "-MF", 2)
        text = report.mapped(output.decode("utf-8", "replace"), source)
        if problem:
            text = report.failure(problem, text, source, [compiler, *arguments])
        print(text, end="", file=sys.stderr)
    if status < 0:
        return 128 - status
    return status or bool(problem)


def _run(command: Sequence[str]) -> tuple[int, bytes]:
    """Runs a program; returns its exit code, the negated number of a signal, and what it printed to either stream."""
    reader, writer = os.pipe()
    streams = [(os.POSIX_SPAWN_DUP2, writer, stream) for stream in (1, 2)]
    try:
        process = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
    finally:
        os.close(writer)
    with open(reader, "rb") as stream:
        output = stream.read()
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), output


def _following(arguments: Sequence[str], option: str, distance: int = 1) -> str:
    return arguments[arguments.index(option) + distance]


def _problem(status: int, path: str) -> str:
    """What is wrong after the compiler has ended, or nothing."""
    if status < 0:
        return f"the compiler crashed (signal {-status})"
    if status:
        return f"the compiler failed (exit code {status})"
    try:
        with open(path, "rb") as file:
            magic = file.read(len(_ELF))
    except FileNotFoundError:
        return "the compiler reported success and wrote no object"
    if not magic:
        return "the compiler reported success and wrote an empty object"
    return "" if magic == _ELF else "the compiler reported success and wrote an object that is no ELF file"
