"""What a value in `is_valid` may be while not every TilingKey field is settled, and Python's operations on such values.

Soundness: a value here stands for all that Python could compute from the candidates the fields still have, and perhaps
for more; never for less. Small sets are computed one by one with Python's own operation, larger ones of ints become
the interval around them. An operation that raises for any of the candidates, or that is not known to be harmless,
raises `Unknown` instead of giving a value, so that no answer rests on it.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

MANY = 64  # candidates of a value that are kept one by one, and combinations of candidates that are computed
LONG = 4096  # parts of a sequence
_HUGE = 1024  # bits of a number


class Unknown(Exception):
    """Nothing can be told: the operation could raise, or is not one of those known here."""


class TooMany(Unknown):
    """There are too many candidates to look at each."""


class Iterator:
    """The kind of what can be walked once: generator expressions, zip, enumerate, …"""


@dataclass(frozen=True)
class Some:
    """One of these plain values."""

    options: tuple[Any, ...]


@dataclass(frozen=True)
class Between:
    """An int from `low` to `high`."""

    low: int
    high: int


@dataclass(frozen=True)
class Items:
    """A tuple, namedtuple, list, set, frozenset or Iterator of these parts; those at `optional` may be missing."""

    kind: type
    parts: tuple[Value, ...]
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Table:
    """A dict with these keys; the values may be anything."""

    entries: dict[Any, Value]


@dataclass(frozen=True)
class Thing:
    """A function, class, module or instance: no plain data."""

    it: Any


Value = Some | Between | Items | Table | Thing
FALSE = Some((False,))
ZERO = Some((0,))


def truth_value(truths: Iterable[bool]) -> Some:
    """The bool that may be any of `truths`."""
    return Some(tuple(sorted(set(truths))))


def some(options: Iterable[Any]) -> Value:
    """One of the options, which may repeat."""
    distinct = {_identity(option): option for option in options}
    found = tuple(distinct.values())
    if any(option != option or (type(option) is int and option.bit_length() > _HUGE) for option in found):
        raise Unknown  # not-a-number is equal to nothing, yet in the list that holds it
    if len(found) <= MANY:
        return Some(found)
    if all(type(option) is int for option in found):
        return Between(min(found), max(found))
    raise TooMany


def _identity(option: Any) -> Any:
    """Equal for values that no operation can tell apart: 1, True and 1.0 are equal, yet their texts differ."""
    if type(option) is tuple:
        return (tuple, *map(_identity, option))
    if type(option) is float:
        return float, repr(option)
    if type(option) in (int, bool, str, type(None)):
        return type(option), option
    return type(option), id(option)


def weight(value: Value) -> int:
    """How much there is to look at."""
    if isinstance(value, Items):
        return len(value.parts) + sum(map(weight, value.parts))
    return len(value.options) if isinstance(value, Some) else 1


def options(value: Value) -> tuple[Any, ...]:
    """Every candidate, as Python's own values."""
    if isinstance(value, Some):
        return value.options
    if isinstance(value, Between) and value.high - value.low < MANY:
        return tuple(range(value.low, value.high + 1))
    if isinstance(value, Between):
        raise TooMany
    if not isinstance(value, Items) or value.kind not in (tuple, list, set, frozenset):
        raise Unknown
    if value.optional:
        raise TooMany
    choices = [options(part) for part in value.parts]
    if math.prod(map(len, choices)) > MANY:
        raise TooMany
    return tuple(value.kind(row) for row in itertools.product(*choices))


def lift(function: Callable[..., Any], *values: Value) -> Value:
    """What `function` may give; it must have no effect but its result."""
    choices = [options(value) for value in values]
    if math.prod(map(len, choices)) > MANY:
        raise TooMany
    try:
        return some([function(*row) for row in itertools.product(*choices)])
    except Unknown:
        raise
    except Exception as error:
        raise Unknown from error


def join(one: Value, other: Value) -> Value:
    """What is the one or the other."""
    if one is other:  # not ==: 1 and True are equal
        return one
    if isinstance(one, Some) and isinstance(other, Some):
        return some([*one.options, *other.options])
    if isinstance(one, Items) and isinstance(other, Items) and one.kind is other.kind:
        longer = max(one.parts, other.parts, key=len)
        both = tuple(map(join, one.parts, other.parts))  # as long as the shorter
        missing = one.optional | other.optional | set(range(len(both), len(longer)))
        return Items(one.kind, both + longer[len(both) :], missing)
    first, second = bounds(one, (int,)), bounds(other, (int,))
    if first is None or second is None:
        raise Unknown
    return Between(min(first[0], second[0]), max(first[1], second[1]))


def joined(values: Iterable[Value]) -> Value:
    """What is one of the values."""
    first, *rest = values
    for value in rest:
        first = join(first, value)
    return first


def bounds(value: Value, types: tuple[type, ...] = (int, bool)) -> tuple[int, int] | None:
    """The smallest interval around a number of these types, None for what may be of another."""
    if isinstance(value, Between):
        return value.low, value.high
    if isinstance(value, Some) and all(type(option) in types for option in value.options):
        return int(min(value.options)), int(max(value.options))
    return None


def truths(value: Value) -> frozenset[bool]:
    """What `bool(value)` may be."""
    if isinstance(value, Some):
        return frozenset(map(bool, value.options))
    if isinstance(value, Between):
        return frozenset(
            [*([False] if value.low <= 0 <= value.high else []), *([True] if value != Between(0, 0) else [])]
        )
    if not isinstance(value, Items) or value.kind is Iterator:
        raise Unknown
    if value.optional and len(value.optional) == len(value.parts):
        return frozenset([False, True])
    return frozenset([bool(value.parts)])


def parts(value: Value) -> list[tuple[Value, bool]]:
    """What iterating gives: each part, and whether it is surely there."""
    if isinstance(value, Items) and value.kind not in (set, frozenset):
        return [(part, place not in value.optional) for place, part in enumerate(value.parts)]
    rows = options(value)
    if any(not isinstance(row, (tuple, list, set, frozenset, dict, range, str)) or len(row) > LONG for row in rows):
        raise Unknown
    if len({len(row) for row in rows}) != 1:
        raise Unknown
    return [(some(column), True) for column in zip(*rows, strict=True)]


def equal(left: Value, right: Value) -> frozenset[bool]:
    """What `left == right` may be. Comparing plain data for equality never raises."""
    try:
        return truths(lift(operator.eq, left, right))
    except TooMany:
        pass
    one, other = bounds(left), bounds(right)
    if one and other:
        return frozenset([False] if one[1] < other[0] or other[1] < one[0] else [False, True])
    rows = [row(value) for value in (left, right)]
    if None in rows:
        return frozenset([False, True])
    (kind, one_parts), (other_kind, other_parts) = rows  # type: ignore[misc]
    if kind is not other_kind or len(one_parts) != len(other_parts):
        return frozenset([False])
    return each([equal(a, b) for a, b in zip(one_parts, other_parts, strict=True)])


def each(answers: Iterable[frozenset[bool]]) -> frozenset[bool]:
    """What `all` of the answers may be."""
    found = list(answers)
    return frozenset(
        ([True] if all(True in a for a in found) else []) + ([False] if any(False in a for a in found) else [])
    )


def either(answers: Iterable[frozenset[bool]]) -> frozenset[bool]:
    """What `any` of the answers may be."""
    return frozenset(not truth for truth in each(frozenset(not truth for truth in answer) for answer in answers))


def row(value: Value) -> tuple[type, tuple[Value, ...]] | None:
    """Kind and parts of a tuple or list of known length."""
    if isinstance(value, Items) and issubclass(value.kind, (tuple, list)) and not value.optional:
        return (list if value.kind is list else tuple), value.parts
    if isinstance(value, Some) and len(value.options) == 1 and type(value.options[0]) in (tuple, list):
        return type(value.options[0]), tuple(Some((part,)) for part in value.options[0])
    return None


def only(value: Value, truth: bool) -> Value:
    """Of the candidates those that are true, or those that are false."""
    return Some(tuple(o for o in value.options if bool(o) is truth)) if isinstance(value, Some) else value


def contains(container: Value, item: Value) -> frozenset[bool]:
    """What `item in container` may be."""
    try:
        return truths(lift(operator.contains, container, item))
    except TooMany:
        pass
    if isinstance(container, Items):
        kinds, inside = {container.kind}, [(p, i not in container.optional) for i, p in enumerate(container.parts)]
    else:
        kinds, inside = set(map(type, options(container))), parts(container)
    if kinds & {range, str, Iterator} or (kinds & {set, frozenset, dict} and not is_hashable(item)):
        raise Unknown
    answers = [(equal(part, item), sure) for part, sure in inside]
    if any(sure and answer == {True} for answer, sure in answers):
        return frozenset([True])
    return frozenset([False] if all(answer == {False} for answer, _ in answers) else [False, True])


def is_hashable(value: Value) -> bool:
    """Whether a value can be in a set, whatever it is."""
    if isinstance(value, Items):
        return value.kind is frozenset or (value.kind is tuple and all(map(is_hashable, value.parts)))
    try:
        hash(value)  # of a dataclass: of its options
    except TypeError:
        return False
    return True


def item_at(value: Value, index: Value) -> Value:
    """`value[index]`."""
    if isinstance(value, Table):
        return joined([entry(value, key) for key in options(index)])
    if not isinstance(value, Items):
        return lift(operator.getitem, value, index)
    known = row(value)
    if known is None:
        raise Unknown
    try:
        found = [known[1][place] for place in options(index)]
    except (IndexError, TypeError) as error:
        raise Unknown from error
    rows = [Items(known[0], part) if isinstance(part, tuple) else part for part in found]
    return joined(rows)


def entry(table: Table, key: Any, *default: Value) -> Value:
    """The value of a key, which may be missing when there is a default."""
    try:
        return table.entries.get(key, *default) if default else table.entries[key]
    except (KeyError, TypeError) as error:
        raise Unknown from error
