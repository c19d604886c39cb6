"""Functions of Python's modules, and those that call other functions, on the possible values of `possible`."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

from pypto_rules.tools.contract import operators, plain, possible, sequences
from pypto_rules.tools.contract.possible import Between, Items, Iterator, Some, Thing, Unknown, Value
from pypto_rules.tools.contract.sequences import METHODS as METHODS
from pypto_rules.tools.contract.sequences import Call

_TYPES = (int, bool, float, str, tuple, list)
_BINARY: dict[Any, type[ast.operator]] = {
    operator.add: ast.Add, operator.sub: ast.Sub, operator.mul: ast.Mult, operator.floordiv: ast.FloorDiv,
    operator.mod: ast.Mod, operator.and_: ast.BitAnd, operator.or_: ast.BitOr, operator.xor: ast.BitXor,
}  # fmt: skip
_COMPARED: dict[Any, type[ast.cmpop]] = {
    operator.eq: ast.Eq, operator.ne: ast.NotEq, operator.lt: ast.Lt, operator.le: ast.LtE, operator.gt: ast.Gt,
    operator.ge: ast.GtE,
}  # fmt: skip


def call(function: Any, args: list[Value], keywords: dict[str, Value], called: Call) -> Value:
    """What a function that is not the user's may return; `called` calls the functions given to it."""
    if plain.is_plain_enum(function):
        return _only_positional(lambda value: possible.lift(function, value), args, keywords)
    if plain.is_record(function):
        return _record(function, args, keywords)
    if function in _CALLING:
        return _CALLING[function](called, args, keywords)
    if "key" in keywords and function in (sorted, min, max):
        return _by_key(function, called, args, keywords)
    if function in _BINARY:
        return _only_positional(lambda a, b: operators.binary(_BINARY[function], a, b), args, keywords)
    if function in _COMPARED:
        return _only_positional(lambda a, b: operators.compare(_COMPARED[function], a, b), args, keywords)
    if function in _HANDLERS:
        return _only_positional(_HANDLERS[function], args, keywords)
    return sequences.call(function, args, keywords)


def _record(kind: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A new namedtuple."""
    given = dict(zip(kind._fields, args, strict=False))
    whole = {**given, **keywords}
    if len(args) != len(given) or given.keys() & keywords.keys() or whole.keys() != set(kind._fields):
        raise Unknown
    return sequences.collected(kind, [(sequences.kept(whole[name]), True) for name in kind._fields])


def _only_positional(handler: Callable[..., Value], args: list[Value], keywords: dict[str, Value]) -> Value:
    if keywords:
        raise Unknown
    try:
        return handler(*args)
    except TypeError as error:  # other arguments than the handler takes
        raise Unknown from error


def _map(called: Call, args: list[Value], keywords: dict[str, Value]) -> Value:
    if keywords or len(args) < 2:
        raise Unknown
    it, rows = _callable(args[0]), sequences.zipped(*args[1:]).parts
    return Items(Iterator, tuple(called(it, list(row.parts), {}) for row in rows if isinstance(row, Items)))


def _filter(called: Call, args: list[Value], keywords: dict[str, Value]) -> Value:
    if keywords or len(args) != 2:
        raise Unknown
    kept = []
    for part, sure in possible.parts(args[1]):
        value = part if args[0] == Some((None,)) else called(_callable(args[0]), [part], {})
        truths = possible.truths(value)
        if True in truths:
            kept.append((part, sure and False not in truths))
    return sequences.collected(Iterator, kept)


def _reduce(called: Call, args: list[Value], keywords: dict[str, Value]) -> Value:
    if keywords or not 2 <= len(args) <= 3:
        raise Unknown
    it, parts = _callable(args[0]), [*args[2:], *sequences.sure(args[1])]
    if not parts:
        raise Unknown
    return functools.reduce(lambda value, part: called(it, [value, part], {}), parts)


def _by_key(function: Any, called: Call, args: list[Value], keywords: dict[str, Value]) -> Value:
    """sorted, min and max with a key: any order, once the keys are known to be numbers."""
    reverse = keywords.get("reverse", possible.FALSE) if function is sorted else possible.FALSE
    if len(args) != 1 or set(keywords) - {"key", "reverse"} or possible.bounds(reverse) is None:
        raise Unknown
    if "reverse" in keywords and function is not sorted:
        raise Unknown
    it, found = _callable(keywords["key"]), sequences.sure(args[0])
    if not found or any(possible.bounds(called(it, [part], {})) is None for part in found):
        raise Unknown
    whole = possible.joined(found)
    return Items(list, (whole,) * len(found)) if function is sorted else whole


def _callable(value: Value) -> Any:
    if not isinstance(value, Thing):
        raise Unknown
    return value.it


def _isinstance(value: Value, kinds: Value) -> Value:
    types = [part for part, _ in possible.parts(kinds)] if isinstance(kinds, Items) else [kinds]
    asked = tuple(it.it for it in types if isinstance(it, Thing) and it.it in _TYPES)
    if len(asked) != len(types):
        raise Unknown
    if isinstance(value, Items) and value.kind is not Iterator:
        return possible.truth_value([issubclass(value.kind, asked)])
    found = [int] if isinstance(value, Between) else map(type, possible.options(value))
    return possible.truth_value(issubclass(kind, asked) for kind in found)


def _prod(values: Value) -> Value:
    return functools.reduce(functools.partial(operators.binary, ast.Mult), sequences.sure(values), Some((1,)))


def _dict(*pairs: Value) -> Value:
    if not all(isinstance(value, Items) or possible.row(value) for value in pairs):
        raise Unknown  # a dict is copied, not read as pairs
    rows = [possible.row(part) for part in (sequences.sure(*pairs) if pairs else [])]
    if any(row is None or len(row[1]) != 2 for row in rows):
        raise Unknown
    return sequences.dictionary([(row[1][0], row[1][1]) for row in rows if row is not None])


def _chain(*values: Value) -> Value:
    return sequences.collected(Iterator, [part for value in values for part in possible.parts(value)])


def _pairwise(values: Value) -> Value:
    return Items(Iterator, tuple(Items(tuple, pair) for pair in itertools.pairwise(sequences.sure(values))))


_CALLING: dict[Any, Callable[[Call, list[Value], dict[str, Value]], Value]] = {
    map: _map, filter: _filter, functools.reduce: _reduce,
}  # fmt: skip
_HANDLERS: dict[Any, Callable[..., Value]] = {
    isinstance: _isinstance, math.prod: _prod, dict: _dict, itertools.chain: _chain, itertools.pairwise: _pairwise,
}  # fmt: skip

KNOWN = sequences.KNOWN | {*_CALLING, *_HANDLERS, *_BINARY, *_COMPARED}
