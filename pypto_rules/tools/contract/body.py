"""What the checks read from the kernel's body and the helpers it calls: sections, and TilingData fields."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from pypto_rules.tools.contract import declarations, manifest, source
from pypto_rules.tools.contract.problems import Problems


@dataclass(frozen=True)
class _Function:
    """A function of the user's that the kernel reaches, and its names for the TilingData parameter."""

    function: Any
    file: source.SourceFile
    node: source.FunctionNode
    tiling_names: frozenset[str]


class Body:
    """The kernel and every helper it calls, each once for each set of TilingData names."""

    def __init__(self, function: Any, tiling: str, index: source.SourceIndex) -> None:
        self._index = index
        self._reached: list[_Function] = []
        self._reach(function, frozenset([tiling]))

    def _reach(self, function: Any, tiling_names: frozenset[str]) -> None:
        placed = self._index.function_node(function)
        if placed is None:
            return
        file, node = placed
        if any(seen.node is node and tiling_names <= seen.tiling_names for seen in self._reached):
            return
        names = frozenset(_aliases(node, set(tiling_names)))
        self._reached.append(_Function(function, file, node, names))
        for call in (n for n in ast.walk(node) if isinstance(n, ast.Call)):
            callee = self._callee(function, call.func)
            if callee is not None:
                self._reach(callee, self._passed(callee, call, names))

    def _callee(self, caller: Any, node: ast.expr) -> Any:
        scope = getattr(caller, "__globals__", {})
        if isinstance(node, ast.Name):
            return declarations.plain_function(scope.get(node.id))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = scope.get(node.value.id)
            if isinstance(owner, ModuleType):
                return declarations.plain_function(vars(owner).get(node.attr))
        return None

    def _passed(self, callee: Any, call: ast.Call, names: frozenset[str]) -> frozenset[str]:
        """The callee's parameters that receive TilingData."""
        placed = self._index.function_node(callee)
        if placed is None:
            return frozenset()
        arguments = placed[1].args
        positional = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
        given = [name for name, value in zip(positional, call.args, strict=False) if _is_name(value, names)]
        given += [word.arg for word in call.keywords if word.arg is not None and _is_name(word.value, names)]
        return frozenset(given)

    def has_section(self, name: str) -> bool:
        """Whether `with pl.<name>():` is anywhere in the kernel or its helpers."""
        return any(_opens_section(node, name) for reached in self._reached for node in ast.walk(reached.node))

    def check_fields(self, tiling: manifest.TilingData, problems: Problems) -> None:
        """Every TilingData field that is read exists; each misspelt name is reported once for each function."""
        known = [field.name for field in tiling.fields]
        for reached in self._reached:
            reported: set[str] = set()
            for node in _attributes(reached):
                if node.attr in known or node.attr in reported:
                    continue
                reported.add(node.attr)
                close = difflib.get_close_matches(node.attr, known, n=1)
                wanted = f"did you mean '{close[0]}'? Or add" if close else "add"
                problems.add(
                    "PYPTO-E312",
                    reached.file.at(node),
                    f"TilingData '{tiling.name}' has no field '{node.attr}'; it has {', '.join(known)}",
                    f"{wanted} {node.attr}: int to class {tiling.name}",
                )


def _is_name(node: ast.expr, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _aliases(node: source.FunctionNode, names: set[str]) -> set[str]:
    """The names with those of plain copies, `t = tiling`; a name that gets another value too is not followed."""
    bindings: dict[str, list[ast.expr]] = {}
    plain: set[ast.AST] = set()
    for statement in ast.walk(node):
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.Assign) and len(targets) == 1 and isinstance(targets[0], ast.Name):
            bindings.setdefault(targets[0].id, []).append(statement.value)
            plain.add(targets[0])
    names -= set(_bound_otherwise(node, plain))
    for name, values in bindings.items():
        if name not in names and all(_is_name(value, frozenset(names)) for value in values):
            names.add(name)
        elif name in names and not all(_is_name(value, frozenset(names)) for value in values):
            names.discard(name)
    return names


def _bound_otherwise(node: source.FunctionNode, plain: set[ast.AST]) -> Iterator[str]:
    """Names that loops, unpacking, imports, inner functions and the like give another meaning somewhere inside."""
    own = set(source.arguments(node).values())
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner not in plain:
            yield inner.id
        elif isinstance(inner, ast.arg) and inner not in own:
            yield inner.arg
        elif isinstance(inner, ast.alias):
            yield inner.asname or inner.name
        elif isinstance(inner, ast.ExceptHandler) and inner.name:
            yield inner.name


def _attributes(reached: _Function) -> Iterator[ast.Attribute]:
    found = [
        node
        for node in ast.walk(reached.node)
        if isinstance(node, ast.Attribute) and _is_name(node.value, reached.tiling_names)
    ]
    return iter(sorted(found, key=lambda node: (node.lineno, node.col_offset)))


def _opens_section(node: ast.AST, name: str) -> bool:
    if not isinstance(node, (ast.With, ast.AsyncWith)):
        return False
    for item in node.items:
        call = item.context_expr
        target = call.func if isinstance(call, ast.Call) else call
        if getattr(target, "attr", None) == name or getattr(target, "id", None) == name:
            return True
    return False
