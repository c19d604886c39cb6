"""Lists and sets that `is_valid` fills while it runs: those that one variable alone holds may be evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

_READERS = frozenset(["len", "sum", "any", "all", "sorted", "set", "tuple", "list", "max", "min", "bool", "frozenset"])
_METHODS = {"append": (ast.List, ast.ListComp), "add": (ast.Set, ast.SetComp)}
_MAKERS = {"append": "list", "add": "set"}


def receiver(node: ast.Expr) -> tuple[ast.Name, ast.expr] | None:
    """Variable and argument of a statement like `found.append(x)`."""
    call = node.value
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS):
        return None
    plain = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    return (call.func.value, call.args[0]) if plain and isinstance(call.func.value, ast.Name) else None


def attributes(
    nodes: Sequence[ast.AST], foreign: set[str], is_builtin: Callable[[str], bool]
) -> set[ast.Attribute] | None:
    """The `found.append` of statements that may be evaluated, None when one may not.

    No other name and no container may come to hold what grows: each use of the variable has to be one that only
    reads. `foreign` are the names that callers bind or functions inside read.
    """
    found: dict[ast.Attribute, tuple[str, str]] = {}
    for node in nodes:
        if isinstance(node, ast.Expr) and receiver(node) is not None:
            function = node.value.func  # type: ignore[attr-defined]
            found[function] = (function.value.id, function.attr)
    for name, method in set(found.values()):
        if name in foreign or not _is_own(name, method, nodes):
            return None
    if found and not all(map(is_builtin, (*_READERS, *_MAKERS.values()))):
        return None
    return set(found)


def _is_own(name: str, method: str, nodes: Sequence[ast.AST]) -> bool:
    uses = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
    harmless = {id(part) for node in nodes for part in _harmless(node, method)}
    captured = any(getattr(node, "name", None) == name for node in nodes)  # by patterns and as names of functions
    stored = any(isinstance(use.ctx, ast.Store) for use in uses)  # so that it is a variable of the function's own
    return stored and not captured and all(id(use) in harmless for use in uses)


def _harmless(node: ast.AST, method: str) -> list[ast.expr]:
    """The direct parts of a node which, if they are names, are bound to a fresh container or only read."""
    if isinstance(node, ast.Assign):
        return node.targets if len(node.targets) == 1 and _is_fresh(node.value, method) else []
    if isinstance(node, ast.Expr):
        grown = receiver(node)
        return [grown[0]] if grown and node.value.func.attr == method else []  # type: ignore[attr-defined]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _READERS:
        return node.args if len(node.args) == 1 else []  # max(a, b) is one of both
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return [node.test]
    if isinstance(node, ast.comprehension):
        return [node.iter]
    return []


def _is_fresh(value: ast.expr, method: str) -> bool:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args and not value.keywords:
        return value.func.id == _MAKERS[method]
    return isinstance(value, _METHODS[method])
