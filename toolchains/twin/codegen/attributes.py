"""`value.name`."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from toolchains.twin.codegen import cpp, dtypes, expr, names_pl
from toolchains.twin.codegen.cpp import Cx
from toolchains.twin.codegen.dtypes import DType
from toolchains.twin.codegen.errors import did_you_mean
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import (
    Builtin,
    Const,
    Foreign,
    Group,
    Method,
    Namespace,
    Pl,
    Ptr,
    Scalar,
    Shape,
    Tensor,
    Tile,
    TileType,
    TilingArray,
    TilingData,
    Value,
    describe,
)

GROUP_METHODS = ("next", "current", "previous", "prev")
DTYPE_METHODS: dict[str, Callable[[DType], object]] = {
    "get_bit": lambda dtype: dtype.bits,
    "bits": lambda dtype: dtype.bits,
    "is_float": lambda dtype: dtype.is_float,
    "is_int": lambda dtype: dtype.kind in ("int", "uint"),
    "is_signed_int": lambda dtype: dtype.is_signed,
    "is_signed": lambda dtype: dtype.is_signed,
    "is_unsigned_int": lambda dtype: dtype.kind == "uint",
    "is_unsigned": lambda dtype: dtype.kind == "uint",
}
MATH_FUNCTIONS = ("sqrt", "ceil", "floor", "log", "log2", "log10", "exp", "pow", "gcd", "prod", "fabs", "tanh", "erf")


def attribute(state: State, node: ast.Attribute) -> Value:
    """The value of `owner.name`."""
    owner = expr.lower(state, node.value)
    if isinstance(owner, Pl):
        return _pl(state, node, owner)
    if isinstance(owner, TilingData):
        return tiling_field(state, node, node.attr)
    if isinstance(owner, (Tensor, Tile, Ptr)):
        return _of_operand(state, node, owner)
    if isinstance(owner, Group) and node.attr in GROUP_METHODS:
        return Method(owner, node.attr)
    if isinstance(owner, Namespace):
        return _member(state, node, owner)
    if isinstance(owner, Foreign):
        return foreign(node.attr, owner)
    if isinstance(owner, Const):
        return _of_constant(state, node, owner)
    allowed = ", ".join(GROUP_METHODS) + ", [i]" if isinstance(owner, Group) else ""
    return unknown(state, node, describe(owner), node.attr, allowed)


def unknown(state: State, node: ast.AST, owner: str, name: str, allowed: str) -> Value:
    """Refuse an attribute."""
    near = did_you_mean(name, allowed.replace(",", " ").split())
    fix = f"write .{near}" if near else "write one of these" if allowed else f"remove .{name}"
    what = f"{owner} has no attribute {name} in a kernel"
    state.fail(node, "G013", what, found=f".{name}", allowed=allowed, fix=fix)


def _pl(state: State, node: ast.Attribute, owner: Pl) -> Value:
    path = f"{owner.path}.{node.attr}" if owner.path else node.attr
    family = owner.path
    if family in names_pl.ENUMS and node.attr not in names_pl.ENUMS[family].split():
        return unknown(state, node, f"pl.{family}", node.attr, ", ".join(names_pl.ENUMS[family].split()))
    if path.startswith("DT_") and path[3:] not in dtypes.BY_PL:
        allowed = ", ".join(f"DT_{name}" for name in dtypes.BY_PL)
        verb = "not supported by the twin" if path[3:] in dtypes.UNSUPPORTED_PL else "not a data type"
        near = did_you_mean(path, allowed.split(", "))
        state.fail(
            node,
            "G021",
            f"pl.{path} is {verb}",
            allowed=allowed,
            fix=f"write pl.{near}" if near else "use one of these",
        )
    return names_pl.resolve(path)


def tiling_field(state: State, node: ast.AST, name: str) -> Value:
    """A read of a TilingData member."""
    if name not in state.tiling:
        return unknown(state, node, "the TilingData", name, ", ".join(state.tiling))
    kind, count = state.tiling[name]
    if count is not None:
        return TilingArray(name, kind, count)
    return Scalar(Cx((f"tiling.{name}",)), kind)


def _of_operand(state: State, node: ast.Attribute, owner: Value) -> Value:
    if node.attr == "dtype":
        return Const(owner.type.dtype if isinstance(owner, Tile) else owner.dtype)  # type: ignore[union-attr]
    if node.attr == "shape" and isinstance(owner, Tensor):
        return Shape(owner)
    if node.attr == "shape" and isinstance(owner, Tile):
        return Const(tuple(owner.type.shape))
    allowed = "dtype" if isinstance(owner, Ptr) else "shape, dtype"
    return unknown(state, node, describe(owner), node.attr, allowed)


def shape_item(tensor: Tensor, axis: int) -> Value:
    """`tensor.shape[axis]`."""
    known = tensor.shape[axis]
    if known is not None:
        return Const(known)
    return Scalar(Cx((cpp.paren(tensor.cx, cpp.PREC_ATOM), f".shape({axis})")), "int")


def _member(state: State, node: ast.Attribute, owner: Namespace) -> Value:
    if node.attr not in owner.members:
        return unknown(state, node, owner.name, node.attr, ", ".join(owner.members))
    return state.known(node, node.attr, owner.members[node.attr])


def foreign(name: str, owner: Foreign) -> Value:
    """A name under an imported module that is not the user's."""
    if owner.name == "math" and name in ("pi", "e", "inf", "nan", "tau"):
        return Const(getattr(math, name))
    if owner.name == "math" and name in MATH_FUNCTIONS:
        return Builtin(f"math.{name}")
    if owner.name == "pypto_pro" and name in ("language", "ir"):
        return Pl("")
    if owner.name == "pypto_pro" and (name == "DataType" or name.startswith("DT_")):
        return names_pl.resolve(name)
    return Foreign(f"{owner.name}.{name}")


def _of_constant(state: State, node: ast.Attribute, owner: Const) -> Value:
    if isinstance(owner.value, DType):
        if node.attr in DTYPE_METHODS:
            return Method(owner, node.attr)
        return unknown(state, node, repr(owner.value), node.attr, ", ".join(DTYPE_METHODS))
    if isinstance(owner.value, TileType) and node.attr in ("shape", "dtype"):
        return Const(getattr(owner.value, node.attr))
    if isinstance(owner.value, dict) and node.attr in ("get", "keys", "values"):
        return Method(owner, node.attr)
    return unknown(state, node, describe(owner), node.attr, "")
