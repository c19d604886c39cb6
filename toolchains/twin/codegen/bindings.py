"""What local names mean: assignment, and the C++ variables behind names that change at run time."""

from __future__ import annotations

import ast
from typing import Any

from toolchains.twin.codegen import cpp, scalars
from toolchains.twin.codegen.cpp import Assign, Cx, Var
from toolchains.twin.codegen.ctypes_of import ctype_of
from toolchains.twin.codegen.state import Restart, State
from toolchains.twin.codegen.values import (
    CTYPES,
    ZEROS,
    Binding,
    Const,
    Group,
    Ptr,
    Region,
    Scalar,
    Sequence,
    Tensor,
    Tile,
    Value,
    const_kind,
    join_kinds,
    kind_of,
)

STORED = (Scalar, Tile, Tensor, Ptr)


def local_names(function: ast.FunctionDef) -> dict[str, tuple[int, ...]]:
    """Names the function assigns, with the lines of the assignments: Python's locals."""
    names: dict[str, list[int]] = {}
    for node in ast.walk(ast.Module(body=function.body, type_ignores=[])):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, []).append(node.lineno)
    return {name: tuple(sorted(lines)) for name, lines in names.items()}


def bind_parameter(value: Value) -> Binding:
    """A parameter: its value is read where it is, never stored into."""
    return Binding(value)


def assign(state: State, node: ast.AST, name: str, value: Value) -> None:
    """`name = value`."""
    if name in state.variant.constants:
        what = f"{name} is a TilingKey field or datatype variable; it cannot be assigned"
        state.fail(node, "G015", what, fix="use another variable name")
    frame = state.frame
    if isinstance(value, Group) and value.var.hint == "group":
        value.var.hint = name
    if isinstance(value, STORED):
        frame.env[name] = _store(state, node, name, value)
    elif isinstance(value, Const) and const_kind(value.value) and _outermost(state, name):
        stored = _store(state, node, name, value)
        frame.env[name] = Binding(value, stored.slot, True)
    elif isinstance(value, Sequence):
        frame.env[name] = Binding(Sequence(tuple(_keep(state, name, item) for item in value.items)))
    else:
        frame.env[name] = Binding(value)


def _keep(state: State, name: str, item: Value) -> Value:
    """A tuple item, bound to a variable of its own: the tuple outlives the names it was made from."""
    if not isinstance(item, STORED):
        return item
    ctype, zero = ctype_of(state, item)
    return rebound(item, state.temporary(name, ctype, item.cx, zero))


def rebound(value: Value, cx: Cx) -> Value:
    """The same kind of value, read from elsewhere."""
    if isinstance(value, Scalar):
        return Scalar(cx, value.kind)
    if isinstance(value, Tile):
        return Tile(cx, value.type)
    if isinstance(value, Tensor):
        return Tensor(cx, value.dtype, value.shape)
    return Ptr(cx, value.dtype) if isinstance(value, Ptr) else value


def _store(state: State, node: ast.AST, name: str, value: Value) -> Binding:
    slot = slot_for(state, name, value)
    state.emit(Assign(slot, converted(state, node, value, slot)))
    return stored_binding(value, slot)


def stored_binding(value: Value, slot: Var) -> Binding:
    """The binding of a name whose value is in `slot`."""
    kind = _slot_kind(slot)
    if kind:
        return Binding(Scalar(cpp.var(slot), kind), slot, True)
    if isinstance(value, Tensor):
        # In a variable that other paths assign too, only what the type says is sure.
        return Binding(rebound(value, cpp.var(slot)), slot, True)
    return Binding(rebound(value, cpp.var(slot)), slot, True)


def converted(state: State, node: ast.AST, value: Value, slot: Var) -> Cx:
    """The value as C++ of the slot's type."""
    kind = _slot_kind(slot)
    return scalars.to_cx(state, node, value, kind) if kind else value.cx  # type: ignore[union-attr]


def slot_for(state: State, name: str, value: Value) -> Var:
    """The variable that an assignment to `name` must reach here."""
    kind = kind_of(value)
    region = _outermost(state, name)
    for slot in _candidates(state, name):
        if _fits(state, slot, value, kind):
            return slot
        if region is not None and kind and _slot_kind(slot):
            state.coerced[_key(state, region, name)] = join_kinds(kind, _slot_kind(slot) or kind)
            raise Restart
    return _new_slot(state, name, value, region)


def _candidates(state: State, name: str) -> list[Var]:
    binding = state.frame.env.get(name)
    found = [binding.slot] if binding is not None and binding.slot is not None else []
    return found + [region.slots[name] for region in state.frame.regions if name in region.slots]


def _fits(state: State, slot: Var, value: Value, kind: str | None) -> bool:
    have = _slot_kind(slot)
    if kind is None or have is None:
        return slot.ctype == ctype_of(state, value)[0]
    wider_is_fine = bool(_outermost(state, slot.hint)) and join_kinds(kind, have) == have
    return kind == have or wider_is_fine


def _new_slot(state: State, name: str, value: Value, region: Region | None) -> Var:
    kind = kind_of(value)
    if kind and region is not None:
        kind = join_kinds(kind, state.coerced.get(_key(state, region, name), kind))
    ctype, zero = (CTYPES[kind], ZEROS[kind]) if kind else ctype_of(state, value)
    slot = Var(name, ctype, zero)
    for inner in reversed(state.frame.regions):
        if inner.loop:
            break
        inner.slots[name] = slot
    return slot


def widen(state: State, node: ast.AST, region: Region, name: str) -> None:
    """Before a region: give `name` the wider variable that an earlier attempt found necessary."""
    binding = state.frame.env.get(name)
    wanted = state.coerced.get(_key(state, region, name))
    if wanted is None or binding is None or kind_of(binding.value) in (None, wanted):
        return
    slot = Var(name, CTYPES[wanted], ZEROS[wanted])
    state.emit(Assign(slot, scalars.to_cx(state, node, binding.value, wanted)))
    state.frame.env[name] = Binding(Scalar(cpp.var(slot), wanted), slot, True)


def _outermost(state: State, name: str) -> Region | None:
    return next((region for region in state.frame.regions if name in region.names), None)


def _key(state: State, region: Region, name: str) -> tuple[Any, ...]:
    return (state.frame.path, region.key, name)


def _slot_kind(slot: Var) -> str | None:
    return next((kind for kind, ctype in CTYPES.items() if ctype == slot.ctype), None)


__all__ = [
    "STORED", "assign", "bind_parameter", "converted", "local_names", "rebound", "slot_for", "stored_binding", "widen",
]  # fmt: skip
