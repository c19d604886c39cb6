"""Every header of the SDK compiles alone, without a warning, in the language its users write."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tools.host_sdk.harness import COMPILER, INCLUDE

HEADERS = sorted(str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*.h"))
PLAIN_C = [name for name in HEADERS if name.startswith("acl") or name in ("securec.h", "pypto_twin/host/testing.h")]


def compile_alone(header: str, directory: Path, *options: str) -> None:
    source = directory / "alone"
    source.write_text(f'#include "{header}"\n#include "{header}"\n')
    command = [COMPILER, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", *options, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_there_are_headers() -> None:
    assert {"register/op_def_registry.h", "exe_graph/runtime/tiling_context.h", "acl/acl.h"} <= set(HEADERS)


@pytest.mark.parametrize("header", HEADERS)
def test_cxx(header: str, tmp_path: Path) -> None:
    compile_alone(header, tmp_path, "-std=c++17", "-x", "c++")


@pytest.mark.parametrize("header", PLAIN_C)
def test_c(header: str, tmp_path: Path) -> None:
    compile_alone(header, tmp_path, "-std=c11", "-x", "c")
