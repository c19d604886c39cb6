"""Python's own functions and methods on the possible values of `possible`; what is not here is `Unknown`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from pypto_rules.tools.contract import possible
from pypto_rules.tools.contract.possible import Between, Items, Iterator, Some, Table, TooMany, Unknown, Value

Call = Callable[[Any, list[Value], dict[str, Value]], Value]

# Methods of numbers, text and containers that change nothing.
METHODS = frozenset(
    [
        "bit_length",
        "bit_count",
        "is_integer",
        "get",
        "keys",
        "values",
        "items",
        "index",
        "count",
        "startswith",
        "endswith",
        "lower",
        "upper",
        "isdigit",
        "strip",
        "issubset",
        "issuperset",
        "isdisjoint",
        "union",
        "intersection",
        "difference",
        "symmetric_difference",
    ]
)
_MATH = (math.gcd, math.lcm, math.sqrt, math.isqrt, math.floor, math.ceil, math.trunc, math.log2, math.log, math.fabs)
_LIFTED = frozenset([abs, int, float, str, divmod, round, ord, chr, bin, hex, range, *_MATH])


def call(function: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
    """What a function of Python's may return."""
    handler = _HANDLERS.get(function)
    if handler is not None:
        try:
            return handler(*args, **keywords)
        except TypeError as error:  # other arguments than the handler takes
            raise Unknown from error
    if function not in _LIFTED or keywords:
        raise Unknown
    return possible.lift(function, *args)


def method(base: Value, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """What a method of plain data may return."""
    if name not in METHODS or keywords:
        raise Unknown
    if isinstance(base, Table):
        return _of_table(base, name, *args)
    if name == "count" and isinstance(base, Items) and len(args) == 1 and base.kind in (tuple, list):
        answers = [possible.equal(part, args[0]) for part in base.parts]
        sure = sum(answer == {True} and place not in base.optional for place, answer in enumerate(answers))
        return Between(sure, sum(True in answer for answer in answers))
    if name in ("keys", "values", "items"):
        rows = possible.lift(lambda table: tuple(getattr(table, name)()), base, *args)
        return Items(Iterator, tuple(part for part, _ in possible.parts(rows)))
    return possible.lift(lambda it, *more: getattr(it, name)(*more), base, *args)


def _of_table(table: Table, name: str, *args: Value) -> Value:
    if name == "get" and 1 <= len(args) <= 2:
        default = args[1] if len(args) > 1 else Some((None,))
        return possible.joined([possible.entry(table, key, default) for key in possible.options(args[0])])
    if name not in ("keys", "values", "items") or args:
        raise Unknown
    pairs = [Items(tuple, (Some((key,)), value)) for key, value in table.entries.items()]
    place = {"keys": slice(1), "values": slice(1, None), "items": None}[name]
    return Items(Iterator, tuple(pair if place is None else pair.parts[place][0] for pair in pairs))


def collected(kind: type, found: Iterable[tuple[Value, bool]]) -> Value:
    """A tuple, list, set, frozenset or Iterator of parts, some of which may be missing."""
    rows = list(found)
    if kind in (set, frozenset) and not all(possible.is_hashable(part) for part, _ in rows):
        raise Unknown
    return Items(kind, tuple(part for part, _ in rows), frozenset(i for i, (_, sure) in enumerate(rows) if not sure))


def dictionary(pairs: Iterable[tuple[Value, Value]]) -> Value:
    """A dict, when its keys are known."""
    entries = {}
    for key, value in pairs:
        entries[_one(key)[0]] = value
    if all(isinstance(value, Some) and len(value.options) == 1 for value in entries.values()):
        return Some(({key: value.options[0] for key, value in entries.items() if isinstance(value, Some)},))
    return Table({key: kept(value) for key, value in entries.items()})


def kept(value: Value) -> Value:
    """A value that may be looked at more than once."""
    if isinstance(value, Items) and value.kind is Iterator:
        raise Unknown
    return value


def _one(value: Value) -> tuple[Any]:
    options = possible.options(value)
    if len(options) != 1 or not possible.is_hashable(value):
        raise Unknown
    return (options[0],)


def _row(value: Value) -> Value:
    """What the one look at an iterator finds; of a namedtuple its parts."""
    if isinstance(value, Items) and (value.kind is Iterator or issubclass(value.kind, tuple)):
        return Items(tuple, value.parts, value.optional)
    if isinstance(value, Some) and any(type(row) is range and len(row) > possible.LONG for row in value.options):
        raise Unknown  # sum(range(10**12)) takes its time
    return value


def sure(value: Value) -> list[Value]:
    found = possible.parts(value)
    if not all(sure for _, sure in found):
        raise Unknown
    return [part for part, _ in found]


def _bool(value: Value = possible.FALSE) -> Value:
    return possible.truth_value(possible.truths(value))


def _any(values: Value) -> Value:
    found = possible.parts(values)
    return possible.truth_value(
        possible.either(possible.truths(part) | (frozenset() if sure else {False}) for part, sure in found)
    )


def _all(values: Value) -> Value:
    found = possible.parts(values)
    return possible.truth_value(
        possible.each(possible.truths(part) | (frozenset() if sure else {True}) for part, sure in found)
    )


def _len(values: Value) -> Value:
    try:
        return possible.lift(len, values if possible.row(values) is None else _row(values))
    except TooMany:
        if not isinstance(values, Items):
            raise
    surely = len(values.parts) - len(values.optional)
    return Between(min(surely, 1) if values.kind in (set, frozenset) else surely, len(values.parts))


def _sum(values: Value, start: Value = possible.ZERO) -> Value:
    try:
        return possible.lift(sum, _row(values), start)
    except TooMany:
        found = [*possible.parts(values), (start, True)]
    low = high = 0
    for part, sure in found:
        interval = possible.bounds(part if sure else possible.join(part, possible.ZERO))
        if interval is None:
            raise Unknown
        low, high = low + interval[0], high + interval[1]
    return Between(low, high)


def _extreme(function: Callable[..., Any], *values: Value, **keywords: Value) -> Value:
    """min and max."""
    if keywords or not values:
        raise Unknown
    try:
        return possible.lift(function, *map(_row, values))
    except TooMany:
        found = possible.parts(values[0]) if len(values) == 1 else [(value, True) for value in values]
    sure = [possible.bounds(part, (int,)) for part, there in found if there]
    others = [possible.bounds(part, (int,)) for part, there in found if not there]
    if not sure or None in sure or None in others:
        raise Unknown
    # An end is that of the sure ones, unless one that may be there goes beyond it.
    inner = function(low for low, _ in sure), function(high for _, high in sure)
    reach = [*others, inner]
    return Between(min(low for low, _ in reach), max(high for _, high in reach)) if others else Between(*inner)


def _min(*values: Value, **keywords: Value) -> Value:
    return _extreme(min, *values, **keywords)


def _max(*values: Value, **keywords: Value) -> Value:
    return _extreme(max, *values, **keywords)


def _sorted(values: Value, *, reverse: Value = possible.FALSE) -> Value:
    try:
        return possible.lift(lambda row, turned: sorted(row, reverse=turned), _row(values), reverse)
    except TooMany:
        found = sure(values)
    if any(possible.bounds(part, (int,)) is None for part in found) or possible.bounds(reverse) is None:
        raise Unknown
    return Items(list, (possible.joined(found),) * len(found))


def zipped(*values: Value, strict: Value = possible.FALSE) -> Items:
    """What zip gives."""
    rows = [sure(value) for value in values]
    if len(set(map(len, rows))) > 1 and possible.truths(strict) != {False}:
        raise Unknown
    return Items(Iterator, tuple(Items(tuple, row) for row in zip(*rows, strict=False)))


def _enumerate(values: Value, start: Value = possible.ZERO) -> Value:
    (first,) = _one(start)
    if type(first) is not int:
        raise Unknown
    return Items(Iterator, tuple(Items(tuple, (Some((first + i,)), part)) for i, part in enumerate(sure(values))))


def _reversed(values: Value) -> Value:
    if possible.row(values) is None and not all(type(row) is range for row in possible.options(values)):
        raise Unknown
    return Items(Iterator, tuple(sure(values)[::-1]))


def _collector(kind: type) -> Callable[..., Value]:
    def collect(*values: Value) -> Value:
        if kind in (set, frozenset) and not all(isinstance(value, Items) for value in values):
            return possible.lift(kind, *values)  # in which order a copied set gives its parts is its own affair
        return collected(kind, possible.parts(*values) if values else [])

    return collect


_HANDLERS: dict[Any, Callable[..., Value]] = {
    bool: _bool, any: _any, all: _all, len: _len, sum: _sum, min: _min, max: _max, sorted: _sorted, zip: zipped,
    enumerate: _enumerate, reversed: _reversed, **{kind: _collector(kind) for kind in (tuple, list, set, frozenset)},
}  # fmt: skip

KNOWN = _LIFTED | {*_HANDLERS}
