"""What the checks need to know of front end objects, by their documented attributes.

Nothing here imports a front end, so that another `pypto_pro` with the same names can take the twin's place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Name of a data type in the intermediate representation → C type in the device entry.
CTYPES = {
    "bool": "bool",
    "int4": "int4b_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint4": "uint4b_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "fp4": "float4_t",
    "fp4e2m1": "float4_e2m1x2_t",
    "fp4e1m2": "float4_e1m2x2_t",
    "fp8e4m3fn": "float8_e4m3_t",
    "fp8e5m2": "float8_e5m2_t",
    "fp8e8m0": "float8_e8m0_t",
    "fp16": "half",
    "fp32": "float",
    "bfloat16": "bfloat16_t",
    "hf4": "hifloat4_t",
    "hf8": "hifloat8_t",
    "index": "int64_t",
}


@dataclass(frozen=True)
class JitKernel:
    """A function under `@pl.jit` with the keywords it was given."""

    function: Any
    options: Mapping[str, Any]


def as_kernel(value: Any) -> JitKernel | None:
    """The kernel behind a module variable, None when it is something else."""
    if isinstance(value, type) or type(value).__name__ not in ("Kernel", "_TileJitKernel"):
        return None
    function = getattr(value, "function", None) or getattr(value, "_func", None)
    options = getattr(value, "options", None)
    if not callable(function) or not isinstance(options, Mapping):
        return None
    return JitKernel(function, options)


def plain_function(value: Any) -> Any:
    """The Python function behind a possibly decorated helper, None when there is none."""
    inner = getattr(value, "function", None) or getattr(value, "_func", None) or value
    return inner if hasattr(inner, "__code__") else None


def is_key_field(value: Any) -> bool:
    """Whether a class member is a TilingKeyField."""
    return type(value).__name__ == "TilingKeyField" and hasattr(value, "bits") and hasattr(value, "values")


def dtype_name(value: Any) -> str | None:
    """The name of a data type, None when the value is not one."""
    if type(value).__name__ != "DataType" or isinstance(value, type):
        return None
    return str(value) if str(value) in CTYPES else None


def is_annotation(value: Any, name: str) -> bool:
    """Whether an annotation is a subscripted `pl.Ptr`, `pl.Tensor`, …"""
    return type(value).__name__ == name


def is_scalar_class(value: Any) -> bool:
    """Whether an annotation is `pl.Scalar` without a type."""
    return isinstance(value, type) and value.__name__ == "Scalar" and value.__module__.partition(".")[0] == "pypto_pro"


def spelled(value: Any) -> str:
    """How to name a value in an error."""
    name = dtype_name(value)
    if name is not None:
        return f"pl.DT_{getattr(value, 'constant', name.upper())}"
    if isinstance(value, type):
        return value.__name__
    if type(value).__name__ == "Scalar":
        return f"pl.Scalar[{spelled(value.dtype)}]"
    text = _shown(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # a broken __repr__ of the user's
        text = ""
    if not text or " at 0x" in text:  # an address says nothing, and another in every run
        return f"a value of type {type(value).__name__}"
    return text
