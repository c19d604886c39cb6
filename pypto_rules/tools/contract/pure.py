"""Which predicates may be evaluated from their syntax trees: those that nothing but their arguments can influence.

All code that a call could reach is looked at before anything is evaluated, whether it would run or not: it may use the
constructs listed here alone, store in its own variables alone, and name plain data, Python's own harmless functions
and functions of the user's for which the same holds. Then a call has no effect, and gives the same answer each time.
"""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract import closures, growing, library, source
from pypto_rules.tools.contract.plain import (
    Impure,
    can_change,
    global_object,
    is_local,
    is_plain,
    is_plain_enum,
    is_record,
    member,
)

FunctionCode = ast.FunctionDef | ast.Lambda
_NODES = (
    ast.Expr, ast.Pass, ast.Return, ast.Assert, ast.Raise, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.For,
    ast.Break, ast.Continue, ast.Match, ast.match_case, ast.pattern, ast.Constant, ast.Name, ast.Attribute,
    ast.NamedExpr, ast.BoolOp, ast.IfExp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Call, ast.keyword, ast.Tuple,
    ast.List, ast.Set, ast.Dict, ast.Starred, ast.Subscript, ast.Slice, ast.JoinedStr, ast.FormattedValue,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.operator, ast.unaryop,
    ast.boolop, ast.cmpop, ast.expr_context, ast.While, ast.Lambda, ast.FunctionDef, ast.arguments, ast.arg,
)  # fmt: skip
_PLAIN = (int, float, str, bytes, range, tuple, list, set, frozenset, dict, enum.Enum, types.FunctionType)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_COMPUTED = (ast.Constant, ast.BinOp, ast.Compare, ast.UnaryOp)


@dataclass(frozen=True)
class Program:
    """A predicate: its function, the arguments bound to it (self), and the syntax of every function it may reach."""

    function: types.FunctionType
    bound: tuple[Any, ...]
    nodes: dict[types.CodeType, FunctionCode]


def program(predicate: Any, index: source.SourceIndex) -> Program | None:
    """The predicate with the code it reaches, None when it may not be evaluated from its source."""
    bound: tuple[Any, ...] = ()
    if isinstance(predicate, types.MethodType):
        bound, predicate = (predicate.__self__,), predicate.__func__
    function = predicate
    while type(function) is functools._lru_cache_wrapper:  # gives what the function gives: the keys are tuples of ints
        function = function.__wrapped__
    if not isinstance(function, types.FunctionType):
        return None
    try:
        scan = _Scan(index)
        scan.run(function, bound)
    except (Impure, RecursionError):
        return None
    return Program(function, bound, scan.nodes)


class _Scan:
    """Looks at all that a call could reach."""

    def __init__(self, index: source.SourceIndex) -> None:
        self._index = index
        self._owners: list[Any] = []  # what a variable like self may be
        self._changes = False  # whether lists may be changed in place,
        self._can_change = False  # and whether there are any
        self._seen: set[types.FunctionType] = set()
        self.nodes: dict[types.CodeType, FunctionCode] = {}

    def run(self, function: types.FunctionType, bound: tuple[Any, ...]) -> None:
        """Raises Impure when something may not be used."""
        for owner in bound:
            self._own(owner)
        count = -1
        while count != len(self._owners):  # each may have more methods of the names that are called
            count = len(self._owners)
            self.nodes.clear()
            self._seen.clear()
            self._function(function)
        if self._changes and self._can_change:
            raise Impure

    def _own(self, owner: Any) -> None:
        if any(owner is known for known in self._owners):
            return
        cls = owner if isinstance(owner, type) else type(owner)
        if type(cls) is not type:
            raise Impure
        for base in cls.__mro__[:-1]:
            for name, value in vars(base).items():
                if name.startswith("__") and isinstance(value, types.FunctionType) and name != "__init__":
                    raise Impure  # an operator of the user's
        self._owners.append(owner)

    def _function(self, function: types.FunctionType) -> None:
        if function in self._seen:
            return
        self._seen.add(function)  # not its code, which others share that hold something else
        code = function.__code__
        node = self._node(function)
        if node is None or code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
            raise Impure
        self.nodes[code] = node
        for default in [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]:
            self._object(default)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        nodes = [inner for part in body for inner in _inner(part)]
        parameters = inspect.getargs(code)
        self._changes = _check_nodes(nodes, parameters) or self._changes
        elsewhere = {name for part in nodes for name in _bound_inside(part)}  # for Python 3.12 local, in part
        grown = growing.attributes(
            nodes,
            {*parameters.args, parameters.varargs, *elsewhere, *_read_inside(nodes)},
            lambda name: not is_local(name, function) and global_object(function, name) is getattr(builtins, name),
        )
        if grown is None:
            raise Impure
        spaces = set()
        for part in nodes:
            if isinstance(part, ast.Attribute) and part not in grown:
                spaces |= self._attribute(part, function, elsewhere)
        for part in nodes:
            if not isinstance(part, ast.Name) or part in spaces or not isinstance(part.ctx, ast.Load):
                continue
            if part.id in elsewhere or not is_local(part.id, function):
                self._name(part.id, function)

    def _node(self, function: types.FunctionType) -> FunctionCode | None:
        code = function.__code__
        if code.co_name != "<lambda>":
            placed = self._index.function_node(function)
            return placed[1] if placed and isinstance(placed[1], ast.FunctionDef) else None
        file = self._index.file(code.co_filename)
        found = [
            node
            for node in (ast.walk(file.tree) if file else ())
            if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
        ]
        return found[0] if len(found) == 1 else None

    def _name(self, name: str, function: types.FunctionType) -> None:
        try:
            found = global_object(function, name)
        except Impure:
            return  # a variable of a comprehension; or nothing, which the evaluation will find
        self._object(found)

    def _attribute(self, node: ast.Attribute, function: types.FunctionType, inside: set[str]) -> set[ast.Name]:
        """Check what the attribute may be; the name of a class or module before it may stand there only."""
        if node.attr.startswith("__"):
            raise Impure
        base_name = node.value.id if isinstance(node.value, ast.Name) else None
        if base_name is not None and base_name not in inside and not is_local(base_name, function):
            try:
                base = global_object(function, base_name)
            except Impure:
                base = None
            if isinstance(base, (type, types.ModuleType)):
                self._object(member(base, node.attr))
                return {node.value}  # type: ignore[arg-type]
            if base is not None and not is_plain(base):
                raise Impure
        candidates = []
        for owner in self._owners:
            try:
                candidates.append(member(owner, node.attr))
            except Impure:
                if inspect.getattr_static(owner, node.attr, None) is not None:
                    raise
        if not candidates and node.attr not in library.METHODS and node.attr not in ("value", "name"):
            if any(hasattr(kind, node.attr) for kind in _PLAIN):
                raise Impure  # found.clear() would have an effect
            self._can_change = True  # a field of a namedtuple; or of anything
        for candidate in candidates:
            self._object(candidate)
        return set()

    def _object(self, found: Any) -> None:
        if isinstance(found, types.MethodType):
            self._own(found.__self__)
            found = found.__func__
        self._can_change = self._can_change or can_change(found)
        if isinstance(found, types.FunctionType):
            self._function(found)
        elif type(found) in (tuple, list) and not is_plain(found):  # of functions
            for part in found:
                self._object(part)
        elif not (is_plain(found) or is_plain_enum(found) or is_record(found) or _is_known(found)):
            raise Impure


def _is_known(found: Any) -> bool:
    return type(found) in (type, types.BuiltinFunctionType) and found in library.KNOWN


def _bound_inside(node: ast.AST) -> set[str]:
    """The variables of a comprehension, or of a function written inside."""
    if isinstance(node, ast.comprehension):
        return {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    return closures.own_names(node) if isinstance(node, (ast.Lambda, ast.FunctionDef)) else set()


def _read_inside(nodes: list[ast.AST]) -> set[str]:
    inner = [node for node in nodes if isinstance(node, (ast.Lambda, ast.FunctionDef))]
    return {name for node in inner for name in closures.captured(node)}


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all inside but annotations, which Python does not evaluate in functions."""
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name != "annotation":
                yield from _inner(child)


def _check_nodes(nodes: list[ast.AST], parameters: inspect.Arguments) -> bool:
    """Whether x += … may change a list that others hold, too; Impure for what is not known, or has an effect."""
    for node in nodes:
        if not isinstance(node, _NODES):
            raise Impure
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            raise Impure
        if isinstance(node, ast.Call) and not isinstance(node.func, (ast.Name, ast.Attribute)):
            raise Impure
        if isinstance(node, _COMPREHENSIONS) and any(isinstance(part, ast.NamedExpr) for part in _inner(node)):
            raise Impure  # it binds in the function around
    inside = {name for node in nodes if isinstance(node, closures.Inner) for name in closures.parameters(node)}
    outer = {*parameters.args, *filter(None, [parameters.varargs, parameters.varkw])}
    if not closures.are_simple(nodes, outer):
        raise Impure
    return any(isinstance(node, ast.AugAssign) and not _is_number(node.target, nodes, outer | inside) for node in nodes)


def _is_number(target: ast.expr, nodes: list[ast.AST], parameters: set[str]) -> bool:
    """Whether all that is bound to a variable is computed, so that it is at least no list of others."""
    name = getattr(target, "id", None)
    captured = [getattr(part, "name", None) for part in nodes]  # by patterns of match
    if name is None or name in parameters or name in captured:
        return False
    stores = sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes)
    computed = 0
    for part in nodes:
        if isinstance(part, ast.AugAssign):
            computed += getattr(part.target, "id", None) == name
        elif isinstance(part, ast.Assign):
            bound = [pair for one in part.targets for pair in _pairs(one, part.value)]
            computed += sum(getattr(one, "id", None) == name and _is_computed(value, name) for one, value in bound)
    return stores == computed


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment gives to each variable, where both sides are written out."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _is_computed(node: ast.expr, name: str) -> bool:
    """Whether a value is new, when what the variable `name` held was."""
    if isinstance(node, ast.BoolOp):
        return all(_is_computed(part, name) for part in node.values)
    if isinstance(node, ast.IfExp):
        return _is_computed(node.body, name) and _is_computed(node.orelse, name)
    return isinstance(node, _COMPUTED) or (isinstance(node, ast.Name) and node.id == name)
