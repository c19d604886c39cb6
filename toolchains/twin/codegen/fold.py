"""Arithmetic on constants with Python's own meaning, and the C++ spelling of the results."""

from __future__ import annotations

import ast
import math
import operator
import struct
from collections.abc import Callable
from typing import Any, NoReturn

from toolchains.twin.codegen.cpp import PREC_ATOM, PREC_UNARY, Cx, text
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import BOOL, FLOAT, INT, const_kind

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
# Constants larger than these mean a mistake, and would keep the generator busy for long.
MOST = 4096

BINARY: dict[type, tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
}

COMPARE: dict[type, tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Is: ("is", operator.is_),
    ast.IsNot: ("is not", operator.is_not),
    ast.In: ("in", lambda a, b: a in b),
    ast.NotIn: ("not in", lambda a, b: a not in b),
}

UNARY: dict[type, tuple[str, Callable[[Any], Any]]] = {
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
    ast.Invert: ("~", operator.invert),
    ast.Not: ("not", operator.not_),
}


def binary(state: State, node: ast.AST, op: type, left: Any, right: Any) -> Any:
    """`left op right`; Python's own errors become errors of the kernel."""
    symbol, function = BINARY[op]
    if op is ast.Mod and isinstance(left, str):
        state.fail(node, "G016", "% does not format strings in a kernel", found=repr(left), fix="write the string out")
    if _size(op, left, right) > MOST:
        _refuse_size(state, node, f"what {symbol} gives")
    return _checked(state, node, symbol, function, left, right)


def _size(op: type, left: Any, right: Any) -> int:
    """An upper bound of the result: bits of an integer, items of a sequence; 0 for what cannot grow."""
    sequences = [isinstance(side, (tuple, list, str)) for side in (left, right)]
    if any(sequences):
        a, b = (len(side) if isinstance(side, (tuple, list, str)) else side for side in (left, right))
        grown = {ast.Add: lambda: a + b, ast.Mult: lambda: a * b}
        return grown[op]() if op in grown and isinstance(a, int) and isinstance(b, int) else 0
    if not isinstance(left, int) or not isinstance(right, int):
        return 0
    a, b = left.bit_length(), right.bit_length()
    return {ast.LShift: a + max(right, 0), ast.Pow: a * max(right, 0), ast.Mult: a + b}.get(op, max(a, b))


def _refuse_size(state: State, node: ast.AST, what: str) -> NoReturn:
    allowed = f"integers of {MOST} bits, sequences of {MOST} items"
    state.fail(node, "G033", f"{what} is too large for a constant", allowed=allowed, fix="use a smaller one")


def sized(state: State, node: ast.AST, value: Any, what: str) -> Any:
    """A constant, unless it is too large."""
    size = value.bit_length() if isinstance(value, int) else len(value) if isinstance(value, (tuple, list)) else 0
    return _refuse_size(state, node, what) if size > MOST else value


def compare(state: State, node: ast.AST, op: type, left: Any, right: Any) -> bool:
    """`left op right` of two constants."""
    symbol, function = COMPARE[op]
    if op in (ast.Is, ast.IsNot) and None not in (left, right):
        function = operator.eq if op is ast.Is else operator.ne
    return _checked(state, node, symbol, function, left, right)


def unary(state: State, node: ast.AST, op: type, operand: Any) -> Any:
    """`op operand`."""
    symbol, function = UNARY[op]
    return _checked(state, node, symbol, function, operand)


def _checked(state: State, node: ast.AST, symbol: str, function: Callable[..., Any], *operands: Any) -> Any:
    values = " and ".join(repr(operand) for operand in operands)
    try:
        return function(*operands)
    except ZeroDivisionError:
        state.fail(node, "G034", f"division by zero in {symbol}", found=values, fix="make the divisor non-zero")
    except (TypeError, ValueError, OverflowError) as error:
        state.fail(
            node,
            "G016",
            f"{symbol} cannot be computed: {error}",
            found=values,
            fix="use operands that Python can compute with",
        )


def literal(state: State, node: ast.AST, value: Any, kind: str, typed: bool = False) -> Cx:
    """A constant as C++ of the given kind. `typed`: `int64_t{1}` where C++ overloads would hesitate."""
    if kind == BOOL:
        return text("true" if value else "false")
    if kind == INT:
        return _int_literal(state, node, int(value), typed)
    return _float_literal(state, node, value)


def _int_literal(state: State, node: ast.AST, value: int, typed: bool) -> Cx:
    if not INT64_MIN <= value <= INT64_MAX:
        allowed = "-2**63 to 2**63 - 1"
        state.fail(
            node,
            "G033",
            "integer constant does not fit the device's int64",
            found=str(value),
            allowed=allowed,
            fix="use a smaller constant",
        )
    spelled = "(-9223372036854775807 - 1)" if value == INT64_MIN else str(value)
    if typed:
        return text(f"int64_t{{{spelled}}}")
    return text(spelled, PREC_UNARY if value < 0 and value != INT64_MIN else PREC_ATOM)


def _float_literal(state: State, node: ast.AST, value: Any) -> Cx:
    try:
        number = float(value)
        rounded = struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        allowed = "magnitudes up to 3.4028235e38"
        state.fail(
            node,
            "G033",
            "float constant does not fit FP32",
            found=str(value),
            allowed=allowed,
            fix="use a constant of smaller magnitude",
        )
    if math.isnan(rounded):
        return text('__builtin_nanf("")')
    if math.isinf(rounded):
        return text("-__builtin_inff()", PREC_UNARY) if rounded < 0 else text("__builtin_inff()")
    spelled = next(s for s in (f"{rounded:.{digits}g}" for digits in range(1, 10)) if _same(s, rounded))
    point = "" if any(ch in spelled for ch in ".e") else ".0"
    return text(f"{spelled}{point}f", PREC_UNARY if spelled.startswith("-") else PREC_ATOM)


def _same(spelled: str, rounded: float) -> bool:
    try:
        return struct.unpack("<f", struct.pack("<f", float(spelled)))[0] == rounded
    except OverflowError:
        return False


def constant_kind(state: State, node: ast.AST, value: Any) -> str:
    """The scalar kind of a constant that must be a number."""
    kind = const_kind(value)
    if kind is None:
        state.fail(
            node, "G016", "a number is needed here", found=repr(value), allowed="int, float or bool", fix="use a number"
        )
    return kind


__all__ = ["BINARY", "COMPARE", "FLOAT", "UNARY", "binary", "compare", "constant_kind", "literal", "unary"]
