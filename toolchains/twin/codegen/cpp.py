"""The statement tree between lowering and text.

Lowering makes variables, expressions and statements; it never writes a declaration or a name.
`emit` places each declaration in the innermost block that holds all uses, and numbers sites, so that
dropped code leaves no trace in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

# C++ precedence, higher binds tighter.
PREC_ATOM, PREC_UNARY, PREC_MUL, PREC_ADD, PREC_SHIFT = 100, 90, 80, 70, 60
PREC_REL, PREC_EQ, PREC_AND, PREC_XOR, PREC_OR, PREC_LAND, PREC_LOR, PREC_COND = 50, 45, 40, 35, 30, 25, 20, 10


@dataclass(eq=False)
class Var:
    """A C++ local. `hint` is the Python name; `ctype` the C++ type as written in a declaration."""

    hint: str
    ctype: str
    zero: str = "0"
    region: object | None = None


@dataclass(eq=False, frozen=True)
class Site:
    """The place of an operation in the user's source; becomes a number in emission order."""

    file: str
    line: int
    col: int
    op: str


@dataclass(eq=False, frozen=True)
class Cx:
    """A C++ expression. `pure`: dropping it changes nothing."""

    parts: tuple[str | Var | Site | Cx, ...]
    prec: int = PREC_ATOM
    pure: bool = True

    def leaves(self) -> Iterator[str | Var | Site]:
        """Text, variables and sites, left to right."""
        for part in self.parts:
            if isinstance(part, Cx):
                yield from part.leaves()
            else:
                yield part

    def variables(self) -> Iterator[Var]:
        """The variables read."""
        return (leaf for leaf in self.leaves() if isinstance(leaf, Var))


def text(value: str, prec: int = PREC_ATOM) -> Cx:
    """An expression of fixed text."""
    return Cx((value,), prec)


def var(variable: Var) -> Cx:
    """A read of a variable."""
    return Cx((variable,))


def paren(value: Cx, prec: int) -> Cx:
    """`value`, in parentheses if it binds less tightly than `prec`."""
    return value if value.prec >= prec else Cx(("(", value, ")"), PREC_ATOM, value.pure)


def binary(left: Cx, op: str, right: Cx, prec: int) -> Cx:
    """`left op right`, left-associative."""
    return Cx((paren(left, prec), f" {op} ", paren(right, prec + 1)), prec, left.pure and right.pure)


def call(name: str, *args: Cx | Site | str, pure: bool = True) -> Cx:
    """`name(args)`."""
    parts: list[str | Var | Site | Cx] = [f"{name}("]
    for index, arg in enumerate(args):
        parts += [", ", arg] if index else [arg]
        pure = pure and (not isinstance(arg, Cx) or arg.pure)
    return Cx((*parts, ")"), PREC_ATOM, pure)


@dataclass(eq=False)
class Assign:
    """`target = value`, the declaration if it is the first in the variable's block."""

    target: Var
    value: Cx


@dataclass(eq=False)
class Do:
    """An expression for its effect."""

    value: Cx


@dataclass(eq=False)
class If:
    """`if (cond) {then} else {orelse}`."""

    cond: Cx
    then: list[Stmt]
    orelse: list[Stmt]


@dataclass(eq=False)
class For:
    """`for (target : range) {body}`; the range is evaluated once, the target is a copy."""

    target: Var
    range: Cx
    body: list[Stmt]


@dataclass(eq=False)
class While:
    """`while (cond) {body}`."""

    cond: Cx
    body: list[Stmt]


@dataclass(eq=False)
class Jump:
    """`break`, `continue` or `return`."""

    word: str


Stmt = Assign | Do | If | For | While | Jump


@dataclass
class Block:
    """A list under construction."""

    stmts: list[Stmt] = field(default_factory=list)


def call_method(owner: Var, name: str, *args: Cx | Site | str, pure: bool = True) -> Cx:
    """`owner.name(args)`."""
    return Cx((owner, call(f".{name}", *args)), PREC_ATOM, pure)
