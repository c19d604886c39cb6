"""Values that note which fields a predicate looks at, for the search that follows its decisions."""

from __future__ import annotations

import math
import opcode
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Predicate = Callable[[tuple[Any, ...]], Any]

_OBJECT_NAMES = frozenset(["type", "id", "__class__", "vars", "dir", "pickle"])
_IS = opcode.opmap["IS_OP"]


def sees_objects(predicate: Predicate) -> bool:
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


def decisions(values: Sequence[Sequence[int]], predicate: Predicate) -> Iterator[tuple[dict[int, int], bool | None]]:
    """Every leaf of the predicate's decision tree: the fields it looked at with their choices, and its answer.

    A choice is the index of a value. The answer is None when the predicate raised, for real or because of the watched
    values: plain numbers will tell.
    """
    path: list[list[int]] = []
    while True:
        probe = _Probe(values, path)
        try:
            answer: bool | None = bool(predicate(probe.key()))
        except KeyboardInterrupt:
            raise
        except BaseException:
            answer = None
        yield dict(path), answer  # type: ignore[arg-type]
        while path and path[-1][1] + 1 == len(values[path[-1][0]]):
            path.pop()
        if not path:
            return
        path[-1][1] += 1
