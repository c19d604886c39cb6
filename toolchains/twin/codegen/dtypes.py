"""Data types: `pl.DT_*` names, CANN names and the run time's C++ types."""

from __future__ import annotations

from dataclasses import dataclass


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


def _int(bits: int, signed: bool) -> DType:
    low = -(2 ** (bits - 1)) if signed else 0
    high = 2 ** (bits - 1) - 1 if signed else 2**bits - 1
    prefix = "" if signed else "U"
    name = f"{prefix}INT{bits}"
    return DType(name, name.lower(), f"{name.lower()}_t", bits // 8, "int" if signed else "uint", bits, low, high)


FP16 = DType("FP16", "float16", "pt::half", 2, "float", 16, -65504.0, 65504.0)
BF16 = DType("BF16", "bfloat16", "pt::bfloat16", 2, "float", 16, -3.3895313892515355e38, 3.3895313892515355e38)
FP32 = DType("FP32", "float", "float", 4, "float", 32, -3.4028234663852886e38, 3.4028234663852886e38)
BOOL = DType("BOOL", "bool", "pt::boolean", 1, "bool", 8, 0, 1)
INT64 = _int(64, True)

ALL = (FP16, BF16, FP32, BOOL, *(_int(bits, signed) for signed in (True, False) for bits in (8, 16, 32, 64)))
BY_PL = {dtype.pl: dtype for dtype in ALL}
BY_CANN = {dtype.cann: dtype for dtype in ALL}

# Known to the documentation, but not to this generator: named in the error instead of called unknown.
UNSUPPORTED_PL = (
    "INT4", "UINT4", "FP4", "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "HF4", "HF8", "INDEX",
)  # fmt: skip
