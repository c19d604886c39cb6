"""`_def.cpp` sources of tests, compiled and read as `pypto_op_def` does it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from pypto_rules.tools.opdef import __main__ as tool
from pypto_rules.tools.opdef import model
from tests.tools.host_sdk.harness import COMPILER, INCLUDE

DUMP = Path(os.environ.get("PYPTO_OP_DEF_DUMP", "bazel-bin/toolchains/twin/host_sdk/op_def_dump")).resolve()
LIBRARY = Path(os.environ.get("PYPTO_OP_DEF_LIBRARY", "bazel-bin/toolchains/twin/host_sdk/libpypto_twin_op_def.so"))
LIBRARY = LIBRARY.resolve()

PLAIN = """\
this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
"""
CONFIG = 'this->AICore().AddConfig("ascend910b");\n'
# Lines in front of the constructor's body.
FIRST = 6


def source(body: str, after: str = "OP_ADD(Scale);") -> str:
    """A definition of `Scale` with this constructor body, which begins on line `FIRST`."""
    head = '#include "register/op_def_registry.h"\nnamespace ops {\nclass Scale : public OpDef {\npublic:\n'
    return f"{head}    explicit Scale(const char* name) : OpDef(name) {{\n{body}\n    }}\n}};\n{after}\n}}\n"


def read(directory: Path, text: str, *options: str) -> tuple[int, Path]:
    """Compile a definition and run the tool on it: its exit status, and where op.json is."""
    path, library, out = directory / "scale_def.cpp", directory / "library.so", directory / "op.json"
    path.write_text(text)
    command = [COMPILER, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", f"-I{INCLUDE}", str(path)]
    done = subprocess.run([*command, "-o", str(library), str(LIBRARY)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    files = ["--dump", str(DUMP), "--library", str(library), "--shown", "op_host/scale_def.cpp", "--out", str(out)]
    return tool.main([*files, *options]), out


def described(directory: Path, body: str) -> model.OpDef:
    """op.json of a definition that is right."""
    status, out = read(directory, source(body))
    assert status == 0
    return model.read(out, "op.json")
