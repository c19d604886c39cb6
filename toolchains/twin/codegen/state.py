"""The state of lowering one variant: where we are, what names mean, what was emitted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pypto_rules.tools.contract.problems import Location
from toolchains.twin.codegen import cpp
from toolchains.twin.codegen.cpp import Assign, Cx, Site, Stmt, Var
from toolchains.twin.codegen.errors import CodegenError, Message, did_you_mean, place_of
from toolchains.twin.codegen.load import Module, Sources
from toolchains.twin.codegen.values import (
    Binding,
    Builtin,
    Conflict,
    Const,
    Poisoned,
    Region,
    Unassigned,
    Unknown,
    Value,
)


class Restart(Exception):
    """A variable turned out wider (int → float) than it was declared: lower the variant again."""


class Reported(Exception):
    """A statement depends on one whose error is already recorded: nothing more to say about it."""


class Returned(Exception):
    """A helper function's `return` was reached."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


@dataclass(eq=False)
class Frame:
    """One function being lowered. `path` and `callers` are the calls that led here, the latter their places."""

    module: Module
    function: ast.FunctionDef | None
    path: tuple[Any, ...]
    callers: tuple[Location, ...] = ()
    env: dict[str, Binding] = field(default_factory=dict)
    locals: dict[str, tuple[int, ...]] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)


@dataclass(eq=False)
class Variant:
    """What distinguishes one variant for lowering: SoC, key fields and dtype variables as constants."""

    soc: str
    constants: dict[str, Value]
    keys: frozenset[str] = frozenset()


class State:
    """Everything a lowering function needs; passed first to all of them."""

    def __init__(self, sources: Sources, variant: Variant) -> None:
        self.sources = sources
        self.variant = variant
        self.frame = Frame(sources.kernel, None, ())
        self.block: list[Stmt] = []
        self.messages: list[Message] = []
        self.coerced: dict[tuple[Any, ...], str] = {}
        self.aliases: dict[str, str] = {}
        self.tiling: dict[str, tuple[str, int | None]] = {}
        self.section: str | None = None
        self.depth = 0  # loops and run-time branches around, those of callers too
        self.calls: list[str] = []

    # -- errors ---------------------------------------------------------------------------------------------------

    def fail(self, node: ast.AST, code: str, what: str, *, found: str = "", allowed: str = "", fix: str) -> NoReturn:
        """Refuse a construct."""
        place = place_of(self.frame.module.path, node)
        raise CodegenError(
            Message(place, f"PYPTO-{code}", what, found=found, allowed=allowed, fix=fix, callers=self.frame.callers)
        )

    def site(self, node: ast.AST, op: str) -> Site:
        """The place of an operation, for the source map."""
        return Site(self.frame.module.path, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1, op)

    # -- statements -----------------------------------------------------------------------------------------------

    def emit(self, stmt: Stmt) -> None:
        """Append a statement to the block under construction."""
        self.block.append(stmt)

    @contextmanager
    def capture(self) -> Iterator[list[Stmt]]:
        """Statements emitted inside go to the list, not to the current block."""
        outer, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = outer

    def temporary(self, hint: str, ctype: str, value: Cx, zero: str = "{}") -> Cx:
        """Bind a value to a fresh variable, so that it is evaluated here and once."""
        variable = Var(hint, ctype, zero)
        self.emit(Assign(variable, value))
        return cpp.var(variable)

    @contextmanager
    def region(self, region: Region) -> Iterator[None]:
        """Inside a loop or run-time branch."""
        self.frame.regions.append(region)
        self.depth += 1
        try:
            yield
        finally:
            self.frame.regions.pop()
            self.depth -= 1

    # -- names ----------------------------------------------------------------------------------------------------

    def lookup(self, node: ast.Name) -> Value:
        """What a name means here."""
        name, frame = node.id, self.frame
        binding = frame.env.get(name)
        if binding is not None:
            if isinstance(binding.value, Poisoned):
                raise Reported
            if isinstance(binding.value, Conflict):
                self.fail(node, "G031", f"{name} {binding.value.what}", fix=f"give {name} one type on all paths")
            if isinstance(binding.value, Unassigned):
                self.unassigned(node, name, binding.value.line)
            return binding.value
        if name in frame.locals:
            self._never_assigned(node, name, frame.locals[name])
        if name in self.variant.constants:
            return self.variant.constants[name]
        members = frame.module.names or {}
        if name in members:
            return self.known(node, name, members[name])
        if name in BUILTINS:
            return Builtin(name)
        return self._undefined(node, name)

    def known(self, node: ast.AST, name: str, value: Value) -> Value:
        """A module-level value, unless it could not be computed."""
        if isinstance(value, Unknown):
            what = f"the value of {name} (line {value.line}) is not known at generation: {value.reason}"
            allowed = "literals, arithmetic on constants, tuples, pl dtypes and other module constants"
            self.fail(node, "G013", what, allowed=allowed, fix=f"give {name} a constant value")
        return value

    def unassigned(self, node: ast.AST, name: str, line: int) -> NoReturn:
        """A read of a local before it surely has a value."""
        what = f"variable {name} may have no value here: it is assigned on line {line}, but not on every path"
        self.fail(node, "G030", what, fix=f"assign {name} before the branch or loop")

    def _never_assigned(self, node: ast.Name, name: str, lines: tuple[int, ...]) -> NoReturn:
        """A read of a local that no statement which ran before has assigned."""
        above = [line for line in lines if line < node.lineno]
        where = f"line {above[-1]}, which does not run in this variant" if above else f"line {lines[0]}, further down"
        what = f"variable {name} may have no value here: it is assigned on {where}"
        self.fail(node, "G030", what, fix=f"assign {name} before it is read")

    def _undefined(self, node: ast.Name, name: str) -> NoReturn:
        known = [*self.frame.env, *self.variant.constants, *(self.frame.module.names or {}), *BUILTINS]
        near = did_you_mean(name, known)
        hint = f"write {near}" if near else "define it, or declare it as a TilingKey field or datatype variable"
        self.fail(node, "G013", f"name {name} is not defined", fix=hint)


BUILTINS = {
    name: Const(None)
    for name in ["range", "min", "max", "abs", "len", "int", "float", "bool", "tuple", "list", "round", "sum", "str"]
}
