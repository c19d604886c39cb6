"""`value[index]`."""

from __future__ import annotations

import ast

from toolchains.twin.codegen import attributes, cpp, expr, scalars
from toolchains.twin.codegen.cpp import Cx
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import (
    INT,
    Const,
    Group,
    Scalar,
    Sequence,
    Shape,
    Tile,
    TilingArray,
    Value,
    describe,
    kind_of,
)


def subscript(state: State, node: ast.Subscript) -> Value:
    """The value of `owner[index]`."""
    owner = expr.lower(state, node.value)
    if isinstance(node.slice, ast.Slice):
        state.fail(node, "G011", "a slice is not supported in a kernel", fix="index the items one by one")
    index = expr.lower(state, node.slice)
    if isinstance(owner, Group):
        return _group_item(state, node, owner, index)
    if isinstance(owner, TilingArray):
        return _tiling_item(state, node, owner, index)
    if isinstance(owner, Shape):
        dims = owner.tensor.shape
        position = _position(state, node, index, len(dims), "a tensor shape")
        return attributes.shape_item(owner.tensor, position)
    if isinstance(owner, Sequence):
        return owner.items[_position(state, node, index, len(owner.items), "a tuple")]
    if isinstance(owner, Const):
        return _constant_item(state, node, owner, index)
    state.fail(node, "G016", "this cannot be indexed", found=describe(owner),
               allowed="tile groups, TilingData arrays, tensor.shape, tuples", fix="index one of these")  # fmt: skip
    return None


def _integer(state: State, node: ast.Subscript, index: Value) -> Value:
    if kind_of(index) != INT:
        state.fail(
            node.slice,
            "G016",
            "an index must be an integer",
            found=describe(index),
            allowed="int",
            fix="use an integer; divide with //",
        )
    return index


def _position(state: State, node: ast.Subscript, index: Value, length: int, what: str) -> int:
    """A constant index with Python's meaning of negative ones."""
    if not isinstance(_integer(state, node, index), Const):
        state.fail(
            node.slice,
            "G032",
            f"the index of {what} must be known at code generation",
            found=describe(index),
            allowed="constants and TilingKey fields",
            fix="use a constant index",
        )
    position = int(index.value)  # type: ignore[union-attr]
    if not -length <= position < length:
        state.fail(
            node.slice,
            "G033",
            f"index of {what} out of range",
            found=str(position),
            allowed=f"0 to {length - 1}",
            fix="use an index in this range",
        )
    return position % length


def _bounded(state: State, node: ast.Subscript, index: Value, count: int, what: str) -> None:
    if isinstance(index, Const) and not 0 <= index.value < count:
        allowed = f"0 to {count - 1}"
        state.fail(
            node.slice,
            "G033",
            f"index of {what} out of range",
            found=str(index.value),
            allowed=allowed,
            fix="use an index in this range",
        )


def _group_item(state: State, node: ast.Subscript, group: Group, index: Value) -> Value:
    _bounded(state, node, _integer(state, node, index), group.count, "a tile group")
    position = scalars.to_cx(state, node.slice, index, INT)
    pure = isinstance(index, Const)
    return Tile(cpp.call_method(group.var, "at", "block", state.site(node, "[]"), position, pure=pure), group.type)


def _tiling_item(state: State, node: ast.Subscript, array: TilingArray, index: Value) -> Value:
    _bounded(state, node, _integer(state, node, index), array.count, f"TilingData array {array.name}")
    if isinstance(index, Const):
        return Scalar(Cx((f"tiling.{array.name}[{index.value}]",)), array.kind)
    position = scalars.to_cx(state, node.slice, index, INT)
    site = state.site(node, f"tiling.{array.name}[]")
    return Scalar(cpp.call("pt::element", "block", site, f"tiling.{array.name}", position), array.kind)


def _constant_item(state: State, node: ast.Subscript, owner: Const, index: Value) -> Value:
    if not isinstance(index, Const):
        state.fail(
            node.slice,
            "G032",
            "the index of a constant must be known at code generation",
            found=describe(index),
            allowed="constants and TilingKey fields",
            fix="use a constant index",
        )
    try:
        return Const(owner.value[index.value])
    except (LookupError, TypeError) as error:
        state.fail(
            node,
            "G016",
            f"{describe(owner)} cannot be indexed with {index.value!r}: {error}",
            found=repr(index.value),
            fix="use an index or key that it has",
        )
