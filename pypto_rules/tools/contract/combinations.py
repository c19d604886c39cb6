"""Which TilingKey combinations are valid, without walking the whole product.

`is_valid` is run on values that note which fields it looks at. Its answer holds for every combination that agrees on
those fields, so the search follows the predicate's own decisions: a predicate that pins thirteen of fourteen fields is
asked about fifty times, not 87 million. Predicates that ask for types or identities could tell the noting values from
numbers, and are not run on them; the answers of the others are compared with plain numbers. Where the search cannot
tell, the product is walked, within a budget.
"""

from __future__ import annotations

import itertools
import math
import opcode
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Predicate = Callable[[tuple[Any, ...]], Any]

_OBJECT_NAMES = frozenset(["type", "id", "__class__", "vars", "dir", "pickle"])
_IS = opcode.opmap["IS_OP"]
SMALL = 4096  # products up to this are walked: the plainest way, and fast
WALK_BUDGET = 1_000_000  # predicate calls, some seconds
SEARCH_BUDGET = 300_000
SEARCH_WORK = 3_000_000  # predicate calls times fields: watching many fields costs time, too


class PredicateRaised(Exception):
    """The predicate raised for a combination."""

    def __init__(self, combo: tuple[int, ...], error: BaseException) -> None:
        super().__init__(str(error))
        self.combo = combo
        self.error = error


@dataclass(frozen=True)
class Outcome:
    """`combos` in product order, or None when there are more than allowed.

    `count` is the number of valid combinations; with `exact` false, how many were found before the budget ended.
    """

    combos: tuple[tuple[int, ...], ...] | None
    count: int
    exact: bool


def valid_combinations(values: Sequence[Sequence[int]], predicate: Predicate | None, limit: int) -> Outcome:
    """The valid combinations of the fields' values, at most `limit` of them.

    Raises:
        PredicateRaised: the predicate raised an exception.
    """
    product = math.prod(len(field) for field in values)
    if predicate is None:
        if product > limit:
            return Outcome(None, product, True)
        return Outcome(tuple(itertools.product(*values)), product, True)
    if product > SMALL and not _sees_objects(predicate):
        outcome = _search(values, predicate, limit)
        if outcome is not None and (outcome.exact or product > WALK_BUDGET):
            return outcome
    return _walk(values, predicate, limit)


def _walk(values: Sequence[Sequence[int]], predicate: Predicate, limit: int) -> Outcome:
    found: list[tuple[int, ...]] = []
    count = 0
    for calls, combo in enumerate(itertools.product(*values)):
        if calls >= WALK_BUDGET:
            return Outcome(None, count, False)
        if _ask(predicate, combo, combo):
            count += 1
            if count <= limit:
                found.append(combo)
    return Outcome(tuple(found) if count <= limit else None, count, True)


def _ask(predicate: Predicate, key: tuple[Any, ...], combo: tuple[int, ...]) -> bool:
    try:
        return bool(predicate(key))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PredicateRaised(combo, error) from error


def _sees_objects(predicate: Predicate) -> bool:
    """Whether the predicate, or a function it names, asks what its values are rather than how much."""
    waiting = [getattr(predicate, "__func__", predicate)]
    seen: set[Any] = set()
    while waiting:
        function = waiting.pop()
        code = getattr(function, "__code__", None)
        if code is None or code in seen:
            continue
        seen.add(code)
        for part in _code_objects(code):
            if _OBJECT_NAMES.intersection(part.co_names) or _IS in part.co_code[::2]:
                return True
            scope = getattr(function, "__globals__", {})
            waiting += [scope[name] for name in part.co_names if name in scope]
    return False


def _code_objects(code: Any) -> Iterator[Any]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            yield from _code_objects(constant)


class _Probe:
    """One question to the predicate; `path` holds (field, index of its value) in the order of first looks."""

    def __init__(self, values: Sequence[Sequence[int]], path: list[list[int]]) -> None:
        self._values = values
        self._path = path
        self._chosen = dict(path)

    def key(self) -> tuple[Any, ...]:
        return tuple(_Watched(self, field) for field in range(len(self._values)))

    def look(self, field: int) -> int:
        if field not in self._chosen:
            self._chosen[field] = 0
            self._path.append([field, 0])
        return self._values[field][self._chosen[field]]


class _Watched:
    """Behaves as the field's value, and tells the probe when it is looked at."""

    __slots__ = ("_field", "_probe")

    def __init__(self, probe: _Probe, field: int) -> None:
        self._probe = probe
        self._field = field

    @property
    def __class__(self) -> type:  # type: ignore[override]
        return int  # isinstance(value, int) holds, as for the real value

    def __getattr__(self, name: str) -> Any:
        return getattr(_value(self), name)

    def __divmod__(self, other: Any) -> Any:
        return divmod(_value(self), _value(other))

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(_value(other), _value(self))

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        return pow(_value(self), _value(other), modulo)

    def __rpow__(self, other: Any) -> Any:
        return pow(_value(other), _value(self))

    def __copy__(self) -> int:
        return _value(self)

    def __deepcopy__(self, memo: Any) -> int:
        return _value(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _value(self).__reduce_ex__(protocol)

    def __round__(self, *args: Any) -> Any:
        return round(_value(self), *args)

    def __format__(self, spec: str) -> str:
        return format(_value(self), spec)


def _value(item: Any) -> Any:
    if type(item) is _Watched:
        return item._probe.look(item._field)
    return item


def _unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: function(_value(self))


def _binary(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(_value(self), _value(other))


def _reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(_value(other), _value(self))


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(_Watched, f"__{_name}__", _binary(getattr(operator, _name)))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor"):
    _function = getattr(operator, f"__{_name}__")
    setattr(_Watched, f"__{_name}__", _binary(_function))
    setattr(_Watched, f"__r{_name}__", _reflected(_function))
for _name, _function in {
    "hash": hash, "bool": bool, "int": int, "float": float, "complex": complex, "index": operator.index,
    "neg": operator.neg, "pos": operator.pos, "abs": abs, "invert": operator.invert,
    "trunc": math.trunc, "floor": math.floor, "ceil": math.ceil, "str": str, "repr": repr,
}.items():  # fmt: skip
    setattr(_Watched, f"__{_name}__", _unary(_function))


def _search(values: Sequence[Sequence[int]], predicate: Predicate, limit: int) -> Outcome | None:
    """The valid combinations by the predicate's decisions; None when only walking the product can tell."""
    boxes: list[dict[int, int]] = []
    count = 0
    budget = min(SEARCH_BUDGET, SEARCH_WORK // len(values))
    for calls, (chosen, answer) in enumerate(_decisions(values, predicate)):
        if answer is None or not _holds(values, predicate, chosen, answer):
            return None
        if answer:
            count += math.prod(len(field) for i, field in enumerate(values) if i not in chosen)
            if count <= limit:
                boxes.append(chosen)
        if calls >= budget:
            return Outcome(None, count, False)
    if count > limit:
        return Outcome(None, count, True)
    indices = sorted(indices for box in boxes for indices in _expand(values, box))
    return Outcome(tuple(tuple(values[f][i] for f, i in enumerate(row)) for row in indices), count, True)


def _decisions(values: Sequence[Sequence[int]], predicate: Predicate) -> Iterator[tuple[dict[int, int], bool | None]]:
    """Every leaf of the predicate's decision tree: the fields it looked at with their choices, and its answer."""
    path: list[list[int]] = []
    while True:
        probe = _Probe(values, path)
        try:
            answer: bool | None = bool(predicate(probe.key()))
        except KeyboardInterrupt:
            raise
        except BaseException:  # raised for real, or only because of the watched values: plain numbers will tell
            answer = None
        chosen = dict(path)
        if answer is None:
            _ask(predicate, _representative(values, chosen, 0), _representative(values, chosen, 0))
        yield chosen, answer
        while path and path[-1][1] + 1 == len(values[path[-1][0]]):
            path.pop()
        if not path:
            return
        path[-1][1] += 1


def _representative(values: Sequence[Sequence[int]], chosen: dict[int, int], other: int) -> tuple[int, ...]:
    return tuple(field[chosen.get(i, other)] for i, field in enumerate(values))


def _holds(values: Sequence[Sequence[int]], predicate: Predicate, chosen: dict[int, int], answer: bool) -> bool:
    corners = {_representative(values, chosen, 0), _representative(values, chosen, -1)}
    return all(_ask(predicate, combo, combo) == answer for combo in corners)


def _expand(values: Sequence[Sequence[int]], box: dict[int, int]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*((box[i],) if i in box else range(len(field)) for i, field in enumerate(values)))
