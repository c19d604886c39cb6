"""Statements: each is lowered on its own, so that one run reports the errors of all of them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from toolchains.twin.codegen import bindings, calls, control, dtypes, expr
from toolchains.twin.codegen.cpp import Do, Jump
from toolchains.twin.codegen.errors import CodegenError
from toolchains.twin.codegen.state import Reported, Returned, State
from toolchains.twin.codegen.values import (
    BOOL,
    FLOAT,
    INT,
    Binding,
    Builtin,
    Const,
    Pl,
    Poisoned,
    Sequence,
    Shape,
    Value,
    describe,
    join_kinds,
    kind_of,
)

_SUPPORTED = (
    "assignment, pl calls, if, for over pl.range, while, break, continue, pass, return, with pl.section_vector()"
)


def lower_block(state: State, stmts: list[ast.stmt]) -> bool:
    """Lower statements in order; True if the end is never reached."""
    for stmt in stmts:
        try:
            if _lower(state, stmt):
                return True
        except CodegenError as error:
            state.messages.append(error.message)
            _poison(state, stmt)
        except Reported:
            _poison(state, stmt)
    return False


def without_docstring(function: ast.FunctionDef) -> list[ast.stmt]:
    """The body without its docstring."""
    first = function.body[0]
    is_doc = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return function.body[1:] if is_doc else function.body


def _poison(state: State, stmt: ast.stmt) -> None:
    for name in control.written([stmt]):
        state.frame.env[name] = Binding(Poisoned())


def _lower(state: State, stmt: ast.stmt) -> bool:
    handler = _HANDLERS.get(type(stmt))
    if handler is None:
        what = f"{_WORDS.get(type(stmt), type(stmt).__name__)} is not supported in a kernel"
        state.fail(stmt, "G010", what, allowed=_SUPPORTED, fix=_FIXES.get(type(stmt), "remove it"))
    return bool(handler(state, stmt))


# -- assignment -----------------------------------------------------------------------------------------------------


def _assign(state: State, stmt: ast.Assign) -> None:
    value = expr.lower(state, stmt.value)
    for target in stmt.targets:
        _assign_target(state, target, value)


def _assign_target(state: State, target: ast.expr, value: Value) -> None:
    if isinstance(target, ast.Name):
        bindings.assign(state, target, target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(state, target, value)
    else:
        what = "only names can be assigned in a kernel"
        found = {ast.Subscript: "an indexed item", ast.Attribute: "an attribute"}.get(type(target), "a starred name")
        state.fail(target, "G010", what, found=found, allowed="name = value, a, b = x, y", fix="use a variable")


def _unpack(state: State, target: ast.Tuple, value: Value) -> None:
    items = _items(state, target, value)
    if len(items) != len(target.elts):
        found = f"{len(items)} values for {len(target.elts)} names"
        state.fail(
            target,
            "G010",
            "unpacking needs as many values as names",
            found=found,
            allowed=f"{len(items)} names",
            fix=f"write {len(items)} names",
        )
    # All values are taken before the first name changes: a, b = b, a.
    settled = [calls.detached(state, item) for item in items]
    for element, item in zip(target.elts, settled, strict=False):
        _assign_target(state, element, item)


def _items(state: State, target: ast.Tuple, value: Value) -> list[Value]:
    if isinstance(value, Sequence):
        return list(value.items)
    if isinstance(value, Const) and isinstance(value.value, (tuple, list)):
        return [Const(item) for item in value.value]
    if isinstance(value, Shape):
        return [expr.attributes.shape_item(value.tensor, axis) for axis in range(len(value.tensor.shape))]
    state.fail(
        target,
        "G016",
        "this cannot be unpacked",
        found=describe(value),
        allowed="a tuple, tensor.shape",
        fix="assign it to one name",
    )
    return None


def _augmented(state: State, stmt: ast.AugAssign) -> None:
    if not isinstance(stmt.target, ast.Name):
        _assign_target(state, stmt.target, Const(None))
    read = ast.copy_location(ast.Name(id=stmt.target.id, ctx=ast.Load()), stmt.target)  # type: ignore[union-attr]
    value = expr.lower(state, ast.copy_location(ast.BinOp(left=read, op=stmt.op, right=stmt.value), stmt))
    _assign_target(state, stmt.target, value)


def _annotated(state: State, stmt: ast.AnnAssign) -> None:
    if stmt.value is None:
        return
    value = expr.lower(state, stmt.value)
    wanted = _annotation_kind(state, stmt)
    have = kind_of(value)
    if have is None or join_kinds(have, wanted) != wanted:
        state.fail(
            stmt,
            "G031",
            "the value does not fit its annotation",
            found=describe(value),
            allowed=wanted,
            fix="drop the annotation",
        )
    if have != wanted and isinstance(value, Const):
        value = Const({INT: int, FLOAT: float, BOOL: bool}[wanted](value.value))
    elif have != wanted:
        value = expr.scalars.Scalar(expr.scalars.to_cx(state, stmt, value, wanted), wanted)
    _assign_target(state, stmt.target, value)


def _annotation_kind(state: State, stmt: ast.AnnAssign) -> str:
    annotation = expr.lower(state, stmt.annotation)
    kinds = {dtypes.INT64: INT, dtypes.FP32: FLOAT, dtypes.BOOL: BOOL}
    if isinstance(annotation, Const) and isinstance(annotation.value, dtypes.DType) and annotation.value in kinds:
        return kinds[annotation.value]
    if isinstance(annotation, Builtin) and annotation.name in (INT, FLOAT, BOOL):
        return annotation.name
    allowed = "pl.DT_INT64, pl.DT_FP32, pl.DT_BOOL, int, float, bool"
    state.fail(stmt.annotation, "G021", "this annotation of a local is not supported by the twin",
               found=describe(annotation), allowed=allowed, fix="drop the annotation")  # fmt: skip
    return None


# -- other simple statements ----------------------------------------------------------------------------------------


def _expression(state: State, stmt: ast.Expr) -> None:
    if isinstance(stmt.value, ast.Constant):
        return
    value = expr.lower(state, stmt.value)
    cx = getattr(value, "cx", None)
    if cx is not None and not cx.pure:
        state.emit(Do(cx))
    elif isinstance(value, Pl):
        state.fail(stmt, "G010", f"pl.{value.path} is named but not called", fix=f"write pl.{value.path}(...)")


def _return(state: State, stmt: ast.Return) -> bool:
    if state.calls:
        if state.frame.regions:
            what = "return inside a loop or a run-time branch of a helper function is not supported"
            state.fail(stmt, "G041", what, fix="set a variable there and return it at the function's end")
        raise Returned(expr.lower(state, stmt.value) if stmt.value else Const(None))
    if stmt.value is not None and not (isinstance(stmt.value, ast.Constant) and stmt.value.value is None):
        state.fail(
            stmt, "G041", "a kernel returns nothing", found="return with a value", fix="store the result, then return"
        )
    state.emit(Jump("return"))
    return True


def _jump(state: State, stmt: ast.stmt) -> bool:
    state.emit(Jump("break" if isinstance(stmt, ast.Break) else "continue"))
    return True


def _pass(state: State, stmt: ast.Pass) -> None:
    del state, stmt


def _assert(state: State, stmt: ast.Assert) -> None:
    test = expr.condition(state, stmt.test)
    if not isinstance(test, Const):
        what = "assert on run-time values is not supported in a kernel"
        state.fail(stmt, "G010", what, allowed="assert on constants", fix="check it in the host tiling function")
    if not test.value:
        message: Value | None = expr.lower(state, stmt.msg) if stmt.msg else None
        text = str(message.value) if isinstance(message, Const) else ast.unparse(stmt.test)
        state.fail(
            stmt,
            "G017",
            f"assertion failed: {text}",
            found=ast.unparse(stmt.test),
            fix="correct it, or exclude this variant: is_valid of the TilingKey, dtypes of the operator",
        )


_HANDLERS: dict[type, Callable[..., bool | None]] = {
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.AnnAssign: _annotated,
    ast.Expr: _expression,
    ast.Return: _return,
    ast.Break: _jump,
    ast.Continue: _jump,
    ast.Pass: _pass,
    ast.Assert: _assert,
    ast.If: lambda state, stmt: control.lower_if(state, stmt),
    ast.For: lambda state, stmt: control.lower_for(state, stmt),
    ast.While: lambda state, stmt: control.lower_while(state, stmt),
    ast.With: lambda state, stmt: control.lower_with(state, stmt),
}

_WORDS = {
    ast.Try: "try", ast.Raise: "raise", ast.Import: "import", ast.ImportFrom: "import", ast.Global: "global",
    ast.Nonlocal: "nonlocal", ast.Delete: "del", ast.FunctionDef: "a function inside a function",
    ast.ClassDef: "a class inside a function", ast.AsyncFor: "async for", ast.AsyncWith: "async with",
    ast.AsyncFunctionDef: "async def", getattr(ast, "Match", ast.Try): "match",
}  # fmt: skip
_WORDS[ast.Try] = "try"
_FIXES = {
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.FunctionDef: "define it at the top level of the file",
    ast.Raise: "check it in the host tiling function",
}
