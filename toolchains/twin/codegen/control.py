"""`if`, `for`, `while` and sections."""

from __future__ import annotations

import ast

from toolchains.twin.codegen import bindings, cpp, expr, joins, lower, scalars
from toolchains.twin.codegen.cpp import Cx, For, If, Jump, Stmt, Var, While
from toolchains.twin.codegen.errors import CodegenError
from toolchains.twin.codegen.prune import negated
from toolchains.twin.codegen.state import Reported, State
from toolchains.twin.codegen.values import (
    INT,
    Binding,
    Builtin,
    Const,
    Pl,
    Region,
    Scalar,
    Unassigned,
    Value,
    describe,
    kind_of,
)


def written(stmts: list[ast.stmt]) -> dict[str, int]:
    """Names that statements may assign, in order, with the line of the first assignment."""
    names: dict[str, int] = {}
    for stmt in stmts:
        for node in ast.walk(stmt):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.setdefault(node.id, node.lineno)
    return names


def _written_here(state: State, stmts: list[ast.stmt]) -> dict[str, int]:
    """Like `written`, without the branches that this variant never takes."""
    anywhere = written(stmts)
    names: dict[str, int] = {}
    for stmt in stmts:
        names.update({k: v for k, v in _live_writes(state, stmt, anywhere).items() if k not in names})
    return names


def _live_writes(state: State, stmt: ast.stmt, anywhere: dict[str, int]) -> dict[str, int]:
    if isinstance(stmt, ast.If):
        taken = _known_condition(state, stmt.test, anywhere)
        bodies = [stmt.body, stmt.orelse] if taken is None else [stmt.body if taken else stmt.orelse]
    elif isinstance(stmt, (ast.For, ast.While, ast.With)):
        bodies = [stmt.body]
    else:
        return written([stmt])
    names = written([ast.Expr(stmt.target)]) if isinstance(stmt, ast.For) else {}
    for body in bodies:
        for inner in body:
            names.update({k: v for k, v in _live_writes(state, inner, anywhere).items() if k not in names})
    return names


def _known_condition(state: State, test: ast.expr, changing: dict[str, int]) -> bool | None:
    """The truth of a condition that constants decide and the region does not change; else None."""
    if any(isinstance(node, ast.Name) and node.id in changing for node in ast.walk(test)):
        return None
    before = len(state.messages)
    try:
        with state.capture():
            value = expr.condition(state, test)
    except (CodegenError, Reported):
        del state.messages[before:]
        return None
    return bool(value.value) if isinstance(value, Const) else None


def _region(state: State, node: ast.stmt, names: dict[str, int], loop: bool) -> Region:
    region = Region((node.lineno, node.col_offset), tuple(names), loop)
    for name in names:
        bindings.widen(state, node, region, name)
    return region


# -- if -------------------------------------------------------------------------------------------------------------


def lower_if(state: State, stmt: ast.If) -> bool:
    """`if`: only the taken branch if constants decide."""
    test = expr.condition(state, stmt.test)
    if isinstance(test, Const):
        return lower.lower_block(state, stmt.body if test.value else stmt.orelse)
    names = _written_here(state, [*stmt.body, *stmt.orelse])
    region = _region(state, stmt, names, loop=False)
    before = joins.snapshot(state)
    branches = [_branch(state, region, before, body) for body in (stmt.body, stmt.orelse)]
    joins.join(state, stmt, names, before, branches)
    state.emit(If(test.cx, branches[0].stmts, branches[1].stmts))
    return all(branch.ended for branch in branches)


def _branch(state: State, region: Region, before: joins.Env, body: list[ast.stmt]) -> joins.Branch:
    state.frame.env = dict(before)
    with state.region(region), state.capture() as stmts:
        ended = lower.lower_block(state, body)
    return joins.Branch(stmts, joins.snapshot(state), ended)


# -- for ------------------------------------------------------------------------------------------------------------


def lower_for(state: State, stmt: ast.For) -> None:
    """`for i in pl.range(...)`."""
    if stmt.orelse:
        state.fail(stmt.orelse[0], "G010", "else of a for loop is not supported in a kernel", fix="use a flag variable")
    if not isinstance(stmt.target, ast.Name):
        state.fail(
            stmt.target,
            "G010",
            "a for loop in a kernel needs one loop variable",
            allowed="for i in pl.range(...)",
            found=ast.unparse(stmt.target),
            fix="name one variable, and compute the others in the loop",
        )
    bounds = _range_bounds(state, stmt.iter)
    trips = _constant_trips(bounds)
    if trips == 0:
        return _skipped(state, stmt)
    source = _range(state, stmt.iter, bounds)
    carried = _read_elsewhere(state, stmt)
    names = {k: v for k, v in _written_here(state, [stmt]).items() if carried or k != stmt.target.id}
    region = _region(state, stmt, names, loop=True)
    head = joins.enter_loop(state, stmt, names)
    target, stmts, leaves = _for_body(state, stmt, region, carried)
    state.emit(For(target, source, stmts))
    joins.leave_loop(state, stmt, names, head, surely_once=trips is not None and not leaves)
    if not carried:
        state.frame.env[stmt.target.id] = Binding(Unassigned(stmt.lineno))
    return None


def _for_body(state: State, stmt: ast.For, region: Region, carried: bool) -> tuple[Var, list[Stmt], bool]:
    name = stmt.target.id  # type: ignore[attr-defined]
    with state.region(region), state.capture() as stmts:
        shape = Scalar(Cx(("",)), INT)
        target = bindings.slot_for(state, name, shape) if carried else Var(name, "int64_t")
        state.frame.env[name] = Binding(Scalar(cpp.var(target), INT), target, True)
        lower.lower_block(state, stmt.body)
    leaves = any(
        isinstance(node, (ast.Break, ast.Continue, ast.Return)) for inner in stmt.body for node in ast.walk(inner)
    )
    return target, stmts, leaves


def _skipped(state: State, stmt: ast.For) -> None:
    for name, line in written([stmt]).items():
        state.frame.env.setdefault(name, Binding(Unassigned(line)))


def _read_elsewhere(state: State, stmt: ast.For) -> bool:
    """Whether the loop variable is read outside this loop, so that it must outlive it."""
    name = stmt.target.id  # type: ignore[attr-defined]
    function = state.frame.function
    inside = {id(node) for node in ast.walk(stmt)}
    others: set[int] = set()
    for node in ast.walk(function) if function is not None else ():
        same_name = isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id == name
        if same_name and id(stmt) not in {id(inner) for inner in ast.walk(node)}:
            others |= {id(inner) for body in node.body for inner in ast.walk(body)}
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in (ast.walk(function) if function is not None else ())
        if id(node) not in inside and id(node) not in others
    )


def _range_bounds(state: State, node: ast.expr) -> list[Value]:
    allowed = "pl.range(stop), pl.range(start, stop), pl.range(start, stop, step)"
    target = expr.lower(state, node.func) if isinstance(node, ast.Call) else None
    if target not in (Pl("range"), Builtin("range")):
        found = ast.unparse(node)
        state.fail(
            node,
            "G050",
            "a for loop in a kernel runs over pl.range",
            found=found,
            allowed=allowed,
            fix="write for i in pl.range(...), and index with i",
        )
    assert isinstance(node, ast.Call)
    if node.keywords or not 1 <= len(node.args) <= 3 or any(isinstance(arg, ast.Starred) for arg in node.args):
        found = ast.unparse(node)
        state.fail(
            node,
            "G050",
            "pl.range takes one to three positional arguments",
            found=found,
            allowed=allowed,
            fix="pass start, stop and step by position",
        )
    values = [expr.lower(state, argument) for argument in node.args]
    for argument, value in zip(node.args, values, strict=False):
        if kind_of(value) not in (INT, "bool"):
            fix = "divide with //" if kind_of(value) == "float" else "give an integer"
            state.fail(argument, "G050", "pl.range needs integers", found=describe(value), allowed="int", fix=fix)
    values = [Const(0), *values] if len(values) == 1 else values
    values = values if len(values) == 3 else [*values, Const(1)]
    if isinstance(values[2], Const) and values[2].value == 0:
        state.fail(
            node,
            "G050",
            "the step of pl.range is 0",
            allowed="a positive or negative step",
            found=ast.unparse(node),
            fix="give a step that is not 0",
        )
    return values


def _constant_trips(bounds: list[Value]) -> int | None:
    if not all(isinstance(value, Const) for value in bounds):
        return None
    start, stop, step = (int(value.value) for value in bounds)  # type: ignore[union-attr]
    return max(0, -((start - stop) // step))


def _range(state: State, node: ast.expr, bounds: list[Value]) -> Cx:
    start, stop, step = (scalars.to_cx(state, node, value, INT) for value in bounds)
    return cpp.call("pt::range", "block", state.site(node, "range"), start, stop, step)


# -- while ----------------------------------------------------------------------------------------------------------


def lower_while(state: State, stmt: ast.While) -> bool:
    """`while`; its condition is evaluated anew each time."""
    if stmt.orelse:
        state.fail(
            stmt.orelse[0], "G010", "else of a while loop is not supported in a kernel", fix="use a flag variable"
        )
    if _known_condition(state, stmt.test, written(stmt.body)) is False:
        return False
    names = _written_here(state, stmt.body)
    region = _region(state, stmt, names, loop=True)
    head = joins.enter_loop(state, stmt, names)
    with state.region(region):
        with state.capture() as before:
            test = expr.condition(state, stmt.test)
        with state.capture() as stmts:
            lower.lower_block(state, stmt.body)
    cond = scalars.to_cx(state, stmt.test, test, "bool")
    if before:
        stmts = [*before, If(negated(cond), [Jump("break")], []), *stmts]
        cond = cpp.text("true")
    state.emit(While(cond, stmts))
    joins.leave_loop(state, stmt, names, head, surely_once=False)
    return isinstance(test, Const) and bool(test.value) and not _has_break(stmt.body)


def _has_break(stmts: list[ast.stmt]) -> bool:
    for stmt in stmts:
        if isinstance(stmt, ast.Break):
            return True
        if isinstance(stmt, ast.If) and (_has_break(stmt.body) or _has_break(stmt.orelse)):
            return True
        if isinstance(stmt, ast.With) and _has_break(stmt.body):
            return True
    return False


# -- with -----------------------------------------------------------------------------------------------------------


def lower_with(state: State, stmt: ast.With) -> bool:
    """`with pl.section_vector():`; a vector-only kernel is one vector section, so no C++ block marks it."""
    allowed = "with pl.section_vector():"
    item = stmt.items[0]
    call = item.context_expr
    target = _context(state, call)
    if target == Pl("section_cube"):
        state.fail(stmt, "G042", "pl.section_cube is not supported by the twin yet", allowed=allowed,
                   fix="build cube kernels with the cann backend")  # fmt: skip
    if len(stmt.items) != 1 or target != Pl("section_vector") or item.optional_vars is not None:
        state.fail(
            stmt,
            "G042",
            "this with statement is not supported in a kernel",
            found=ast.unparse(call),
            allowed=allowed,
            fix=f"write {allowed}",
        )
    assert isinstance(call, ast.Call)
    if call.args or call.keywords:
        state.fail(
            call,
            "G014",
            "pl.section_vector takes no arguments",
            found=ast.unparse(call),
            allowed=allowed,
            fix=f"write {allowed}",
        )
    if state.section is not None:
        state.fail(stmt, "G042", "sections cannot be nested", fix="end the outer section first")
    state.section = "vector"
    try:
        return lower.lower_block(state, stmt.body)
    finally:
        state.section = None


def _context(state: State, call: ast.expr) -> Value | None:
    try:
        return expr.lower(state, call.func) if isinstance(call, ast.Call) else None
    except CodegenError:
        return None


__all__ = ["lower_for", "lower_if", "lower_while", "lower_with", "written"]
