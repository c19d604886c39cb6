"""Host libraries of tests: compiled with g++ against the SDK, loaded into the twin's host library."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pypto_rules.testing.runtime import Runtime, load_runtime

INCLUDE = Path("toolchains/twin/host_sdk/include").resolve()
COMPILER = shutil.which("g++", path="/usr/bin:/bin:/usr/local/bin") or "g++"
HOST = Path(os.environ.get("PYPTO_TWIN_HOST_LIBRARY", "bazel-bin/toolchains/twin/host_sdk/libpypto_twin_host.so"))
HOST = HOST.resolve()

PREAMBLE = """\
#include "log/log.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "util/math_util.h"
"""


@functools.cache
def runtime() -> Runtime:
    """The host library, for the whole process."""
    return load_runtime(HOST)


def compile_library(directory: Path, text: str, name: str = "host", flags: Sequence[str] = ()) -> Path:
    """A shared library of a source, as `pypto_op_host` makes them; no warning is allowed."""
    source, library = directory / f"{name}.cpp", directory / f"lib{name}.so"
    source.write_text(text)
    options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-fPIC", "-shared", f"-I{INCLUDE}"]
    command = [COMPILER, *options, *flags, str(source), "-o", str(library), str(HOST)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return library


def tiling_source(body: str, before: str = "", register: str = "") -> str:
    """A source whose tiling function of `Op` has this body; `TilingData` has two int64_t, a and b."""
    return (
        f"{PREAMBLE}\nnamespace optiling {{\nstruct TilingData {{ int64_t a; int64_t b; }};\n{before}\n"
        f"static ge::graphStatus Tile([[maybe_unused]] gert::TilingContext* context)\n{{\n{body}\n"
        f"    return ge::GRAPH_SUCCESS;\n}}\nIMPL_OP_OPTILING(Op).Tiling(Tile){register};\n}}  // namespace optiling\n"
    )


def param(name: str, *tensors: Mapping[str, Any], kind: str = "required") -> dict[str, Any]:
    """A parameter of a request."""
    return {"name": name, "kind": kind, "tensors": list(tensors)}


def tensor(*shape: int, dtype: str = "float", **more: Any) -> dict[str, Any]:
    """A tensor of a request."""
    return {"shape": list(shape), "dtype": dtype, **more}


def request(library: Path, **changes: Any) -> dict[str, Any]:
    """A call of `Op` with one input and one output of 2 x 3 floats."""
    kernel = {"name": "op", "fields": [{"name": "mode", "bits": 1, "values": [0, 1]}], "cores": "VectorCore"}
    kernel["keys"] = [{"packed": 0, "values": [0]}, {"packed": 1, "values": [1]}]
    base = {
        "library": str(library),
        "op_type": "Op",
        "soc": "ascend910b",
        "tiling_bytes": 16,
        "inputs": [param("x", tensor(2, 3))],
        "outputs": [param("y", tensor(2, 3))],
        "attrs": [],
        "kernel": kernel,
    }
    return base | changes


def tile(directory: Path, body: str, before: str = "", register: str = "", **changes: Any) -> dict[str, Any]:
    """What a tiling function with this body decides."""
    library = compile_library(directory, tiling_source(body, before, register))
    return runtime().ask("pypto_twin_tiling", request(library, **changes))
