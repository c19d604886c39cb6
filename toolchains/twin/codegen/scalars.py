"""Run-time scalar arithmetic: promotion, checked integer operations, comparison, truth."""

from __future__ import annotations

import ast

from toolchains.twin.codegen import cpp, fold
from toolchains.twin.codegen.cpp import PREC_COND, PREC_LAND, PREC_LOR, PREC_UNARY, Cx
from toolchains.twin.codegen.prune import negated
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import BOOL, CTYPES, FLOAT, INT, Const, Scalar, Value, describe, join_kinds, kind_of

ScalarValue = Const | Scalar

_CHECKED_INT = {ast.Add: "pt::int_add", ast.Sub: "pt::int_sub", ast.Mult: "pt::int_mul",
                ast.LShift: "pt::int_shl", ast.RShift: "pt::int_shr"}  # fmt: skip
_PLAIN_FLOAT = {ast.Add: ("+", cpp.PREC_ADD), ast.Sub: ("-", cpp.PREC_ADD), ast.Mult: ("*", cpp.PREC_MUL)}
_DIVISIONS = {ast.FloorDiv: "pt::floordiv", ast.Mod: "pt::floormod", ast.Div: "pt::truediv"}
_BITS = {ast.BitAnd: ("&", cpp.PREC_AND), ast.BitOr: ("|", cpp.PREC_OR), ast.BitXor: ("^", cpp.PREC_XOR)}
_BOOL_BITS = {ast.BitAnd: ("&&", PREC_LAND), ast.BitOr: ("||", PREC_LOR), ast.BitXor: ("!=", cpp.PREC_EQ)}
_RELATIONS = {ast.Lt: cpp.PREC_REL, ast.LtE: cpp.PREC_REL, ast.Gt: cpp.PREC_REL, ast.GtE: cpp.PREC_REL,
              ast.Eq: cpp.PREC_EQ, ast.NotEq: cpp.PREC_EQ}  # fmt: skip


def to_cx(state: State, node: ast.AST, value: Value, kind: str, typed: bool = False) -> Cx:
    """A scalar value as C++ of `kind`; only promotion (bool → int → float) is silent."""
    have = kind_of(value)
    if have is None or join_kinds(have, kind) != kind:
        state.fail(
            node,
            "G016",
            f"a value of type {kind} is needed here",
            found=describe(value),
            allowed=kind,
            fix=f"give a value of type {kind}",
        )
    if isinstance(value, Const):
        return fold.literal(state, node, value.value, kind, typed)
    return value.cx if have == kind else cast(value.cx, kind)


def cast(value: Cx, kind: str) -> Cx:
    """`static_cast<type>(value)`."""
    return Cx((f"static_cast<{CTYPES[kind]}>(", value, ")"), cpp.PREC_ATOM, value.pure)


def number(state: State, node: ast.AST, value: Value) -> ScalarValue:
    """The value, which must be a number."""
    if kind_of(value) is None:
        state.fail(
            node,
            "G016",
            "a number is needed here",
            found=describe(value),
            allowed="int, float or bool",
            fix="use a number",
        )
    return value  # type: ignore[return-value]


def binary(state: State, node: ast.BinOp, op: type, left: Value, right: Value) -> Value:
    """`left op right` of two numbers, at least one of them known at run time only."""
    left, right = number(state, node.left, left), number(state, node.right, right)
    symbol = fold.BINARY[op][0]
    kind = join_kinds(kind_of(left) or INT, kind_of(right) or INT)
    if op in _BITS:
        return _bits(state, node, op, left, right, kind)
    if op is ast.Pow:
        fix = "write the product out, or use constants"
        state.fail(node, "G011", "** needs two constants", found=f"{describe(left)} ** {describe(right)}", fix=fix)
    kind = INT if kind == BOOL else kind
    if op in (ast.LShift, ast.RShift) and kind != INT:
        state.fail(
            node,
            "G016",
            f"{symbol} needs integers",
            found=f"{describe(left)} and {describe(right)}",
            allowed="int",
            fix="use integers; divide with //",
        )
    if op in _DIVISIONS:
        return _division(state, node, op, left, right, kind)
    return _arithmetic(state, node, op, left, right, kind)


def _arithmetic(state: State, node: ast.BinOp, op: type, left: Value, right: Value, kind: str) -> Value:
    if kind == FLOAT:
        symbol, prec = _PLAIN_FLOAT[op]
        a, b = to_cx(state, node.left, left, FLOAT), to_cx(state, node.right, right, FLOAT)
        return Scalar(cpp.binary(a, symbol, b, prec), FLOAT)
    if isinstance(right, Const) and right.value == 0 and op is not ast.Mult:
        return Scalar(to_cx(state, node.left, left, INT), INT)
    a, b = to_cx(state, node.left, left, INT), to_cx(state, node.right, right, INT)
    site = state.site(node, fold.BINARY[op][0])
    return Scalar(cpp.call(_CHECKED_INT[op], "block", site, a, b), INT)


def _division(state: State, node: ast.BinOp, op: type, left: Value, right: Value, kind: str) -> Value:
    symbol = fold.BINARY[op][0]
    if isinstance(right, Const) and right.value == 0:
        state.fail(node, "G034", f"division by zero in {symbol}", found=f"{describe(left)} {symbol} 0",
                   fix="make the divisor non-zero")  # fmt: skip
    a, b = (to_cx(state, node.left, left, kind, True), to_cx(state, node.right, right, kind, True))
    result = FLOAT if op is ast.Div else kind
    return Scalar(cpp.call(_DIVISIONS[op], "block", state.site(node, symbol), a, b), result)


def _bits(state: State, node: ast.BinOp, op: type, left: Value, right: Value, kind: str) -> Value:
    if kind == FLOAT:
        found = f"{describe(left)} and {describe(right)}"
        state.fail(
            node,
            "G016",
            f"{fold.BINARY[op][0]} needs integers or bools",
            found=found,
            allowed="int or bool",
            fix="use integers; divide with //",
        )
    symbol, prec = _BOOL_BITS[op] if kind == BOOL else _BITS[op]
    a, b = to_cx(state, node.left, left, kind), to_cx(state, node.right, right, kind)
    # g++ asks for parentheses around mixed bit operators; atoms and calls need none.
    a, b = cpp.paren(a, PREC_UNARY), cpp.paren(b, PREC_UNARY)
    return Scalar(Cx((a, f" {symbol} ", b), prec), kind)


def unary(state: State, node: ast.UnaryOp, operand: Value) -> Value:
    """`-x`, `+x`, `~x` of a run-time number (`not x` is `truth`)."""
    value = number(state, node.operand, operand)
    kind = kind_of(value) or INT
    if isinstance(node.op, ast.Invert):
        if kind != INT:
            state.fail(node, "G016", "~ needs an integer", found=describe(value), fix="write not for a bool")
        return Scalar(Cx(("~", cpp.paren(to_cx(state, node, value, INT), PREC_UNARY)), PREC_UNARY), INT)
    kind = INT if kind == BOOL else kind
    cx = to_cx(state, node.operand, value, kind)
    if isinstance(node.op, ast.UAdd):
        return Scalar(cx, kind)
    if kind == INT:
        return Scalar(cpp.call("pt::int_neg", "block", state.site(node, "-"), cx), INT)
    return Scalar(Cx(("-", cpp.paren(cx, cpp.PREC_ATOM)), PREC_UNARY), FLOAT)


def compare(state: State, node: ast.AST, op: type, left: Value, right: Value) -> Scalar:
    """`left op right` of two numbers, at least one of them known at run time only."""
    left, right = number(state, node, left), number(state, node, right)
    if op not in _RELATIONS:
        symbol = fold.COMPARE[op][0]
        allowed = "== != < <= > >=, and in with a constant tuple"
        state.fail(
            node,
            "G011",
            f"'{symbol}' is not supported on run-time values",
            allowed=allowed,
            found=symbol,
            fix="write == or !=",
        )
    kind = join_kinds(kind_of(left) or INT, kind_of(right) or INT)
    a, b = to_cx(state, node, left, kind), to_cx(state, node, right, kind)
    prec = _RELATIONS[op]
    a, b = cpp.paren(a, cpp.PREC_SHIFT), cpp.paren(b, cpp.PREC_SHIFT)
    return Scalar(Cx((a, f" {fold.COMPARE[op][0]} ", b), prec), BOOL)


def truth(state: State, node: ast.AST, value: Value) -> ScalarValue:
    """Python truth of a value: a constant bool, or a run-time bool."""
    if isinstance(value, Const):
        return Const(bool(value.value))
    if not isinstance(value, Scalar):
        fix = "compare a number, e.g. x > 0"
        state.fail(
            node, "G016", "a condition needs a number", found=describe(value), allowed="int, float or bool", fix=fix
        )
    if value.kind == BOOL:
        return value
    zero = "0" if value.kind == INT else "0.0f"
    return Scalar(Cx((cpp.paren(value.cx, cpp.PREC_SHIFT), f" != {zero}"), cpp.PREC_EQ), BOOL)


def logical(state: State, op: type, left: ScalarValue, right: ScalarValue) -> ScalarValue:
    """`left and right` / `left or right` of two truths."""
    stop = op is ast.Or
    for first, second in ((left, right), (right, left)):
        if isinstance(first, Const):
            return first if bool(first.value) == stop else second
    symbol, prec = ("||", PREC_LOR) if stop else ("&&", PREC_LAND)
    assert isinstance(left, Scalar) and isinstance(right, Scalar)
    # `(a && b) || c`: g++ wants the parentheses, readers too.
    a, b = (_grouped(operand.cx, prec) for operand in (left, right))
    return Scalar(Cx((a, f" {symbol} ", b), prec), BOOL)


def _grouped(value: Cx, prec: int) -> Cx:
    return value if value.prec >= cpp.PREC_REL - 5 or value.prec == prec else cpp.paren(value, cpp.PREC_ATOM)


def negate(value: ScalarValue) -> ScalarValue:
    """`not value` of a truth."""
    if isinstance(value, Const):
        return Const(not value.value)
    return Scalar(negated(value.cx), BOOL)


def conditional(state: State, node: ast.AST, test: Scalar, then: Value, orelse: Value) -> Scalar:
    """`then if test else orelse` of two numbers."""
    then, orelse = number(state, node, then), number(state, node, orelse)
    kind = join_kinds(kind_of(then) or INT, kind_of(orelse) or INT)
    a, b = to_cx(state, node, then, kind, True), to_cx(state, node, orelse, kind, True)
    cond, a, b = (cpp.paren(part, PREC_COND + 1) for part in (test.cx, a, b))
    return Scalar(Cx((cond, " ? ", a, " : ", b), PREC_COND), kind)
