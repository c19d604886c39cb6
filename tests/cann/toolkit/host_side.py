"""The host side of the stand-in toolkit: headers and sources of the twin's host SDK, compiled under CANN's names.

Headers are copies of the twin's; the registry of OpDefs, contexts, platforms and log behind them go into the libraries
that CANN has them in. op_build is a program of the stand-in's own.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent / "host"
SDK = Path(__file__).parents[3] / "toolchains" / "twin" / "host_sdk"
RUNTIME = Path(__file__).parents[3] / "toolchains" / "twin" / "runtime" / "include"
COMPILER = shutil.which("g++", path="/usr/bin:/bin:/usr/local/bin") or "g++"

# CANN's libraries are of the old ABI (cann-flow, section 3.5).
_OPTIONS = ["-std=c++17", "-fPIC", "-fvisibility=hidden", "-D_GLIBCXX_USE_CXX11_ABI=0"]
# Shared library → sources of the twin's SDK; each further one is a name alone.
_REGISTER = ["names", "op_def/op_def", "op_def/op_description", "register/op_impl_registry", "register/libraries"]
_SHARED = {
    "exe_graph": ["exe_graph/contexts", "exe_graph/node_state"],
    "platform": ["platform/platforms"],
    "register": _REGISTER,
    "unified_dlog": ["log/log"],
}
_NAMES = ["ascendcl", "c_sec", "ge_compiler", "graph", "graph_base"]
# Archives, which packages take whole: each has a mark of its name.
_ARCHIVES = ["rt2_registry", "tiling_api"]


@functools.cache
def files() -> dict[str, bytes]:
    """The files by their place in the toolkit, once for the whole process."""
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        built = {f"lib64/{path.name}": path for path in _libraries(directory)}
        built["tools/opbuild/op_build"] = _op_build(directory)
        headers = {f"include/{path.relative_to(SDK / 'include')}": path for path in (SDK / "include").rglob("*.h")}
        headers["include/standin_nnopbase.h"] = HERE / "standin_nnopbase.h"
        return {place: path.read_bytes() for place, path in sorted((built | headers).items())}


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the stand-in's host side cannot be built: {done.stderr}")


def _include() -> list[str]:
    return [f"-I{directory}" for directory in (SDK / "include", SDK / "src", RUNTIME, HERE)]


def _object(directory: Path, source: Path) -> Path:
    made = directory / f"{source.stem}.o"
    _run([COMPILER, *_OPTIONS, *_include(), "-c", source, "-o", made])
    return made


def _libraries(directory: Path) -> list[Path]:
    sources = {name: [SDK / "src" / f"{stem}.cc" for stem in stems] for name, stems in _SHARED.items()}
    sources["nnopbase"] = [HERE / "nnopbase.cpp"]
    for name in [*_NAMES, *_ARCHIVES]:
        sources[name] = [directory / f"standin_{name}.cpp"]
        shown = '__attribute__((visibility("default"), used)) ' if name in _NAMES else ""
        sources[name][0].write_text(f'extern "C" {{ {shown}int standin_{name}() {{ return 0; }} }}\n')
    with ThreadPoolExecutor(2) as pool:
        objects = {name: [pool.submit(_object, directory, path) for path in paths] for name, paths in sources.items()}
    return [_library(directory, name, [made.result() for made in found]) for name, found in sorted(objects.items())]


def _library(directory: Path, name: str, objects: Sequence[Path]) -> Path:
    if name in _ARCHIVES:
        archive = directory / f"lib{name}.a"
        _run(["ar", "rcsD", archive, *objects])
        return archive
    library = directory / f"lib{name}.so"
    _run([COMPILER, "-shared", f"-Wl,-soname,{library.name}", "-Wl,--build-id=none", *objects, "-o", library])
    return library


def _op_build(directory: Path) -> Path:
    program = directory / "op_build"
    _run([COMPILER, *_OPTIONS, *_include(), HERE / "op_build.cpp", directory / "libregister.so", "-ldl", "-o", program])
    return program
