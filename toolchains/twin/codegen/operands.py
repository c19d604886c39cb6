"""The arguments of one `pl` call: evaluated in order, checked for what they are."""

from __future__ import annotations

import ast
from typing import NoReturn

from toolchains.twin.codegen import calls, cpp, expr, scalars
from toolchains.twin.codegen.cpp import Cx, Site
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import (
    INT,
    Const,
    Enum,
    Scalar,
    Sequence,
    Tensor,
    Tile,
    Value,
    describe,
    kind_of,
)


class Arguments:
    """Bound arguments of `pl.<name>`, with the checks that many operations share."""

    def __init__(self, state: State, node: ast.Call, name: str, bound: dict[str, ast.expr]) -> None:
        self.state, self.node, self.name = state, node, name
        self._nodes = bound
        self._values: dict[str, Value] = {}
        for parameter, argument in bound.items():
            value = expr.lower(state, argument)
            self._values[parameter] = value if isinstance(value, Scalar) else calls.settle(state, value, parameter)

    def node_of(self, parameter: str) -> ast.AST:
        """The argument's node, for positions; the call itself if it was not given."""
        return self._nodes.get(parameter, self.node)

    def has(self, parameter: str) -> bool:
        """Whether the argument was given, and not as None."""
        return parameter in self._values and self._values[parameter] != Const(None)

    def value(self, parameter: str) -> Value:
        """The argument's value."""
        return self._values[parameter]

    def fail(self, parameter: str, code: str, what: str, *, found: str = "", allowed: str = "", fix: str) -> NoReturn:
        """Refuse an argument."""
        what = f"pl.{self.name}: {what}"
        self.state.fail(self.node_of(parameter), code, what, found=found, allowed=allowed, fix=fix)

    def site(self) -> Site:
        """The call's place in the source map."""
        return self.state.site(self.node, self.name)

    def call(self, *args: Cx, function: str = "") -> Cx:
        """`pt::name(block, site, args)`, with an effect."""
        return cpp.call(function or f"pt::{self.name}", "block", self.site(), *args, pure=False)

    def need_section(self) -> None:
        """The call must be inside `with pl.section_vector()`."""
        if self.state.section is None:
            what = f"pl.{self.name} is outside of any section"
            fix = "put it under with pl.section_vector():"
            self.state.fail(self.node, "G042", what, allowed="inside pl.section_vector()", fix=fix)

    def tile(self, parameter: str) -> Tile:
        """A tile argument in Vec memory."""
        value = self.value(parameter)
        if not isinstance(value, Tile):
            self._wrong(parameter, value, "a tile")
        assert isinstance(value, Tile)
        if value.type.memory != "Vec":
            found = f"pl.MemorySpace.{value.type.memory}"
            self.fail(
                parameter,
                "G042",
                f"{parameter} must be a Vec tile in a vector section",
                found=found,
                allowed="pl.MemorySpace.Vec",
                fix="make the tile in pl.MemorySpace.Vec",
            )
        return value

    def tensor(self, parameter: str) -> Tensor:
        """A tensor argument."""
        value = self.value(parameter)
        if not isinstance(value, Tensor):
            self._wrong(parameter, value, "a tensor")
        assert isinstance(value, Tensor)
        return value

    def _wrong(self, parameter: str, value: Value, allowed: str) -> None:
        kinds = {type(item).__name__ for item in self._values.values()}
        fix = "swap the arguments" if {"Tile", "Tensor"} <= kinds else f"pass {allowed}"
        if type(value).__name__ == "Group":
            fix = "take a tile of it: .next(), .current() or [i]"
        if type(value).__name__ == "Ptr" and allowed == "a tensor":
            fix = "make a view of it with pl.make_tensor(ptr, shape, stride)"
        self.fail(parameter, "G015", f"{parameter} must be {allowed}", found=describe(value), allowed=allowed, fix=fix)

    def integers(self, parameter: str) -> list[Value]:
        """A list or tuple of integers, constant or not."""
        value = self.value(parameter)
        items: tuple[Value, ...] | None = None
        if isinstance(value, Const) and isinstance(value.value, (tuple, list)):
            items = tuple(Const(item) for item in value.value)
        elif isinstance(value, Sequence):
            items = value.items
        if items is None:
            self.fail(
                parameter,
                "G015",
                f"{parameter} must be a list of integers",
                found=describe(value),
                allowed="e.g. [0, i]",
                fix="write a list, e.g. [0, i]",
            )
        assert items is not None
        for item in items:
            if kind_of(item) not in (INT, "bool"):
                fix = "divide with //" if kind_of(item) == "float" else "write integers"
                self.fail(
                    parameter, "G015", f"{parameter} must hold integers", found=describe(item), allowed="int", fix=fix
                )
        return list(items)

    def braces(self, parameter: str, items: list[Value]) -> Cx:
        """`{a, b}` of integers."""
        parts: list[object] = []
        for index, item in enumerate(items):
            parts += [", "] if index else []
            parts.append(scalars.to_cx(self.state, self.node_of(parameter), item, INT))
        return Cx(("{", *parts, "}"))  # type: ignore[arg-type]

    def constant(self, parameter: str, what: str) -> object:
        """An argument that must be known at generation."""
        value = self.value(parameter)
        if not isinstance(value, Const):
            allowed = "constants, TilingKey fields, datatype variables and what follows from them"
            self.fail(
                parameter,
                "G032",
                f"{what} must be known at code generation",
                found=describe(value),
                allowed=allowed,
                fix="use a constant, a TilingKey field or a datatype variable",
            )
        return value.value  # type: ignore[union-attr]

    def enum(self, parameter: str, family: str) -> Enum:
        """A member of an enumeration."""
        value = self.constant(parameter, parameter)
        if not isinstance(value, Enum) or value.family != family:
            self.fail(
                parameter,
                "G015",
                f"{parameter} must be a pl.{family}",
                found=repr(value),
                allowed=f"pl.{family}.…",
                fix=f"write a member of pl.{family}",
            )
        assert isinstance(value, Enum)
        return value

    def refuse(self, *parameters: str) -> None:
        """Options that the documentation has and the twin has not."""
        for parameter in parameters:
            if self.has(parameter):
                self.fail(parameter, "G012", f"{parameter}= is not supported by the twin", fix=f"remove {parameter}=")
