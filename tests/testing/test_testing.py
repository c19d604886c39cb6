"""The test library's own checks: TilingData bytes, and what it says of a wrong call."""

import _ctypes
import dataclasses
import json
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from pypto_rules.testing import Kernel, KernelCallError, load_kernel, open_kernel
from pypto_rules.testing.runtime import Runtime
from pypto_rules.testing.tiling import pack
from pypto_rules.tools.contract.manifest import Kernel as Contract
from pypto_rules.tools.contract.manifest import KeyField, Param, TilingData, TilingField, TilingKey, ValidKey

TILING = TilingData(
    "tiling",
    "T",
    32,
    8,
    (
        TilingField("n", "int", "index", None, 0, 8, "int64_t"),
        TilingField("scale", "float", "fp32", None, 8, 4, "float"),
        TilingField("flags", "bool[3]", "bool", 3, 12, 3, "bool[3]"),
        TilingField("off", "int[2]", "index", 2, 16, 16, "int64_t[2]"),
    ),
)
VALUES = {"n": -2, "scale": 0.5, "flags": [True, False, True], "off": [1, 1 << 40]}
CONTRACT = Contract(
    kernel_name="k",
    op_file="k",
    tiling_key=TilingKey(
        "K", (KeyField("mode", 1, 0, (3, 5)),), 1, False, 2, (ValidKey((3,), 0, "0"), ValidKey((5,), 1, "1"))
    ),
    datatype={"x": "t"},
    tiling=TILING,
    params=(
        Param("x", "ptr", "uint8", None),
        Param("workspace", "ptr", "uint8", None),
        Param("tiling", "tiling", None, None),
    ),
    entry_params=(),
    has_cube=False,
    has_vector=True,
)


class Column:
    """A binary that only knows its dtypes: calls below must be refused before it is run."""

    def __init__(self):
        self.dtypes = {"t": "float16"}
        self.symbols = {valid.packed: "entry" for valid in CONTRACT.tiling_key.valid}


def call(array=None, tiling_key=None, tiling=VALUES, dtypes=None, block_dim=1):
    kernel = Kernel(CONTRACT, [Column(), Column()], {})
    kernel(
        np.zeros(4, np.float16) if array is None else array,
        tiling_key=tiling_key or {"mode": 3},
        tiling=tiling,
        dtypes=dtypes or {"t": "float16"},
        block_dim=block_dim,
    )


def test_pack_is_the_c_layout():
    assert pack(TILING, VALUES) == struct.pack("<qf???xqq", -2, 0.5, True, False, True, 1, 1 << 40)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"n": 1}, "'scale' of T is missing"),
        ({**VALUES, "m": 1}, "T has no field 'm'; its fields are n, scale, flags, off"),
        ({**VALUES, "off": [1]}, "T.off has 2 elements, 1 given"),
        ({**VALUES, "n": 1 << 63}, "field T.n is int64_t, which cannot hold 9223372036854775808"),
        ({**VALUES, "n": 0.5}, "T.n is int64_t, which cannot hold 0.5; allowed are integers from"),
    ],
)
def test_pack_refuses(values, text):
    with pytest.raises(KernelCallError) as error:
        pack(TILING, values)
    assert text in str(error.value)


@dataclasses.dataclass
class T:
    n: int
    scale: float
    flags: tuple
    off: tuple


Other = dataclasses.make_dataclass("Other", ["n", "scale", "flags", "off"])


def test_pack_takes_an_instance_of_the_class():
    assert pack(TILING, T(**VALUES)) == pack(TILING, VALUES)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (Other(**VALUES), "tiling is a Other (fields n, scale, flags, off); this kernel takes a T (fields n, scale"),
        (dataclasses.make_dataclass("T", ["n"])(1), "tiling is a T (fields n); this kernel takes a T"),
        (T, "give a mapping or an instance of T (fields n, scale, flags, off)"),
        ([1, 2], "tiling is [1, 2]; give a mapping or an instance of T"),
        (T(**{**VALUES, "n": 0.5}), "field T.n is int64_t, which cannot hold 0.5"),
    ],
)
def test_pack_refuses_other_objects(given, text):
    with pytest.raises(KernelCallError) as error:
        pack(TILING, given)
    assert text in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"tiling_key": {"mode": 4}}, "{'mode': 4} is not a TilingKey of k; valid are: {'mode': 3}; {'mode': 5}"),
        ({"dtypes": {"t": "float"}}, "{'t': 'float'} is not a dtype column of k; built are: {'t': 'float16'}"),
        ({"array": np.zeros(4, np.float32)}, "array for 'x' is float32"),
        ({"block_dim": 2**32 + 1}, "block_dim is 4294967297; allowed are 1 to 65535"),
        ({"block_dim": 0}, "block_dim is 0"),
        ({"array": np.zeros((4, 4), np.float16)[:, 1]}, "array for 'x' is not C-contiguous"),
    ],
)
def test_call_refuses(arguments, text):
    with pytest.raises(KernelCallError) as error:
        call(**arguments)
    assert text in str(error.value)


def test_call_counts_arrays():
    with pytest.raises(KernelCallError, match=r"k takes 1 arrays \(x\), 0 given"):
        Kernel(CONTRACT, [Column()], {})(tiling_key={"mode": 3}, tiling=VALUES)


def test_load_kernel_outside_a_kernel_test(monkeypatch):
    monkeypatch.delenv("PYPTO_KERNEL", raising=False)
    with pytest.raises(KernelCallError, match="works in a pypto_kernel_test"):
        load_kernel()


def test_a_binary_for_an_npu_is_not_loaded(tmp_path):
    """Its json is asc_opc's, ours is in the member pypto."""
    own = {"backend": "cann", "dtypes": {}, "kernelList": [{"tilingKey": 0, "kernelName": "K_0"}]}
    (tmp_path / "K.json").write_text(json.dumps({"kernelList": [{"kernelName": "K_0"}], "pypto": own}))
    with pytest.raises(KernelCallError, match=r"K is a binary of the cann backend, .*settings:kernel_backend=twin"):
        open_kernel(tmp_path, tmp_path / "kernel.json")


@pytest.mark.parametrize("there", [True, False])
def test_a_run_time_of_another_backend(there, tmp_path):
    """A library that loads and has nothing of the twin, and one that does not load."""
    path = Path(_ctypes.__file__) if there else tmp_path / "libnnopbase.so"
    with pytest.raises(KernelCallError, match=rf"{re.escape(path.name)} is not the run time of the CPU twin, .*=twin"):
        Runtime(path)
