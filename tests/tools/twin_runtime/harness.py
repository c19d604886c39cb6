"""Compiles small C++ programs against the twin run time and calls them through the ABI, for the tests here."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pypto_rules.testing.abi import Launch

RUNTIME = Path("toolchains/twin/runtime")
FLAGS = [
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-Wall",
    "-Wextra",
    "-Werror",
    f"-I{RUNTIME / 'include'}",
]
PREAMBLE = '#include "pypto_twin/runtime.h"\nnamespace pt = pypto_twin;\n'


@dataclass(frozen=True)
class Outcome:
    """What a launch gave back."""

    result: int
    site: int
    message: str


def compilers() -> list[str]:
    """The C++ compilers of this machine; the first one compiles the tests."""
    wanted = [os.environ.get("CXX", ""), "g++", "clang++", "c++"]
    return [path for path in dict.fromkeys(shutil.which(name) for name in wanted if name) if path]


def compile_to(output: Path, source: str, compiler: str, extra: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs the compiler on a program text that starts with the preamble."""
    text = output.with_suffix(".cpp")
    text.write_text(source if "runtime.h" in source else PREAMBLE + source, encoding="utf-8")
    command = [compiler, *FLAGS, *extra, str(text), "-o", str(output)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Programs:
    """Compiled programs of one test session, each text once."""

    def __init__(self) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="twin_runtime_")
        self._loaded: dict[str, ctypes.CDLL] = {}

    def load(self, source: str) -> ctypes.CDLL:
        """The shared object of a program text."""
        digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        if digest not in self._loaded:
            output = Path(self._directory.name) / f"{digest}.so"
            done = compile_to(output, source, compilers()[0], ["-shared"])
            assert done.returncode == 0, done.stderr
            self._loaded[digest] = ctypes.CDLL(str(output))
        return self._loaded[digest]

    def compile_error(self, source: str) -> str:
        """The compiler's words about a program that must not compile."""
        output = Path(self._directory.name) / "refused.o"
        done = compile_to(output, source, compilers()[0], ["-c"])
        assert done.returncode != 0, "the program compiled"
        return done.stderr


PROGRAMS = Programs()


def launch(
    source: str,
    arrays: list[np.ndarray],
    tiling: bytes = b"",
    block_dim: int = 1,
    entry: str = "entry",
    arg_count: int | None = None,
    threads: int = 0,
) -> Outcome:
    """Calls an entry; the arrays are its pointer arguments and are changed in place."""
    function = getattr(PROGRAMS.load(source), entry)
    function.restype = ctypes.c_int32
    message = ctypes.create_string_buffer(1024)
    addresses = (ctypes.c_void_p * max(1, len(arrays)))(*[array.ctypes.data for array in arrays])
    sizes = (ctypes.c_uint64 * max(1, len(arrays)))(*[array.nbytes for array in arrays])
    request = Launch(
        struct_size=ctypes.sizeof(Launch),
        block_dim=block_dim,
        arg_count=len(arrays) if arg_count is None else arg_count,
        threads=threads,
        args=ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p)),
        arg_bytes=ctypes.cast(sizes, ctypes.POINTER(ctypes.c_uint64)),
        tiling=tiling,
        tiling_bytes=len(tiling),
        message=ctypes.cast(message, ctypes.c_char_p),
        message_bytes=len(message),
        site=-7,
    )
    result = function(ctypes.byref(request))
    return Outcome(result, request.site, message.value.decode())


def run(source: str, arrays: list[np.ndarray], tiling: bytes = b"", block_dim: int = 1, entry: str = "entry") -> None:
    """A launch that must succeed."""
    outcome = launch(source, arrays, tiling, block_dim, entry)
    assert outcome == Outcome(0, -1, ""), outcome


def body(code: str, args: int = 0, soc: str = "ascend910b", core: str = "vector", tiling: str = "pt::NoTiling") -> str:
    """A program with one entry whose kernel body is `code`; sites are literals in it."""
    return (
        f"namespace {{\nvoid kernel([[maybe_unused]] pt::Block& block, [[maybe_unused]] const {tiling}& tiling) {{\n"
        f"{code}\n}}\n}}\n"
        f'extern "C" PYPTO_TWIN_EXPORT int32_t entry(pypto_twin_launch* launch) {{\n'
        f"  return pt::run<pt::soc::{soc}, pt::core::{core}, {args}, {tiling}>(launch, &kernel);\n}}\n"
    )


def refusal(code: str, arrays: list[np.ndarray] | None = None, soc: str = "ascend910b") -> tuple[int, str]:
    """Site and message of a kernel body that must break a rule in its one block."""
    arrays = arrays or []
    outcome = launch(body(code, len(arrays), soc), arrays)
    assert outcome.result == 1, outcome
    suffix = " [block 0 of 1]"
    assert outcome.message.endswith(suffix), outcome
    return outcome.site, outcome.message[: -len(suffix)]
