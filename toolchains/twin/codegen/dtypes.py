"""Data types: `pl.DT_*` names, CANN names and the run time's C++ types."""

from __future__ import annotations

from dataclasses import dataclass

from toolchains.twin.runtime import dtypes as runtime_dtypes


@dataclass(frozen=True)
class DType:
    """One element type. `pl` is the suffix of `pl.DT_`, `cann` the name in OpDefs, `cpp` the C++ element type."""

    pl: str
    cann: str
    cpp: str
    size: int
    kind: str
    bits: int
    lowest: float
    highest: float

    def __repr__(self) -> str:
        return f"pl.DT_{self.pl}"

    @property
    def is_float(self) -> bool:
        """fp16, bf16, fp32."""
        return self.kind == "float"

    @property
    def is_signed(self) -> bool:
        """Signed integer."""
        return self.kind == "int"


def _dtype(cann: str, kind: str, lowest: float, highest: float) -> DType:
    known = runtime_dtypes.BY_NAME[cann]
    cpp = known.cpp.replace("pypto_twin::", "pt::")
    return DType(known.pl_name.removeprefix("DT_"), cann, cpp, known.bytes, kind, known.bytes * 8, lowest, highest)


def _int(name: str) -> DType:
    bits = runtime_dtypes.BY_NAME[name].bytes * 8
    if name.startswith("u"):
        return _dtype(name, "uint", 0, 2**bits - 1)
    return _dtype(name, "int", -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _float(name: str, highest: float) -> DType:
    return _dtype(name, "float", -highest, highest)


FP32 = _float("float", 3.4028234663852886e38)
BOOL = _dtype("bool", "bool", 0, 1)
INT64 = _int("int64")

_FLOATS = (_float("float16", 65504.0), _float("bfloat16", 3.3895313892515355e38), FP32)
ALL = (*_FLOATS, *(_int(name) for name in runtime_dtypes.INTEGERS), BOOL)
BY_PL = {dtype.pl: dtype for dtype in ALL}
BY_CANN = {dtype.cann: dtype for dtype in ALL}

# Known to the documentation, but not to this generator: named in the error instead of called unknown.
UNSUPPORTED_PL = ("INT4", "UINT4", "FP4", "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "HF4", "HF8", "INDEX")
