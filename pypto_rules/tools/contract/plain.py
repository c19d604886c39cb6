"""What names and attributes of a predicate stand for, found without running the user's code; which data is plain."""

from __future__ import annotations

import builtins
import collections
import enum
import functools
import inspect
import itertools
import types
from typing import Any

from pypto_rules.tools.contract import possible

_ROOM = 100_000  # parts of constant data
_GETTERS = (object.__getattribute__, type.__getattribute__, types.ModuleType.__getattribute__)


class Impure(possible.Unknown):
    """The predicate, or data that it uses, is of a kind that is not known here."""


def is_local(name: str, function: types.FunctionType) -> bool:
    """Whether a name is a variable of the function's own."""
    return name in function.__code__.co_varnames or name in function.__code__.co_cellvars


def global_object(function: types.FunctionType, name: str) -> Any:
    """What a name that is no variable of the function's own stands for; Impure when for nothing."""
    if name in function.__code__.co_freevars:
        cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:
            raise Impure from None
    scope = function.__globals__
    own = scope.get("__builtins__", builtins)
    for names in (scope, own if isinstance(own, dict) else vars(own)):
        if name in names:
            return names[name]
    raise Impure


def member(owner: Any, name: str) -> Any:
    """`owner.name`, found without running code of the user's.

    Raises:
        Impure: that is not possible, or there is none.
    """
    if is_plain_enum(owner) and name in owner.__members__:
        return owner.__members__[name]
    if type(owner).__getattribute__ not in _GETTERS or hasattr(type(owner), "__getattr__"):
        raise Impure
    try:
        found = inspect.getattr_static(owner, name)
    except AttributeError:
        raise Impure from None
    cls = owner if isinstance(owner, type) else type(owner)
    if isinstance(found, staticmethod):
        return found.__func__
    if isinstance(found, classmethod):
        return types.MethodType(found.__func__, cls)
    if isinstance(found, types.FunctionType) and cls is not owner and not isinstance(owner, types.ModuleType):
        return types.MethodType(found, owner)
    if isinstance(found, types.FunctionType) or isinstance(owner, types.ModuleType) or is_plain(found):
        return found
    raise Impure


def is_plain(value: Any) -> bool:
    """Whether a value is data that only Python's own operations can touch: numbers, text, enum members, containers."""
    return _size(value, _ROOM, 0) <= _ROOM


def _size(value: Any, room: int, depth: int) -> int:
    if type(value) in (int, bool, str, bytes, type(None), range):
        return 1
    if type(value) is float:
        return 1 if value == value else room + 1
    if isinstance(value, enum.Enum):
        return _size(value._value_, room, depth + 1) if is_plain_enum(type(value)) else room + 1
    if depth > 8 or type(value) not in (tuple, list, set, frozenset, dict) or len(value) > room:
        return room + 1
    total = 1
    for part in itertools.chain(value, value.values() if isinstance(value, dict) else ()):
        total += _size(part, room, depth + 1)
        if total > room:
            break
    return total


def can_change(value: Any) -> bool:
    """Whether a value is or holds a list, set or dict."""
    if isinstance(value, enum.EnumMeta):
        return any(map(can_change, value))
    if isinstance(value, enum.Enum):
        return can_change(value._value_)
    if isinstance(value, (tuple, frozenset)):
        return any(map(can_change, value))
    return isinstance(value, (list, set, dict))


def is_plain_enum(cls: Any) -> bool:
    """Whether a class is an Enum without code of the user's."""
    if type(cls) is not enum.EnumMeta:
        return False
    bases = [base for base in cls.__mro__ if base.__module__ not in ("enum", "builtins")]
    return not any(_is_code(value) for base in bases for value in vars(base).values())


def is_record(cls: Any) -> bool:
    """Whether a class is a namedtuple without code of the user's."""
    if type(cls) is not type or cls.__mro__[1:] != (tuple, object) or "_fields" not in vars(cls):
        return False
    generated = (collections.namedtuple.__code__.co_filename, "<string>")
    codes = [getattr(getattr(value, "__func__", value), "__code__", None) for value in vars(cls).values()]
    whole = all(code is None or code.co_filename in generated for code in codes)
    return whole and not any(type(value) is property for value in vars(cls).values())


def _is_code(value: Any) -> bool:
    functions = (types.FunctionType, staticmethod, classmethod, functools.cached_property)
    return type(value) is property or (isinstance(value, functions) and getattr(value, "__module__", "") != "enum")
