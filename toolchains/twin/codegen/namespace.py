"""Module-level names of the user's files: constants, functions, imports, evaluated without running anything."""

from __future__ import annotations

import ast

from toolchains.twin.codegen import attributes, expr, names_pl
from toolchains.twin.codegen.errors import CodegenError
from toolchains.twin.codegen.load import Module
from toolchains.twin.codegen.state import Frame, Reported, State
from toolchains.twin.codegen.values import (
    Binding,
    Const,
    Foreign,
    Function,
    Namespace,
    Pl,
    Sequence,
    Unknown,
    Value,
)

# Modules whose names are those of `pl`.
_LANGUAGE = ("pypto_pro.language", "pypto_pro.language.typing", "pypto_pro.ir", "pypto.ir", "pypto.pypto_impl.ir")


def evaluate(state: State, module: Module) -> dict[str, Value]:
    """The module's namespace; what is not constant becomes Unknown and is an error only where it is used."""
    if module.names is None:
        module.names = {}
        outer, messages = state.frame, list(state.messages)
        state.frame = Frame(module, None, ())
        try:
            _statements(state, module.tree.body, module.names)
        finally:
            state.frame = outer
            state.messages[:] = messages
    return module.names


def _statements(state: State, stmts: list[ast.stmt], names: dict[str, Value]) -> None:
    for stmt in stmts:
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            _import(state, stmt, names)
        elif isinstance(stmt, ast.FunctionDef):
            names[stmt.name] = Function(stmt.name, stmt, state.frame.module)
        elif isinstance(stmt, ast.ClassDef):
            names[stmt.name] = _class(state, stmt)
        elif isinstance(stmt, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            _assign(state, stmt, names)
        elif isinstance(stmt, ast.If):
            _if(state, stmt, names)
        elif isinstance(stmt, ast.Try):
            _statements(state, stmt.body, names)
        else:
            _unknown_writes(stmt, names)


def _value(state: State, node: ast.expr) -> Value:
    try:
        with state.capture() as stmts:
            value = expr.lower(state, node)
    except CodegenError as error:
        return Unknown(error.message.what, node.lineno)
    except Reported:
        return Unknown("it depends on something that is not", node.lineno)
    if stmts or isinstance(value, Sequence) or hasattr(value, "cx"):
        return Unknown("it is not a constant", node.lineno)
    return value


def _assign(state: State, stmt: ast.stmt, names: dict[str, Value]) -> None:
    if isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
        read = ast.copy_location(ast.Name(id=stmt.target.id, ctx=ast.Load()), stmt.target)
        names[stmt.target.id] = _value(
            state, ast.copy_location(ast.BinOp(left=read, op=stmt.op, right=stmt.value), stmt)
        )
        return
    targets = stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]  # type: ignore[attr-defined]
    source = stmt.value  # type: ignore[attr-defined]
    if source is None:
        return
    value = _value(state, source)
    for target in targets:
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif (
            isinstance(target, (ast.Tuple, ast.List))
            and isinstance(value, Const)
            and isinstance(value.value, (tuple, list))
        ):
            for element, item in zip(target.elts, value.value, strict=False):
                if isinstance(element, ast.Name):
                    names[element.id] = Const(item)
        else:
            _unknown_writes(stmt, names)


def _if(state: State, stmt: ast.If, names: dict[str, Value]) -> None:
    test = _value(state, stmt.test)
    if isinstance(test, Const):
        _statements(state, stmt.body if test.value else stmt.orelse, names)
    else:
        _unknown_writes(stmt, names)


def _unknown_writes(stmt: ast.stmt, names: dict[str, Value]) -> None:
    for node in ast.walk(stmt):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id] = Unknown("it is assigned by a statement that runs when the module is loaded", node.lineno)


def _class(state: State, stmt: ast.ClassDef) -> Value:
    members: dict[str, Value] = {}
    outer = state.frame
    state.frame = Frame(outer.module, None, outer.path)
    try:
        for inner in stmt.body:
            if isinstance(inner, (ast.Assign, ast.AnnAssign)):
                _assign(state, inner, members)
                state.frame.env = {name: Binding(value) for name, value in members.items() if isinstance(value, Const)}
    finally:
        state.frame = outer
    return Namespace(f"class {stmt.name}", members)


def _import(state: State, stmt: ast.stmt, names: dict[str, Value]) -> None:
    if isinstance(stmt, ast.Import):
        for alias in stmt.names:
            root = alias.name if alias.asname else alias.name.split(".")[0]
            names[alias.asname or root] = _module(state, root)
    elif isinstance(stmt, ast.ImportFrom):
        source = _module(state, stmt.module or "") if stmt.module else None
        for alias in stmt.names:
            if alias.name == "*" and isinstance(source, Namespace):
                names.update({name: value for name, value in source.members.items() if not name.startswith("_")})
            elif alias.name != "*":
                dotted = f"{stmt.module}.{alias.name}" if stmt.module else alias.name
                names[alias.asname or alias.name] = _imported(state, source, alias.name, dotted)


def _imported(state: State, source: Value | None, name: str, dotted: str) -> Value:
    if isinstance(source, Namespace) and name in source.members:
        return source.members[name]
    if isinstance(source, Pl):
        return names_pl.resolve(f"{source.path}.{name}" if source.path else name)
    if isinstance(source, Foreign) and source.name in ("math", "pypto_pro"):
        return attributes.foreign(name, source)
    return _module(state, dotted)


def _module(state: State, dotted: str) -> Value:
    if dotted in _LANGUAGE:
        return Pl("")
    helper = state.sources.find(dotted)
    if helper is not None:
        return Namespace(f"module {dotted}", evaluate(state, helper))
    return Foreign(dotted)
