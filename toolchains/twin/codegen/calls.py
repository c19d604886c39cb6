"""Calls: operations of `pl`, helper functions (inlined), builtins, methods."""

from __future__ import annotations

import ast
import math
from typing import Any

from toolchains.twin.codegen import attributes, cpp, expr, fold, lower, ops, scalars
from toolchains.twin.codegen.bindings import bind_parameter, local_names
from toolchains.twin.codegen.ctypes_of import ctype_of, tile_ctype
from toolchains.twin.codegen.errors import place_of
from toolchains.twin.codegen.signatures import Signature, bind
from toolchains.twin.codegen.state import Frame, Reported, Returned, State
from toolchains.twin.codegen.values import (
    Builtin,
    Const,
    Foreign,
    Function,
    Group,
    Method,
    Pl,
    Scalar,
    Tile,
    Value,
    describe,
    kind_of,
)

__all__ = ["call", "detached", "extreme", "settle", "tile_ctype"]


def call(state: State, node: ast.Call) -> Value:
    """The value of a call."""
    target = expr.lower(state, node.func)
    if isinstance(target, Pl):
        return ops.call(state, node, target.path)
    if isinstance(target, Function):
        return _inline(state, node, target)
    if isinstance(target, Builtin):
        return _builtin(state, node, target.name)
    if isinstance(target, Method):
        return _method(state, node, target)
    if isinstance(target, Foreign):
        what = f"{target.name} cannot be called in a kernel"
        state.fail(node, "G012", what, allowed="pl operations, min, max and your own functions", fix="remove the call")
    state.fail(
        node,
        "G016",
        "this cannot be called",
        found=describe(target),
        allowed="pl operations, min, max and your own functions",
        fix="call one of these",
    )
    return None


def settle(state: State, value: Value, hint: str) -> Value:
    """A value that may be used more than once and later: effects happen here."""
    cx = getattr(value, "cx", None)
    if cx is None or (cx.pure and len(cx.parts) == 1):
        return value
    if cx.pure and not isinstance(value, (Scalar, Tile)):
        return value
    ctype, zero = ctype_of(state, value)
    fresh = state.temporary(hint, ctype, cx, zero)
    return Scalar(fresh, value.kind) if isinstance(value, Scalar) else _with_cx(value, fresh)


def detached(state: State, value: Value) -> Value:
    """A value that later assignments to the variables it reads do not change."""
    cx = getattr(value, "cx", None)
    if cx is None or not any(True for _ in cx.variables()):
        return value
    ctype, zero = ctype_of(state, value)
    return _with_cx(value, state.temporary("value", ctype, cx, zero))


def _with_cx(value: Any, cx: cpp.Cx) -> Value:
    fields = {name: getattr(value, name) for name in value.__dataclass_fields__ if name != "cx"}
    return type(value)(cx=cx, **fields)


def _inline(state: State, node: ast.Call, function: Function) -> Value:
    if function.node in state.calls:
        fix = "write it as a loop"
        state.fail(node, "G040", f"{function.name} calls itself; recursion is not supported in a kernel", fix=fix)
    _check_decorators(state, node, function)
    arguments = _arguments(state, node, function)
    caller = state.frame
    path = (*caller.path, (node.lineno, node.col_offset))
    callers = (place_of(caller.module.path, node), *caller.callers)
    state.frame = Frame(function.module, function.node, path, callers)
    state.frame.locals = local_names(function.node)
    for name, value in arguments.items():
        state.frame.env[name] = bind_parameter(value)
    state.calls.append(function.node)
    before = len(state.messages)
    result: Value = Const(None)
    try:
        lower.lower_block(state, lower.without_docstring(function.node))
    except Returned as returned:
        result = returned.value
    finally:
        state.frame = caller
        state.calls.pop()
    if len(state.messages) > before:
        raise Reported
    return result


def _check_decorators(state: State, node: ast.Call, function: Function) -> None:
    for decorator in function.node.decorator_list:
        name = ast.unparse(decorator)
        if name.split(".")[-1] != "inline":
            what = f"{function.name} is decorated with @{name} and cannot be called in a kernel by the twin"
            state.fail(node, "G012", what, allowed="plain functions, @pl.inline", fix="remove the decorator")


def _arguments(state: State, node: ast.Call, function: Function) -> dict[str, Value]:
    spec = function.node.args
    if spec.vararg or spec.kwarg:
        star = spec.vararg or spec.kwarg
        what = f"{function.name} takes *{star.arg}, which is not supported in a kernel"  # type: ignore[union-attr]
        state.fail(node, "G014", what, fix="name its parameters")
    positional = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    defaults = dict(zip(reversed(positional), reversed(spec.defaults), strict=False))
    only = [arg.arg for arg in spec.kwonlyargs]
    defaults.update({name: value for name, value in zip(only, spec.kw_defaults, strict=False) if value is not None})
    required = len(positional) - len(spec.defaults)
    bound = bind(state, node, Signature(function.name, tuple(positional), required, tuple(only)))
    values: dict[str, Value] = {}
    for name, argument in bound.items():
        values[name] = settle(state, expr.lower(state, argument), name)
    for name in (*positional, *only):
        if name not in values and name in defaults:
            values[name] = _default(state, function, defaults[name])
        elif name not in values:
            state.fail(node, "G014", f"{function.name} lacks the argument {name}", fix=f"add {name}=")
    return values


def _default(state: State, function: Function, node: ast.expr) -> Value:
    caller = state.frame
    state.frame = Frame(function.module, None, caller.path, caller.callers)
    try:
        return Const(expr.constant(state, node, "a default value"))
    finally:
        state.frame = caller


def _method(state: State, node: ast.Call, method: Method) -> Value:
    owner = method.owner
    if isinstance(owner, Group):
        bind(state, node, Signature(f"the tile group's {method.name}", (), 0))
        name = "previous" if method.name == "prev" else method.name
        return Tile(cpp.call_method(owner.var, name, pure=name != "next"), owner.type)
    value = owner.value  # type: ignore[union-attr]
    if isinstance(value, dict):
        return _dict_method(state, node, value, method.name)
    bind(state, node, Signature(f"{value!r}.{method.name}", (), 0))
    return Const(attributes.DTYPE_METHODS[method.name](value))


def _dict_method(state: State, node: ast.Call, owner: dict[Any, Any], name: str) -> Value:
    parameters = ("key", "default") if name == "get" else ()
    bound = bind(state, node, Signature(f"the dict's {name}", parameters, min(len(parameters), 1)))
    arguments = [expr.constant(state, bound[given], given) for given in parameters if given in bound]
    try:
        found = getattr(owner, name)(*arguments)
    except TypeError as error:  # a key that no dict can have
        state.fail(node, "G016", f"{name} cannot be computed: {error}", found=repr(arguments[0]), fix="use another key")
    return Const(found if name == "get" else tuple(found))


def _range(*args: int) -> tuple[int, ...]:
    if len(range(*args)) > fold.MOST:
        raise OverflowError(f"it has more than {fold.MOST} items")
    return tuple(range(*args))


def _round(number: float, digits: int | None = None) -> float:
    if digits is not None and not -fold.MOST < digits < fold.MOST:
        raise OverflowError(f"{digits} digits are too many")
    return round(number, digits)


_PYTHON = {"abs": abs, "len": len, "int": int, "float": float, "bool": bool, "tuple": tuple, "list": list,
           "round": _round, "sum": sum, "str": str, "range": _range}  # fmt: skip


def _builtin(state: State, node: ast.Call, name: str) -> Value:
    if node.keywords:
        state.fail(node, "G014", f"{name} takes no keywords in a kernel", fix="pass the arguments by position")
    values = [expr.lower(state, argument) for argument in node.args]
    if name in ("min", "max"):
        return extreme(state, node, name, values)
    if not all(isinstance(value, Const) for value in values):
        _refuse_run_time(state, node, name, values)
    function = getattr(math, name[5:]) if name.startswith("math.") else _PYTHON[name]
    try:
        result = function(*(value.value for value in values))  # type: ignore[union-attr]
    except (TypeError, ValueError, OverflowError) as error:
        state.fail(
            node, "G016", f"{name} cannot be computed: {error}", found=ast.unparse(node), fix="correct the arguments"
        )
    return Const(fold.sized(state, node, result, f"what {name} gives"))


def _refuse_run_time(state: State, node: ast.Call, name: str, values: list[Value]) -> None:
    fixes = {"abs": "write max(x, -x)", "int": "keep the value an int from the start (//, not /)",
             "float": "multiply by 1.0, or keep the value a float", "bool": "write x != 0",
             "range": "use range only in a for statement"}  # fmt: skip
    found = ", ".join(describe(value) for value in values)
    what = f"{name} works on constants only in a kernel"
    state.fail(
        node,
        "G012",
        what,
        found=found,
        allowed="constants",
        fix=fixes.get(name, "compute it in the host tiling function"),
    )


def extreme(state: State, node: ast.Call, name: str, values: list[Value]) -> Value:
    """`min`/`max` of scalars."""
    if len(values) == 1 and isinstance(values[0], Const) and isinstance(values[0].value, (tuple, list)):
        values = [Const(item) for item in values[0].value]
    if len(values) < 2:
        state.fail(
            node,
            "G014",
            f"{name} needs two values",
            found=str(len(values)),
            allowed=f"{name}(a, b)",
            fix=f"write {name}(a, b)",
        )
    if all(isinstance(scalars.number(state, node, value), Const) for value in values):
        numbers = [value.value for value in values]  # type: ignore[union-attr]
        kinds = {isinstance(number, float) for number in numbers}
        if len(kinds) == 1 or state.frame.function is None:
            return Const((min if name == "min" else max)(numbers))
    result = values[0]
    for value in values[1:]:
        result = _extreme_of_two(state, node, name, result, value)
    return result


def _extreme_of_two(state: State, node: ast.Call, name: str, left: Value, right: Value) -> Value:
    kinds = {kind_of(scalars.number(state, node, value)) for value in (left, right)}
    if "float" in kinds and len(kinds) > 1:
        found = f"{describe(left)} and {describe(right)}"
        fix = "write the constant as a float, e.g. 0.0, or keep both integers"
        state.fail(node, "G016", f"{name} needs two integers or two floats", found=found, fix=fix)
    kind = "float" if "float" in kinds else "int"
    a, b = (scalars.to_cx(state, node, value, kind, typed=True) for value in (left, right))
    return Scalar(cpp.call(f"pt::scalar_{name}", a, b), kind)
