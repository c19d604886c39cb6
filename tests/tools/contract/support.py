"""Helpers of the contract's tests: kernels in a temporary directory, checked in this process or by the tool."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FRONT_END = Path(os.getcwd()) / "toolchains" / "twin" / "frontend"
if str(FRONT_END) not in sys.path:  # by hand; Bazel puts the front end on the path
    sys.path.insert(0, str(FRONT_END))
TOOL = FRONT_END / "contract"  # what actions run; by hand it is not built

from pypto_rules.tools.contract import check, load, schema  # noqa: E402

HEAD = """\
from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField
"""
TILING = """
@dataclass
class OpTiling:
    total: int
"""
KEY = """
class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])
"""
JIT = "\n@pl.jit(tiling_key=OpKey)\n"
PARAMS = "x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling"
BODY = """\
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            pl.load(x, y, [0, i])
"""


def kernel_text(
    head: str = HEAD, tiling: str = TILING, key: str = KEY, jit: str = JIT, params: str = PARAMS, body: str = BODY
) -> str:
    """A kernel file called op.py that is right unless a part is replaced."""
    return f"{head}{tiling}{key}{jit}def op({params}):\n{body}"


def check_file(path: Path, shown: str = "", max_variants: int = schema.DEFAULT_MAX_VARIANTS, **more) -> check.Result:
    """Check a kernel file in this process."""
    return check.check(load.Request(path, shown or path.name, **more), max_variants)


def check_text(directory: Path, text: str, name: str = "op.py", **more) -> check.Result:
    """Check a kernel given as text."""
    path = directory / name
    path.write_bytes(text.encode("utf-8"))
    return check_file(path, **more)


def codes(result: check.Result) -> list[str]:
    """The codes of the problems, in the order of the file."""
    return [problem.code.removeprefix("PYPTO-") for problem in result.problems]


def run_tool(*arguments: str, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the contract tool as a process of its own."""
    environment = {"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", ""), **(env or {})}
    environment["PYTHONPATH"] = ":".join([str(FRONT_END), os.getcwd(), environment.get("PYTHONPATH", "")])
    tool = [str(TOOL)] if TOOL.exists() else [sys.executable, "-B", "-m", "pypto_rules.tools.contract"]
    return subprocess.run(
        [*tool, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def line_of(text: str, part: str, nth: int = 1) -> int:
    """The number of the nth line that contains `part`."""
    found = [number for number, line in enumerate(text.split("\n"), 1) if part in line]
    return found[nth - 1]
