"""Python's operators on the possible values of `possible`."""

from __future__ import annotations

import ast
import enum
import operator
from collections.abc import Callable
from typing import Any

from pypto_rules.tools.contract.possible import (
    Between,
    Items,
    Some,
    Thing,
    TooMany,
    Unknown,
    Value,
    bounds,
    contains,
    equal,
    lift,
    truth_value,
    truths,
)

_HUGE = 1024  # bits of a number

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip


def binary(kind: type[ast.operator], left: Value, right: Value) -> Value:
    """`left + right` and the like."""
    if isinstance(left, Items) and isinstance(right, Items) and kind is ast.Add:
        if left.kind is right.kind and left.kind in (tuple, list) and not left.optional | right.optional:
            return Items(left.kind, left.parts + right.parts)
        raise Unknown
    if kind in (ast.Pow, ast.LShift, ast.Mult, ast.Mod) and not _harmless(kind, left, right):
        raise Unknown
    try:
        return lift(_OPERATORS[kind], left, right)
    except TooMany:
        if kind in (ast.BitOr, ast.BitXor) and (_are_apart(left, right) or _are_apart(right, left)):
            kind = ast.Add  # fields of a packed number
        types = (int,) if kind in (ast.BitAnd, ast.BitOr, ast.BitXor) else (int, bool)  # True & True is True
        return _interval(kind, bounds(left, types), bounds(right, types))


def _harmless(kind: type[ast.operator], left: Value, right: Value) -> bool:
    """Whether the result is no text or list of any length and no number of any size."""
    if kind in (ast.Mult, ast.Mod):
        numbers = (int, bool, float)
        choices = [value.options for value in (left, right) if isinstance(value, Some)]
        return not any(isinstance(v, (Items, Thing)) for v in (left, right)) and all(
            type(option) in numbers for row in choices for option in row
        )
    base, exponent = bounds(left), bounds(right)
    return base is not None and exponent is not None and max(map(abs, base)) < 2**64 and max(map(abs, exponent)) <= 128


def _are_apart(high: Value, low: Value) -> bool:
    """Whether each candidate of the one has its bits above those of the other, both being natural numbers."""
    below = bounds(low, (int,))
    if below is None or below[0] < 0 or not isinstance(high, Some) or bounds(high, (int,)) is None:
        return False
    unit = 1 << below[1].bit_length()
    return all(option >= 0 and option % unit == 0 for option in high.options)


def _interval(kind: type[ast.operator], left: tuple[int, int] | None, right: tuple[int, int] | None) -> Value:
    if left is None or right is None:
        raise Unknown
    natural = left[0] >= 0 and right[0] >= 0
    if kind is ast.Mod and right[0] > 0:
        return Between(*left) if 0 <= left[0] <= left[1] < right[0] else Between(0, right[1] - 1)
    if kind is ast.BitAnd and natural:
        return Between(0, min(left[1], right[1]))
    if kind in (ast.BitOr, ast.BitXor) and natural:
        low = max(left[0], right[0]) if kind is ast.BitOr else 0
        return Between(low, (1 << max(left[1].bit_length(), right[1].bit_length())) - 1)
    monotonous = kind in (ast.Add, ast.Sub, ast.Mult)  # in each operand, so that the corners are the extremes
    monotonous = monotonous or (kind is ast.FloorDiv and right[0] > 0)
    monotonous = monotonous or (kind in (ast.LShift, ast.RShift) and 0 <= right[0] <= right[1] <= 128)
    if not monotonous:
        raise Unknown
    corners = [_OPERATORS[kind](one, other) for one in left for other in right]
    if max(map(abs, corners)).bit_length() > _HUGE:
        raise Unknown
    return Between(min(corners), max(corners))


def unary(kind: type[ast.unaryop], value: Value) -> Value:
    """`-value` and the like."""
    if kind is ast.Not:
        return truth_value(not truth for truth in truths(value))
    interval = bounds(value)
    if kind is ast.USub and isinstance(value, Between) and interval:
        return Between(-interval[1], -interval[0])
    return lift({ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[kind], value)


def compare(kind: type[ast.cmpop], left: Value, right: Value) -> Value:
    """`left < right` and the like."""
    if kind in (ast.Eq, ast.NotEq):
        return truth_value(truth is (kind is ast.Eq) for truth in equal(left, right))
    if kind in (ast.In, ast.NotIn):
        return truth_value(truth is (kind is ast.In) for truth in contains(right, left))
    if kind in (ast.Is, ast.IsNot):
        if not (isinstance(right, Some) and all(map(_is_single, right.options))):
            raise Unknown  # which numbers are the same object is Python's affair
        if isinstance(left, Between):
            return truth_value([kind is ast.IsNot])
    try:
        return lift(_OPERATORS[kind], left, right)
    except TooMany:
        one, other = bounds(left), bounds(right)
        if one is None or other is None or kind in (ast.Is, ast.IsNot):
            raise
        corners = {_OPERATORS[kind](a, b) for a in one for b in other}  # all the same: true of all between
        return truth_value(corners)


def _is_single(option: Any) -> bool:
    """Whether there is one object only that is equal to it and of its type."""
    return option is None or isinstance(option, (bool, enum.Enum))
