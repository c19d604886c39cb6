"""Functions and lambdas written inside `is_valid`: which may be evaluated, and what they are there.

Such a function sees the variables around it as they are when it is called; here it keeps those of the moment it is
made. To be the same, a variable it uses is bound once, outside of loops: before, or the evaluation finds it unbound.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Inner = ast.Lambda | ast.FunctionDef
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, eq=False)
class Closure:
    """A function made while `around` ran, with its variables of then; defaults in `signature` are possible values."""

    node: Inner
    around: types.FunctionType
    env: dict[str, Any]
    signature: inspect.Signature


def signature(node: Inner, defaults: dict[str, Any]) -> inspect.Signature:
    """The parameters of an inner function."""
    args, kinds = node.args, inspect.Parameter
    named = [
        *((arg, kinds.POSITIONAL_ONLY) for arg in args.posonlyargs),
        *((arg, kinds.POSITIONAL_OR_KEYWORD) for arg in args.args),
        *([(args.vararg, kinds.VAR_POSITIONAL)] if args.vararg else []),
        *((arg, kinds.KEYWORD_ONLY) for arg in args.kwonlyargs),
        *([(args.kwarg, kinds.VAR_KEYWORD)] if args.kwarg else []),
    ]
    return inspect.Signature([kinds(a.arg, kind, default=defaults.get(a.arg, kinds.empty)) for a, kind in named])


def defaults(node: Inner) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that have a default."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    yield from ((arg.arg, value) for arg, value in zip(positional[::-1], args.defaults[::-1], strict=False))
    yield from ((arg.arg, value) for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value)


def parameters(node: Inner) -> set[str]:
    """The names of an inner function's parameters."""
    return {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}


def own_names(node: Inner) -> set[str]:
    """The variables of an inner function, bound or not."""
    return parameters(node) | {name for part in _body(node) for name in stored(part)}


def stored(node: ast.AST) -> Iterator[str]:
    """The name that a node by itself binds."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.FunctionDef) or (isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name):
        yield node.name


def are_simple(nodes: Sequence[ast.AST], outer: set[str]) -> bool:
    """Whether the inner functions among all nodes of a function may be evaluated; `outer` are its parameters."""
    inner = [node for node in nodes if isinstance(node, (ast.Lambda, ast.FunctionDef))]
    names = [name for node in nodes for name in stored(node)]
    looping = {name for node in nodes if isinstance(node, _LOOPS) for part in ast.walk(node) for name in stored(part)}
    for node in inner:
        if isinstance(node, ast.FunctionDef) and (node.decorator_list or _has_annotations(node)):
            return False
        if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            return False
        for name in captured(node):
            if name in looping or names.count(name) + (name in outer) > 1:
                return False
    return True


def captured(node: Inner) -> set[str]:
    """The variables of others that an inner function reads."""
    read = {part.id for part in _body(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    return read - own_names(node)


def _body(node: Inner) -> Iterator[ast.AST]:
    for part in [node.body] if isinstance(node, ast.Lambda) else node.body:
        yield from ast.walk(part)


def _has_annotations(node: ast.FunctionDef) -> bool:
    """Whether making the function evaluates annotations that are more than a name."""
    found = [node.returns, *(part.annotation for part in ast.walk(node.args) if isinstance(part, ast.arg))]
    return any(part is not None and not isinstance(part, (ast.Name, ast.Constant)) for part in found)
