"""A kernel file through both tools of the twin: the contract loads and checks it, the generator writes its code."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from pypto_rules.tools.contract import load, manifest
from tests.tools.contract.support import check  # by way of support, which finds the front end
from toolchains.twin.codegen import driver

MESSAGE = re.compile(r"(?P<path>\S+):(?P<line>\d+):\d+: error\[(?P<code>PYPTO-[EG]\d{3})\]: (?P<what>.+); fix: \S")
KERNEL = """\
from __future__ import annotations
from dataclasses import dataclass
import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField
{module}
@dataclass
class OpTiling:
    total: int
class OpKey:
    mode = TilingKeyField(bits=1, values=[0])
@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    tt = pl.TileType(shape=[1, 64], dtype=pl.DT_FP16)
    a = pl.make_tile(tt, addr=0, size=128)
    b = pl.make_tile(tt, addr=128, size=128)
    with pl.section_vector():
        {statement}
        pl.exp(b, b)
"""


@dataclass
class Outcome:
    """The contract's problems and, when there are none, the code generator's errors; each as the user reads it."""

    problems: list[str]
    errors: list[str]

    @property
    def codes(self) -> list[str]:
        """The codes of all messages; each message must have the form of one."""
        found = [MESSAGE.match(text) for text in (*self.problems, *self.errors)]
        assert all(found), (self.problems, self.errors)
        return [match["code"] for match in found]


def both(directory: Path, text: str, name: str = "op.py") -> Outcome:
    """Check a kernel file, and generate its code for ascend910b, with float16 for every datatype variable."""
    path = directory / name
    path.write_text(text, encoding="utf-8")
    result = check.check(load.Request(path, path.name))
    if result.kernel is None:
        return Outcome(list(result.texts), [])
    manifest.write(result.kernel, directory / "kernel.json")
    column = dict.fromkeys((result.kernel.datatype or {}).values(), "float16")
    (directory / "columns.json").write_text(json.dumps([column]), encoding="utf-8")
    return Outcome([], generate(directory, name))


def generate(directory: Path, name: str = "op.py") -> list[str]:
    """The errors of the code generator for a kernel file, with the manifest and the column that `both` left there."""
    inputs = (str(directory / file) for file in (name, "kernel.json", "columns.json"))
    errors = driver.generate(driver.Request(*inputs, "ascend910b", "Op")).errors
    return [error.replace(str(directory) + os.sep, "") for error in errors]


def kernel(directory: Path, statement: str, module: str = "") -> Outcome:
    """The outcome of a kernel with this statement in its body and this text above its declarations."""
    return both(directory, KERNEL.format(statement=statement, module=module))
