"""The ways in which public kernel files import: each loads, and its names mean the same in a body."""

from __future__ import annotations

import pytest

from tests.tools.frontend.support import KERNEL, kernel

# Forms found in hicann/pypto and hicann/ops-math: operators, tutorials, tests with kernels.
FORMS = [
    "import pypto_pro",
    "import pypto_pro.language",
    "import pypto_pro.language as pl",
    "from pypto_pro import language as pl",
    "from pypto_pro.language import Vf as vf",
    "from pypto_pro.language import DYNAMIC, DT_FP16, add, jit, section_vector",
    "from pypto_pro.language import *",
    "from pypto_pro.language.typing import DYNAMIC, STATIC, Ptr, Scalar, Tensor, Tile",
    "from pypto_pro.language.parser.diagnostics import ParserSyntaxError, ParserTypeError",
    "from pypto_pro import DataType, ir",
    "from pypto_pro import DT_FP16, DT_INT64",
    "from pypto_pro.ir import IRBuilder, DataType, MemorySpace, PipeType, TileType",
    "from pypto_pro._errors import InvalidOperation, NotSupported, PyptoProError",
    "from pypto_pro.runtime import KernelDef, jit, kernel, pipeline",
    "from pypto_pro.runtime.jit import jit",
    "from pypto_pro.runtime.kernel import KernelDef, kernel",
    "from pypto_pro.runtime.pipeline import PipelineConfig, stage, transform_pipeline",
    "from pypto_pro.runtime.platform import get_platform_info",
    "from pypto_pro.runtime.compile_config import get_jit_compile_config",
    "from pypto_pro.runtime.tilingkey import TilingKeyField, TilingKeySchema",
    "import pypto",
    "from pypto.ir import RoundMode, AtomicType",
    "from pypto.pypto_impl import ir",
    "from pypto.pypto_impl.ir import DataType",
    "import torch",
    "import torch_npu  # noqa: F401",
    "import torch.nn.functional as F",
    "import numpy as np",
]
USES = [
    ("from pypto_pro.language import exp", "exp(b, a)"),
    ("import pypto_pro.language", "pypto_pro.language.exp(b, a)"),
    ("import pypto_pro", "pypto_pro.language.exp(b, a)"),
    ("from pypto_pro import language as p", "p.cast(b, a, mode=p.RoundMode.CAST_RINT) if mode else p.exp(b, a)"),
    ("from pypto_pro import DT_FP16 as half", "t = pl.TileType([1, 64], half)"),
    ("from pypto_pro import DataType", "t = pl.TileType([1, 64], DataType.FP16)"),
    ("from pypto_pro import ir", "t = pl.TileType([1, 64], ir.DataType.FP16, ir.MemorySpace.Vec)"),
    ("from pypto.ir import MemorySpace", "t = pl.TileType([1, 64], pl.DT_FP16, MemorySpace.Vec)"),
    ("from pypto.pypto_impl.ir import DataType", "t = pl.TileType([1, 64], DataType.BF16)"),
]
HOST = [
    ("from pypto_pro.runtime.platform import get_platform_info", "get_platform_info()", "PYPTO-E004"),
    ("from pypto_pro import ir", "ir.Span.unknown()", "PYPTO-E004"),
    ("import pypto", "pypto.set_device(0)", "PYPTO-E004"),
    ("import torch", "torch.ones(3)", "PYPTO-E006"),
    ("import torch_npu", "torch_npu.npu_format_cast(1, 2)", "PYPTO-E006"),
    ("import numpy as np", "np.arange(3)", "PYPTO-E006"),
]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_import_loads(form, tmp_path):
    assert kernel(tmp_path, "pass", form).codes == []


@pytest.mark.parametrize(("form", "statement"), USES)
def test_names_mean_the_same_however_they_came(form, statement, tmp_path):
    assert kernel(tmp_path, statement, form).codes == []


@pytest.mark.parametrize(("form", "use", "code"), HOST)
def test_host_functions_run_neither_while_loading_nor_in_a_kernel(form, use, code, tmp_path):
    outcome = kernel(tmp_path, "pass", f"{form}\nDEVICE = {use}")
    assert outcome.codes == [code]
    assert code == "PYPTO-E006" or "move the call into the host function" in outcome.problems[0]
    assert outcome.problems[0].startswith("op.py:6:") and use.split("(")[0].split(".")[-1] in outcome.problems[0]
    assert kernel(tmp_path, "pass", f"{form}\ndef main():\n    return {use}").codes == []
    outcome = kernel(tmp_path, f"t = {use}", form)
    line = KERNEL.split("{statement}")[0].count("\n") + 1
    assert outcome.codes == ["PYPTO-G012"] and outcome.errors[0].startswith(f"op.py:{line}:13: ")
