"""Element-wise operations on tiles, `cast` and `expands`."""

from __future__ import annotations

from toolchains.twin.codegen import cpp, fold, scalars
from toolchains.twin.codegen.cpp import Cx
from toolchains.twin.codegen.dtypes import DType
from toolchains.twin.codegen.operands import Arguments
from toolchains.twin.codegen.values import FLOAT, INT, Const, Enum, Tile, Value, const_kind, describe, kind_of
from toolchains.twin.runtime import dtypes as runtime_dtypes

_ROUND = {"CAST_NONE": "none", "CAST_RINT": "rint", "CAST_ROUND": "round", "CAST_FLOOR": "floor", "CAST_CEIL": "ceil",
          "CAST_TRUNC": "trunc", "CAST_ODD": "odd"}  # fmt: skip


def binary(args: Arguments) -> Value:
    """`pl.add(out, lhs, rhs)` and its family; `rhs` may be a scalar."""
    args.need_section()
    if args.has("dim"):
        args.fail("dim", "G012", "reductions (dim=) are not supported by the twin", fix="remove dim=")
    out, lhs = args.tile("out"), args.tile("lhs")
    _dtype(args, out)
    _same(args, "lhs", out, lhs)
    if isinstance(args.value("rhs"), Tile):
        rhs = args.tile("rhs")
        _same(args, "rhs", out, rhs)
        return _effect(args, args.call(out.cx, lhs.cx, rhs.cx))
    return _effect(args, args.call(out.cx, lhs.cx, scalar_operand(args, "rhs", out.type.dtype)))


def binary_scalar(args: Arguments) -> Value:
    """`pl.adds(out, lhs, rhs)` and its family: `rhs` is a scalar."""
    if isinstance(args.value("rhs"), Tile):
        fix = f"write pl.{args.name}(out, lhs, rhs)"
        args.fail(
            "rhs",
            "G015",
            "rhs of this form must be a number",
            found=describe(args.value("rhs")),
            allowed="int or float",
            fix=fix,
        )
    return binary(args)


def unary(args: Arguments) -> Value:
    """`pl.exp(out, src)` and its family."""
    args.need_section()
    out, src = args.tile("out"), args.tile("src")
    _dtype(args, out)
    _same(args, "src", out, src)
    return _effect(args, args.call(out.cx, src.cx))


def expands(args: Arguments) -> Value:
    """`pl.expands(out, scalar)`."""
    args.need_section()
    out = args.tile("out")
    _dtype(args, out)
    return _effect(args, args.call(out.cx, scalar_operand(args, "scalar", out.type.dtype)))


def cast(args: Arguments) -> Value:
    """`pl.cast(out, src, mode=)`."""
    args.need_section()
    out, src = args.tile("out"), args.tile("src")
    if out.type.rows_cols != src.type.rows_cols:
        _shape_error(args, "src", out, src)
    source, target = src.type.dtype, out.type.dtype
    if not runtime_dtypes.cast_supported(source.cann, target.cann):
        found = f"{source!r} to {target!r}"
        args.fail(
            "src",
            "G021",
            "this conversion is not supported",
            found=found,
            allowed=runtime_dtypes.allowed_text("cast"),
            fix="cast between two different types of these",
        )
    mode = args.enum("mode", "RoundMode") if args.has("mode") else Enum("RoundMode", "CAST_ROUND")
    if mode.member == "CAST_ODD" and (source.pl, target.pl) != ("FP32", "FP16"):
        found = f"{source!r} to {target!r}"
        args.fail(
            "mode",
            "G015",
            "CAST_ODD is only for pl.DT_FP32 to pl.DT_FP16",
            found=found,
            allowed="another rounding mode",
            fix="use another rounding mode",
        )
    function = f"pt::cast<pt::round_mode::{_ROUND[mode.member]}>"
    return _effect(args, args.call(out.cx, src.cx, function=function))


def scalar_operand(args: Arguments, parameter: str, dtype: DType) -> Cx:
    """A scalar beside tiles of `dtype`: of its class, and within its range if it is constant."""
    value = args.value(parameter)
    kind = kind_of(value)
    if kind is None:
        args.fail(
            parameter,
            "G015",
            f"{parameter} must be a tile or a number",
            found=describe(value),
            allowed="a tile, int or float",
            fix="pass a tile or a number",
        )
    if kind == FLOAT and not dtype.is_float:
        fix = "use an integer, or cast the tile to a float type first"
        args.fail(
            parameter,
            "G021",
            f"a float beside tiles of {dtype!r}",
            found=describe(value),
            allowed="an integer",
            fix=fix,
        )
    node = args.node_of(parameter)
    if not isinstance(value, Const):
        return scalars.to_cx(args.state, node, value, kind or INT)
    _in_range(args, parameter, value.value, dtype)
    return fold.literal(args.state, node, value.value, FLOAT if dtype.is_float else INT, typed=True)


def _in_range(args: Arguments, parameter: str, value: object, dtype: DType) -> None:
    if const_kind(value) == FLOAT and (value != value or value in (float("inf"), float("-inf"))):
        return
    if not dtype.lowest <= value <= dtype.highest:  # type: ignore[operator]
        number = (lambda bound: f"{bound:.7g}") if dtype.is_float else str
        allowed = f"{number(dtype.lowest)} to {number(dtype.highest)}"
        args.fail(
            parameter,
            "G033",
            f"the constant does not fit {dtype!r}",
            found=repr(value),
            allowed=allowed,
            fix="use a constant in this range, or tiles of a wider dtype",
        )


def _dtype(args: Arguments, out: Tile) -> None:
    if not runtime_dtypes.supported(args.name, out.type.dtype.cann):
        allowed = runtime_dtypes.allowed_text(args.name)
        fix = "cast to a supported type first"
        args.fail("out", "G021", "this dtype is not supported", found=repr(out.type.dtype), allowed=allowed, fix=fix)


def _same(args: Arguments, parameter: str, out: Tile, other: Tile) -> None:
    if out.type.dtype != other.type.dtype:
        found = f"out is {out.type.dtype!r}, {parameter} is {other.type.dtype!r}"
        args.fail(
            parameter,
            "G021",
            "tiles must have one dtype",
            found=found,
            allowed=repr(out.type.dtype),
            fix="convert with pl.cast",
        )
    if out.type.rows_cols != other.type.rows_cols:
        _shape_error(args, parameter, out, other)


def _shape_error(args: Arguments, parameter: str, out: Tile, other: Tile) -> None:
    found = f"out is {list(out.type.shape)}, {parameter} is {list(other.type.shape)}"
    fix = "use one TileType for both, and pl.set_validshape for a smaller valid region"
    args.fail(parameter, "G020", "tiles must have one shape", found=found, allowed=str(list(out.type.shape)), fix=fix)


def _effect(args: Arguments, call: Cx) -> Value:
    args.state.emit(cpp.Do(call))
    return Const(None)
