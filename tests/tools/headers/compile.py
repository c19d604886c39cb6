"""Compiles and runs small C++ programs against generated headers."""

from __future__ import annotations

import subprocess
from pathlib import Path

STAND_INS = Path("tests/tools/headers/stand_ins")
_FLAGS = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror"]


def run(directory: Path, source: str, *options: str) -> str:
    """What the program `source` prints; `directory` holds the generated headers. A compile error fails the test."""
    done = compile_only(directory, source, *options)
    assert done.returncode == 0, done.stderr
    return subprocess.run([directory / "program"], capture_output=True, text=True, check=True).stdout


def compile_only(directory: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """The compiler's exit code and messages."""
    (directory / "program.cpp").write_text(source, encoding="utf-8")
    command = ["g++", *_FLAGS, f"-I{STAND_INS}", f"-I{directory}", *options]
    command += ["-o", str(directory / "program"), str(directory / "program.cpp")]
    return subprocess.run(command, capture_output=True, text=True, check=False)
