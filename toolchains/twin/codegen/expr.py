"""Expressions: an AST node to a Value, folded as far as constants reach."""

from __future__ import annotations

import ast
from collections.abc import Callable

from toolchains.twin.codegen import attributes, calls, cpp, fold, scalars, subscripts
from toolchains.twin.codegen.cpp import Assign, If, Var
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import (
    BOOL,
    CTYPES,
    ZEROS,
    Const,
    Scalar,
    Sequence,
    Tile,
    Value,
    describe,
    kind_of,
)

_SUPPORTED = "names, numbers, arithmetic, comparison, and/or/not, a if b else c, tuples, indexing, calls"


def lower(state: State, node: ast.expr) -> Value:
    """The value of an expression."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        what = f"{_WORDS.get(type(node), type(node).__name__)} is not supported in a kernel"
        state.fail(node, "G011", what, allowed=_SUPPORTED, fix="write it with supported expressions")
    return handler(state, node)


def constant(state: State, node: ast.expr, what: str) -> object:
    """The value of an expression that must be known at generation."""
    value = lower(state, node)
    if isinstance(value, Const):
        return value.value
    allowed = "constants, TilingKey fields, datatype variables and what follows from them"
    state.fail(
        node,
        "G032",
        f"{what} must be known at code generation",
        found=describe(value),
        allowed=allowed,
        fix="use a constant, a TilingKey field or a datatype variable",
    )
    return None


def condition(state: State, node: ast.expr) -> scalars.ScalarValue:
    """The truth of an expression."""
    if isinstance(node, ast.BoolOp):
        return _truth_of_bool_op(state, node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return scalars.negate(condition(state, node.operand))
    return scalars.truth(state, node, lower(state, node))


def _truth_of_bool_op(state: State, node: ast.BoolOp) -> scalars.ScalarValue:
    stop = isinstance(node.op, ast.Or)
    result = condition(state, node.values[0])
    for operand in node.values[1:]:
        if isinstance(result, Const) and bool(result.value) == stop:
            return result
        with state.capture() as stmts:
            right = condition(state, operand)
        if stmts and isinstance(result, Scalar):
            result = _guarded(state, operand, result, stop, stmts, right)
        else:
            state.block.extend(stmts)
            result = scalars.logical(state, type(node.op), result, right)
    return result


def _guarded(state: State, node: ast.expr, left: Scalar, stop: bool, stmts: list[cpp.Stmt], right: Value) -> Scalar:
    """`left and right` where evaluating `right` takes statements: they run only if Python would run them."""
    result = Var("test", CTYPES[BOOL], ZEROS[BOOL])
    state.emit(Assign(result, left.cx))
    stmts.append(Assign(result, scalars.to_cx(state, node, right, BOOL)))
    state.emit(If(scalars.negated(cpp.var(result)) if stop else cpp.var(result), stmts, []))
    return Scalar(cpp.var(result), BOOL)


def _name(state: State, node: ast.Name) -> Value:
    return state.lookup(node)


def _constant(state: State, node: ast.Constant) -> Value:
    if isinstance(node.value, (bytes, complex)) or node.value is Ellipsis:
        state.fail(
            node,
            "G011",
            "this literal is not supported in a kernel",
            found=repr(node.value),
            allowed=_SUPPORTED,
            fix="use numbers, strings or tuples",
        )
    return Const(fold.sized(state, node, node.value, "this number"))


def _sequence(state: State, node: ast.Tuple) -> Value:
    for element in node.elts:
        if isinstance(element, ast.Starred):
            state.fail(element, "G011", "* in a tuple is not supported in a kernel", fix="name the items one by one")
    items = tuple(lower(state, element) for element in node.elts)
    if all(isinstance(item, Const) for item in items):
        return Const(tuple(item.value for item in items))  # type: ignore[union-attr]
    return Sequence(items)


def _dict(state: State, node: ast.Dict) -> Value:
    if any(key is None for key in node.keys):
        state.fail(node, "G011", "** in a dict is not supported in a kernel", fix="write the items out")
    keys = [constant(state, key, "a dict key") for key in node.keys if key is not None]
    for key, key_node in zip(keys, node.keys, strict=True):
        if isinstance(key, dict | list):
            state.fail(
                key_node or node,
                "G011",
                "a dict key must be a plain constant",
                found=repr(key),
                allowed="numbers, strings, tuples",
                fix="use a number or a string as the key",
            )
    return Const(dict(zip(keys, (constant(state, value, "a dict value") for value in node.values), strict=True)))


def _binary(state: State, node: ast.BinOp) -> Value:
    left, right = lower(state, node.left), lower(state, node.right)
    if type(node.op) not in fold.BINARY:
        state.fail(node, "G011", "@ is not supported in a kernel", fix="use the pl operation")
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(fold.binary(state, node, type(node.op), left.value, right.value))
    for side, value in ((node.left, left), (node.right, right)):
        if isinstance(value, Tile):
            fix = "call the operation, e.g. pl.add(out, a, b)"
            state.fail(side, "G016", "operators do not work on tiles", found=describe(value), fix=fix)
    return scalars.binary(state, node, type(node.op), left, right)


def _unary(state: State, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return condition(state, node)
    operand = lower(state, node.operand)
    if isinstance(operand, Const):
        return Const(fold.unary(state, node, type(node.op), operand.value))
    return scalars.unary(state, node, operand)


def _compare(state: State, node: ast.Compare) -> Value:
    result: scalars.ScalarValue = Const(True)
    left_node, left = node.left, lower(state, node.left)
    for op, right_node in zip(node.ops, node.comparators, strict=False):
        right = lower(state, right_node)
        result = scalars.logical(state, ast.And, result, _compare_two(state, left_node, type(op), left, right))
        if isinstance(result, Const) and not result.value:
            return result
        left_node, left = right_node, right
    return result


def _compare_two(state: State, node: ast.expr, op: type, left: Value, right: Value) -> scalars.ScalarValue:
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(fold.compare(state, node, op, left.value, right.value))
    if op in (ast.In, ast.NotIn):
        return _membership(state, node, op, left, right)
    return scalars.compare(state, node, op, left, right)


def _membership(state: State, node: ast.expr, op: type, left: Value, right: Value) -> scalars.ScalarValue:
    if isinstance(right, Const) and isinstance(right.value, (tuple, list)):
        items: tuple[Value, ...] = tuple(Const(item) for item in right.value)
    elif isinstance(right, Sequence):
        items = right.items
    else:
        state.fail(
            node,
            "G016",
            "'in' needs a tuple",
            found=describe(right),
            allowed="a tuple or list of numbers",
            fix="write the values as a tuple",
        )
    found: scalars.ScalarValue = Const(False)
    for item in items:
        found = scalars.logical(state, ast.Or, found, _compare_two(state, node, ast.Eq, left, item))
    return scalars.negate(found) if op is ast.NotIn else found


def _bool_op(state: State, node: ast.BoolOp) -> Value:
    """`and`/`or` as a value: Python gives one of the operands, not its truth."""
    stop = isinstance(node.op, ast.Or)
    first = lower(state, node.values[0])
    rest = node.values[1:]
    if isinstance(first, Const):
        if bool(first.value) == stop or not rest:
            return first
        return lower(state, rest[0]) if len(rest) == 1 else _bool_op(state, _tail(node, rest))
    if kind_of(first) == BOOL:
        return condition(state, node)
    if not rest:
        return first
    test = scalars.truth(state, node.values[0], first)
    second = lower(state, rest[0]) if len(rest) == 1 else _bool_op(state, _tail(node, rest))
    then, orelse = (first, second) if stop else (second, first)
    assert isinstance(test, Scalar)
    return scalars.conditional(state, node, test, then, orelse)


def _tail(node: ast.BoolOp, rest: list[ast.expr]) -> ast.BoolOp:
    return ast.copy_location(ast.BoolOp(op=node.op, values=rest), node)


def _if_exp(state: State, node: ast.IfExp) -> Value:
    test = condition(state, node.test)
    if isinstance(test, Const):
        return lower(state, node.body if test.value else node.orelse)
    with state.capture() as then_stmts:
        then = lower(state, node.body)
    with state.capture() as else_stmts:
        orelse = lower(state, node.orelse)
    if isinstance(then, Const) and isinstance(orelse, Const) and then == orelse and kind_of(then) == kind_of(orelse):
        return then
    if isinstance(then, Tile) and isinstance(orelse, Tile) and then.type == orelse.type:
        return _chosen_tile(state, test, then, orelse, then_stmts, else_stmts)
    if not then_stmts and not else_stmts:
        return scalars.conditional(state, node, test, then, orelse)
    merged = scalars.conditional(state, node, test, then, orelse)
    result = Var("chosen", CTYPES[merged.kind], ZEROS[merged.kind])
    then_stmts.append(Assign(result, scalars.to_cx(state, node, then, merged.kind)))
    else_stmts.append(Assign(result, scalars.to_cx(state, node, orelse, merged.kind)))
    state.emit(If(test.cx, then_stmts, else_stmts))
    return Scalar(cpp.var(result), merged.kind)


def _chosen_tile(
    state: State, test: Scalar, then: Tile, orelse: Tile, then_stmts: list[cpp.Stmt], else_stmts: list[cpp.Stmt]
) -> Tile:
    result = Var("tile", calls.tile_ctype(state, then.type), "{}")
    then_stmts.append(Assign(result, then.cx))
    else_stmts.append(Assign(result, orelse.cx))
    state.emit(If(test.cx, then_stmts, else_stmts))
    return Tile(cpp.var(result), then.type)


_HANDLERS: dict[type, Callable[..., Value]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.Tuple: _sequence,
    ast.List: _sequence,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _bool_op,
    ast.IfExp: _if_exp,
    ast.Attribute: lambda state, node: attributes.attribute(state, node),
    ast.Subscript: lambda state, node: subscripts.subscript(state, node),
    ast.Call: lambda state, node: calls.call(state, node),
}

_WORDS = {
    ast.Lambda: "lambda",
    ast.ListComp: "a list comprehension",
    ast.DictComp: "a dict comprehension",
    ast.SetComp: "a set comprehension",
    ast.GeneratorExp: "a generator expression",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment expression (:=)",
    ast.Starred: "* in an expression",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield from",
    ast.Set: "a set",
    ast.Slice: "a slice",
}
