"""Removal of what has no effect: stores nobody reads, branches that became empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolchains.twin.codegen.cpp import PREC_UNARY, Assign, Cx, Do, For, If, Stmt, Var, While, paren


def expressions(stmt: Stmt) -> Iterator[Cx]:
    """The expressions a statement evaluates itself, not those of its blocks."""
    if isinstance(stmt, (Assign, Do)):
        yield stmt.value
    elif isinstance(stmt, (If, While)):
        yield stmt.cond
    elif isinstance(stmt, For):
        yield stmt.range


def blocks(stmt: Stmt) -> list[list[Stmt]]:
    """The blocks directly inside a statement."""
    if isinstance(stmt, If):
        return [stmt.then, stmt.orelse]
    return [stmt.body] if isinstance(stmt, (For, While)) else []


def reads(stmts: list[Stmt]) -> Counter[Var]:
    """How often each variable is read anywhere below."""
    count: Counter[Var] = Counter()
    for stmt in stmts:
        for expr in expressions(stmt):
            count.update(expr.variables())
        for block in blocks(stmt):
            count.update(reads(block))
    return count


def negated(cond: Cx) -> Cx:
    """`!cond`."""
    return Cx(("!", paren(cond, PREC_UNARY)), PREC_UNARY, cond.pure)


def prune(stmts: list[Stmt]) -> list[Stmt]:
    """The same effects with less text."""
    while True:
        used = reads(stmts)
        before = _size(stmts)
        stmts = _pass(stmts, used)
        if _size(stmts) == before:
            return stmts


def _size(stmts: list[Stmt]) -> tuple[int, int]:
    assigns = sum(isinstance(stmt, Assign) for stmt in stmts)
    total = len(stmts)
    for stmt in stmts:
        for block in blocks(stmt):
            inner = _size(block)
            assigns, total = assigns + inner[0], total + inner[1]
    return assigns, total


def _pass(stmts: list[Stmt], used: Counter[Var]) -> list[Stmt]:
    result: list[Stmt] = []
    for stmt in stmts:
        if isinstance(stmt, Assign) and not used[stmt.target]:
            if not stmt.value.pure:
                result.append(Do(stmt.value))
        elif isinstance(stmt, If):
            result += _prune_if(stmt, used)
        elif isinstance(stmt, For):
            result.append(For(stmt.target, stmt.range, _pass(stmt.body, used)))
        elif isinstance(stmt, While):
            result.append(While(stmt.cond, _pass(stmt.body, used)))
        else:
            result.append(stmt)
    return result


def _prune_if(stmt: If, used: Counter[Var]) -> list[Stmt]:
    then, orelse = _pass(stmt.then, used), _pass(stmt.orelse, used)
    if then:
        return [If(stmt.cond, then, orelse)]
    if orelse:
        return [If(negated(stmt.cond), orelse, [])]
    return [] if stmt.cond.pure else [Do(stmt.cond)]
