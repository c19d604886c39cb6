"""Where paths meet: after a run-time `if`, around loops."""

from __future__ import annotations

import ast

from toolchains.twin.codegen.bindings import STORED, converted, slot_for, stored_binding
from toolchains.twin.codegen.cpp import Assign, Stmt
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import (
    Binding,
    Conflict,
    Const,
    Poisoned,
    Tensor,
    Unassigned,
    Value,
    describe,
    kind_of,
)

Env = dict[str, Binding]


def snapshot(state: State) -> Env:
    """The bindings now; bindings are replaced, never changed."""
    return dict(state.frame.env)


class Branch:
    """One way through an `if`: its statements, its final bindings, whether it leaves the block."""

    def __init__(self, stmts: list[Stmt], env: Env, ended: bool) -> None:
        self.stmts, self.env, self.ended = stmts, env, ended


def join(state: State, node: ast.AST, names: dict[str, int], before: Env, branches: list[Branch]) -> None:
    """Set the bindings after an `if`; stores that a branch still owes are added to it or before the `if`.

    `names` are those that the branches assign, with the line of the first assignment.
    """
    open_branches = [branch for branch in branches if not branch.ended] or branches
    state.frame.env = dict(open_branches[0].env)
    if len(open_branches) == 1:
        return
    for name, line in names.items():
        found = [branch.env.get(name) for branch in open_branches]
        if any(binding is None or isinstance(binding.value, Unassigned) for binding in found):
            state.frame.env[name] = Binding(Unassigned(line))
        else:
            state.frame.env[name] = _join_name(state, node, name, before.get(name), found, open_branches)


def _join_name(
    state: State, node: ast.AST, name: str, before: Binding | None, found: list[Binding], branches: list[Branch]
) -> Binding:
    first, second = found[0], found[1]
    for binding in found:
        if isinstance(binding.value, (Poisoned, Conflict)):
            return binding
    if _same(first.value, second.value):
        both = first.stored and second.stored and first.slot is second.slot
        return Binding(first.value, first.slot, True) if both else Binding(first.value)
    if not _joinable(first.value, second.value):
        what = f"is {describe(first.value)} on one path and {describe(second.value)} on another"
        return Binding(Conflict(what))
    return _store_both(state, node, name, before, [first, second], branches)


def _same(left: Value, right: Value) -> bool:
    if isinstance(left, Const) and isinstance(right, Const):
        return type(left.value) is type(right.value) and left.value == right.value
    return left is right


def _joinable(left: Value, right: Value) -> bool:
    if kind_of(left) and kind_of(right):
        return True
    if not isinstance(left, STORED) or type(left) is not type(right):
        return False
    if isinstance(left, Tensor):
        return left.dtype == right.dtype and len(left.shape) == len(right.shape)  # type: ignore[union-attr]
    return getattr(left, "type", None) == getattr(right, "type", None) and (
        getattr(left, "dtype", None) == getattr(right, "dtype", None)
    )


def _store_both(
    state: State, node: ast.AST, name: str, before: Binding | None, found: list[Binding], branches: list[Branch]
) -> Binding:
    """Different values in the branches: one variable holds either."""
    widest = max(
        (binding.value for binding in found), key=lambda v: ("bool", "int", "float").index(kind_of(v) or "bool")
    )
    slots = [binding.slot for binding in found if binding.stored and binding.slot is not None]
    state.frame.env[name] = next((b for b in found if b.stored), found[0])
    slot = slots[0] if slots and all(other is slots[0] for other in slots) else slot_for(state, name, widest)
    owed_before = False
    for binding, branch in zip(found, branches, strict=False):
        if binding.stored and binding.slot is slot:
            continue
        if binding is before:
            owed_before = True
        else:
            branch.stmts.append(Assign(slot, converted(state, node, binding.value, slot)))
    if owed_before and before is not None:
        state.emit(Assign(slot, converted(state, node, before.value, slot)))
    return _after(stored_binding(widest, slot), [binding.value for binding in found])


def _after(binding: Binding, values: list[Value]) -> Binding:
    if isinstance(binding.value, Tensor):
        shapes = [value.shape for value in values if isinstance(value, Tensor)]
        agreed = tuple(dims[0] if len(set(dims)) == 1 else None for dims in zip(*shapes, strict=False))
        return Binding(Tensor(binding.value.cx, binding.value.dtype, agreed), binding.slot, True)
    return binding


def enter_loop(state: State, node: ast.AST, names: dict[str, int]) -> Env:
    """Before a loop: what the body changes must be in variables. Gives the bindings at the loop's head."""
    for name in names:
        binding = state.frame.env.get(name)
        if binding is None or not (kind_of(binding.value) or isinstance(binding.value, STORED)):
            continue
        if not binding.stored or binding.slot is None:
            slot = slot_for(state, name, binding.value)
            state.emit(Assign(slot, converted(state, node, binding.value, slot)))
            binding = stored_binding(binding.value, slot)
        elif isinstance(binding.value, Const):
            binding = stored_binding(binding.value, binding.slot)
        state.frame.env[name] = _forget_shape(binding)
    return snapshot(state)


def _changed(start: Binding, last: Binding) -> bool:
    """Whether the end of the body left something that the loop's head cannot stand for."""
    if start.slot is None or last.slot is None:
        return not _same(start.value, last.value)
    return last.slot is not start.slot


def _forget_shape(binding: Binding) -> Binding:
    value = binding.value
    if isinstance(value, Tensor):
        return Binding(Tensor(value.cx, value.dtype, (None,) * len(value.shape)), binding.slot, binding.stored)
    return binding


def leave_loop(state: State, node: ast.AST, names: dict[str, int], head: Env, surely_once: bool) -> None:
    """After a loop: what it changed is in its variables; what it alone assigned may be unassigned."""
    end = snapshot(state)
    state.frame.env = dict(head)
    for name, line in names.items():
        start, last = head.get(name), end.get(name)
        if last is not None and isinstance(last.value, (Poisoned, Conflict)):
            state.frame.env[name] = last
        elif start is None or isinstance(start.value, Unassigned):
            if last is None or not surely_once or isinstance(last.value, Unassigned):
                state.frame.env[name] = Binding(Unassigned(line))
            else:
                state.frame.env[name] = last
        elif last is not None and last is not start and _changed(start, last):
            what = f"is {describe(start.value)} before the loop and {describe(last.value)} after it"
            state.frame.env[name] = Binding(Conflict(what))
