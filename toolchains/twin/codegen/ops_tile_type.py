"""`TileType`: shape, data type, memory and layout of a tile, checked."""

from __future__ import annotations

from toolchains.twin.codegen.dtypes import DType
from toolchains.twin.codegen.operands import Arguments
from toolchains.twin.codegen.values import Const, Enum, TileType, Value
from toolchains.twin.runtime import dtypes as runtime_dtypes


def tile_type(args: Arguments) -> Value:
    """`pl.TileType(shape, dtype, ...)`, checked."""
    args.refuse("fractal")
    shape = _shape(args)
    dtype = dtype_argument(args)
    memory = args.enum("target_memory", "MemorySpace").member if args.has("target_memory") else "Vec"
    if memory != "Vec":
        found = f"pl.MemorySpace.{memory}"
        args.fail(
            "target_memory",
            "G024",
            "only Vec tiles are supported by the twin yet",
            found=found,
            allowed="pl.MemorySpace.Vec",
            fix="write target_memory=pl.MemorySpace.Vec",
        )
    layout = args.enum("layout", "TensorLayout").member if args.has("layout") else "ND"
    if layout != "ND":
        args.fail(
            "layout",
            "G024",
            "only row-major tiles are supported by the twin yet",
            found=f"pl.{layout}",
            allowed="pl.ND",
            fix="remove layout=",
        )
    rows, cols = (1, shape[0]) if len(shape) == 1 else shape
    problem = runtime_dtypes.tile_problem(dtype.cann, rows, cols)
    if problem:
        what, _, fix = problem.partition("; ")
        args.fail("shape", "G022", what, fix=fix or "give positive sizes")
    valid = _valid_shape(args, rows, cols)
    return Const(TileType(tuple(shape), dtype, memory, valid, _compact(args), _pad(args)))


def _shape(args: Arguments) -> list[int]:
    value = args.constant("shape", "shape")
    what = "shape must be one or two positive integers"
    if not isinstance(value, (tuple, list)) or not 1 <= len(value) <= 2:
        args.fail("shape", "G024", what, found=repr(value), allowed="e.g. [64, 128]", fix="write e.g. shape=[64, 128]")
    assert isinstance(value, (tuple, list))
    for dim in value:
        if not isinstance(dim, int) or isinstance(dim, bool) or dim <= 0:
            args.fail(
                "shape",
                "G024",
                what,
                found=repr(list(value)),
                allowed="e.g. [64, 128]",
                fix="write e.g. shape=[64, 128]",
            )
    return list(value)


def dtype_argument(args: Arguments) -> DType:
    """The argument `dtype`, a constant of `pl` or a datatype variable."""
    value = args.constant("dtype", "dtype")
    if not isinstance(value, DType):
        args.fail(
            "dtype",
            "G024",
            "dtype must be a data type",
            found=repr(value),
            allowed="pl.DT_FP16, … or a datatype variable",
            fix="write dtype=pl.DT_FP16, or name a datatype variable",
        )
    assert isinstance(value, DType)
    return value


def _valid_shape(args: Arguments, rows: int, cols: int) -> tuple[int, int]:
    if not args.has("valid_shape"):
        return (-1, -1)
    value = args.constant("valid_shape", "valid_shape")
    if not isinstance(value, (tuple, list)) or not 1 <= len(value) <= 2:
        args.fail(
            "valid_shape",
            "G024",
            "valid_shape must be like shape",
            found=repr(value),
            allowed="e.g. [-1, -1]",
            fix="write valid_shape=[-1, -1] and use pl.set_validshape",
        )
    assert isinstance(value, (tuple, list))
    dims = (1, *value) if len(value) == 1 else tuple(value)
    for dim, limit in zip(dims, (rows, cols), strict=False):
        if not isinstance(dim, int) or isinstance(dim, bool) or not (dim == -1 or 1 <= dim <= limit):
            allowed = f"-1 (set at run time), or up to {[rows, cols]}"
            args.fail(
                "valid_shape",
                "G024",
                "valid_shape out of range",
                found=repr(list(value)),
                allowed=allowed,
                fix="write valid_shape=[-1, -1] and use pl.set_validshape",
            )
    return dims  # type: ignore[return-value]


def _compact(args: Arguments) -> int:
    value = args.constant("compact", "compact") if args.has("compact") else 0
    if isinstance(value, Enum) and value.family == "CompactMode":
        value = ("null", "normal", "row_plus_one").index(value.member)
    if value not in (0, 1):
        args.fail(
            "compact",
            "G024",
            "this compact mode is not supported by the twin",
            found=repr(value),
            allowed="0 or 1",
            fix="remove compact=",
        )
    return int(value)  # type: ignore[call-overload]


def _pad(args: Arguments) -> str:
    value = args.constant("pad", "pad") if args.has("pad") else 0
    names = ("null", "zero", "max", "min")
    if isinstance(value, Enum) and value.family == "TilePad":
        return value.member
    if not isinstance(value, int) or not 0 <= value <= 3:
        args.fail(
            "pad",
            "G024",
            "pad must be a pl.TilePad",
            found=repr(value),
            allowed="pl.TilePad.null, zero, max or min",
            fix="write a member of pl.TilePad",
        )
    return names[value]  # type: ignore[call-overload]
