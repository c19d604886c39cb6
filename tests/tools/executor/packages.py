"""An installed package written by hand: an operator y = x + 1, its binary, host libraries and aclnn compiled here."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pypto_rules.testing.acl import Acl
from pypto_rules.tools.aclnn import render
from pypto_rules.tools.opdef import model
from tests.tools.host_sdk.harness import COMPILER, HOST, INCLUDE, PREAMBLE, compile_library, runtime

ABI = Path("toolchains/twin/runtime/include").resolve()

OP = {
    "op_type": "Inc",
    "inputs": [
        {"name": "x", "dtypes": ["float", "int32"]},
        {"name": "w", "param_type": "optional", "dtypes": ["float", "int32"]},
    ],
    "outputs": [{"name": "y", "dtypes": ["float", "int32"]}],
    "attrs": [{"name": "step", "type": "float", "required": False, "default": 1.0}],
}
KEYS = ["Inc/d=0,p=0/0,2/0,2/0,2", "Inc/d=0,p=0/3,2/3,2/3,2"]

# The kernel: TilingData {int64_t count; float step; int32_t mistake}; key 1 doubles the step.
KERNEL = """\
#include "pypto_twin/abi.h"
#include <stdio.h>
struct Tiling { long long count; float step; int mistake; };
static int run(pypto_twin_launch* launch, float factor) {
  const Tiling& tiling = *static_cast<const Tiling*>(launch->tiling);
  const float* x = static_cast<const float*>(launch->args[0]);
  const float* w = static_cast<const float*>(launch->args[1]);
  float* y = static_cast<float*>(launch->args[2]);
  char* workspace = static_cast<char*>(launch->args[3]);
  if (tiling.mistake == 1) {
    snprintf(launch->message, launch->message_bytes, "store: beyond argument 2 [block 0 of 1]");
    launch->site = 4;
    return 1;
  }
  if (tiling.mistake == 2) y[tiling.count + 1] = 0;
  if (tiling.mistake == 3) workspace[launch->arg_bytes[3] + 2] = 0;
  if (tiling.mistake == 4) x = nullptr;
  for (long long at = 0; x != nullptr && at < tiling.count; ++at) {
    y[at] = x[at] + factor * tiling.step + (w != nullptr ? w[at] : 0);
  }
  return 0;
}
extern "C" {
PYPTO_TWIN_EXPORT int inc_0(pypto_twin_launch* launch) { return run(launch, 1); }
PYPTO_TWIN_EXPORT int inc_1(pypto_twin_launch* launch) { return run(launch, 2); }
}
"""

TILING = """\
namespace optiling {
struct Data { int64_t count; float step; int32_t mistake; };
static ge::graphStatus Tile(gert::TilingContext* context)
{
    Data* tiling = context->GetTilingData<Data>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->count = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    tiling->step = *context->GetAttrs()->GetFloat(0);
    tiling->mistake = MISTAKE;
    context->SetTilingKey(KEY);
    context->SetBlockDim(BLOCKS);
    context->GetWorkspaceSizes(1)[0] = WORKSPACE;
    return STATUS;
}
IMPL_OP_OPTILING(Inc).Tiling(Tile);
}
"""

INFER = """\
namespace ops {
static ge::graphStatus Infer(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(Inc).InferShape(Infer).InferOutDataTypeSameWithFirstInput();
}
"""


@dataclass
class Package:
    """What differs from package to package; `write` makes the vendor directory `root`."""

    root: Path
    decisions: dict[str, str] = field(default_factory=dict)
    backend: str = "twin"
    socs: tuple[str, ...] = ("ascend910b",)
    infer: bool = True

    def write(self) -> Package:
        """Write and compile everything."""
        self.root.mkdir(parents=True)
        tbe = self.root / "op_impl/ai_core/tbe"
        self.write_json("manifest.json", {"backend": self.backend, "socs": list(self.socs)})
        for soc in self.socs:
            binaries = [
                {"simplifiedKey": [key], "binPath": f"{soc}/inc/inc.so", "jsonPath": f"{soc}/inc/inc.json"}
                for key in KEYS[:1]
            ]
            config = f"op_impl/ai_core/tbe/kernel/config/{soc}/binary_info_config.json"
            self.write_json(config, {"Inc": {"binaryList": binaries}})
            self.write_json(f"op_impl/ai_core/tbe/kernel/{soc}/inc/inc.json", _binary())
            _compile(KERNEL, tbe / f"kernel/{soc}/inc/inc.so", f"-I{ABI}")
        values = {"MISTAKE": "0", "KEY": "0", "BLOCKS": "1", "WORKSPACE": "0", "STATUS": "ge::GRAPH_SUCCESS"}
        flags = [f"-D{name}={value}" for name, value in (values | self.decisions).items()]
        self._host(tbe / "op_tiling/liboptiling.so", TILING, flags)
        if self.infer:
            self._host(self.root / f"op_proto/lib/linux/{os.uname().machine}/libcust_opsproto_rt2.0.so", INFER)
        self._aclnn()
        return self

    def write_json(self, path: str, data: Any) -> None:
        """A json of the package."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(json.dumps(data) if not isinstance(data, str) else data)

    def _host(self, path: Path, text: str, flags: Sequence[str] = ()) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        compile_library(path.parent, PREAMBLE + text, path.stem.removeprefix("lib"), flags)

    def _aclnn(self) -> None:
        op = model.from_json(OP)
        include, library = self.root / "op_api/include", self.root / "op_api/lib/libcust_opapi.so"
        include.mkdir(parents=True)
        (include / "aclnn_inc.h").write_text(render.header_text(op, "aclnn"))
        _compile(render.source_text(op, "aclnn"), library, f"-I{include}", f"-I{INCLUDE}", str(HOST))


def _binary() -> dict[str, Any]:
    return {
        "binFileName": "inc",
        "opKernel": "inc",
        "dtypes": {"t": "float"},
        "coreType": "VectorCore",
        "tilingDataSize": 16,
        "tilingKeyFields": [{"name": "twice", "bits": 1, "values": [0, 1]}],
        "kernelList": [{"kernelName": f"inc_{key}", "tilingKey": key, "combo": {"twice": key}} for key in (0, 1)],
    }


def _compile(text: str, path: Path, *options: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".cpp")
    source.write_text(text)
    command = [COMPILER, "-std=c++17", "-O1", "-Wall", "-Werror", "-fPIC", "-shared", str(source), "-o", str(path)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Caller:
    """aclnnInc of a package, both phases, with what the caller gives in between."""

    def __init__(self, package: Package) -> None:
        self.acl = Acl(runtime())  # First: the package's library is linked against it.
        self.library = ctypes.CDLL(str(package.root / "op_api/lib/libcust_opapi.so"))
        self.size, self.executor = ctypes.c_uint64(), ctypes.c_void_p()

    def prepare(self, x: int | None, w: int | None, y: int | None, step: float = 1.0) -> int:
        """Phase one on aclTensors."""
        arguments = [ctypes.c_void_p(x), ctypes.c_void_p(w), ctypes.c_double(step), ctypes.c_void_p(y)]
        entry = self.library.aclnnIncGetWorkspaceSize
        return entry(*arguments, ctypes.byref(self.size), ctypes.byref(self.executor))

    def run(self, workspace: int | None = None, size: int | None = None) -> int:
        """Phase two."""
        given = self.size if size is None else ctypes.c_uint64(size)
        return self.library.aclnnInc(ctypes.c_void_p(workspace), given, self.executor, None)

    def call(self, x: np.ndarray, w: np.ndarray | None = None, step: float = 1.0) -> np.ndarray:
        """The whole call."""
        y = np.zeros_like(x)
        tensor, address = self.acl.tensor(y)
        self.acl.check(self.prepare(self.acl.tensor(x)[0], None if w is None else self.acl.tensor(w)[0], tensor, step))
        self.acl.check(self.run(self.acl.allocate(self.size.value)))
        self.acl.read(address, y)
        return y


@contextmanager
def installed(*packages: Package, soc: str | None = None) -> Iterator[None]:
    """These packages and no others are installed."""
    kept = dict(os.environ)
    for name in ("ASCEND_OPP_PATH", "PYPTO_TWIN_SOC"):
        os.environ.pop(name, None)
    os.environ["ASCEND_CUSTOM_OPP_PATH"] = ":".join(str(package.root) for package in packages)
    if soc:
        os.environ["PYPTO_TWIN_SOC"] = soc
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)
