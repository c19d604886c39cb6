"""Data types and the annotation types `Ptr`, `Tensor`, `Scalar`, `Tile`."""

from __future__ import annotations

from typing import Any

from pypto_pro._errors import unknown_name

# Constant name → name in the intermediate representation.
_DTYPES = {
    "BOOL": "bool",
    "INT4": "int4",
    "INT8": "int8",
    "INT16": "int16",
    "INT32": "int32",
    "INT64": "int64",
    "UINT4": "uint4",
    "UINT8": "uint8",
    "UINT16": "uint16",
    "UINT32": "uint32",
    "UINT64": "uint64",
    "FP4": "fp4",
    "FP4E2M1": "fp4e2m1",
    "FP4E1M2": "fp4e1m2",
    "FP8E4M3FN": "fp8e4m3fn",
    "FP8E5M2": "fp8e5m2",
    "FP8E8M0": "fp8e8m0",
    "FP16": "fp16",
    "FP32": "fp32",
    "BF16": "bfloat16",
    "HF4": "hf4",
    "HF8": "hf8",
}


class _DataTypeMeta(type):
    def __getattr__(cls, name: str) -> Any:
        raise unknown_name("DataType", name, _DTYPES)


class DataType(metaclass=_DataTypeMeta):
    """An element type. One object per type; compare by identity or name."""

    def __init__(self, constant: str, name: str) -> None:
        self.constant = constant
        self.name = name

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"pl.DT_{self.constant}"


for _constant, _name in _DTYPES.items():
    setattr(DataType, _constant, DataType(_constant, _name))


def dtype_constants() -> dict[str, DataType]:
    """The `DT_*` constants by name."""
    return {f"DT_{constant}": getattr(DataType, constant) for constant in _DTYPES}


class ShapePolicy:
    """A dimension that is not a number: `DYNAMIC` or `STATIC`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"pl.{self.name}"


DYNAMIC = ShapePolicy("DYNAMIC")
STATIC = ShapePolicy("STATIC")


class Direction:
    """Marks a tensor annotation as read (`Input`) or written (`Output`)."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"pl.{self.name}"


class Ptr:
    """A pointer annotation: `pl.Ptr[pl.DT_FP16]`."""

    kind = "ptr"

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype

    def __class_getitem__(cls, dtype: Any) -> Ptr:
        return cls(dtype)

    def __repr__(self) -> str:
        return f"pl.Ptr[{self.dtype!r}]"


class Tensor:
    """A tensor annotation: `pl.Tensor[[64, 128], pl.DT_FP16]`, then optionally a layout, a MemRef, a direction."""

    kind = "tensor"

    def __init__(self, shape: Any, dtype: Any, extras: tuple[Any, ...] = ()) -> None:
        self.shape = shape
        self.dtype = dtype
        self.extras = extras

    def __class_getitem__(cls, item: Any) -> Tensor:
        if not isinstance(item, tuple) or not 2 <= len(item) <= 5:
            raise TypeError("pl.Tensor takes a shape and a dtype: pl.Tensor[[64, 128], pl.DT_FP16]")
        return cls(item[0], item[1], tuple(item[2:]))

    def __repr__(self) -> str:
        return f"pl.Tensor[{self.shape!r}, {self.dtype!r}]"


class Scalar:
    """A run-time scalar; parameters that are scalars are annotated with the `DT_*` constant itself."""

    kind = "scalar"

    def __init__(self, dtype: Any = None) -> None:
        self.dtype = dtype

    def __class_getitem__(cls, dtype: Any) -> Scalar:
        return cls(dtype)


class Tile:
    """A tile annotation of helper functions."""

    kind = "tile"

    def __init__(self, *item: Any) -> None:
        self.item = item

    def __class_getitem__(cls, item: Any) -> Tile:
        return cls(item)


class MemRef:
    """An explicit memory reference in a tensor annotation."""

    def __init__(self, memory_space: Any = None, addr: Any = 0, size: int = 0, id: int | None = None) -> None:
        self.memory_space = memory_space
        self.addr = addr
        self.size = size
        self.id = id


class TileType:
    """The shape, element type and memory of a tile; may be built at module level."""

    def __init__(self, shape: Any = None, dtype: Any = None, target_memory: Any = None, **options: Any) -> None:
        self.shape = shape
        self.dtype = dtype
        self.target_memory = target_memory
        self.options = options

    def __repr__(self) -> str:
        return f"pl.TileType(shape={self.shape!r}, dtype={self.dtype!r}, target_memory={self.target_memory!r})"
