"""What a Python name or expression stands for while a variant is lowered."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolchains.twin.codegen.cpp import Cx, Var
from toolchains.twin.codegen.dtypes import DType

if TYPE_CHECKING:
    from toolchains.twin.codegen.load import Module

# Scalar kinds, in the order of promotion.
BOOL, INT, FLOAT = "bool", "int", "float"
CTYPES = {BOOL: "bool", INT: "int64_t", FLOAT: "float"}
ZEROS = {BOOL: "false", INT: "0", FLOAT: "0.0f"}


@dataclass(frozen=True)
class Enum:
    """A member of an enumeration of `pl`, e.g. `pl.MemorySpace.Vec`."""

    family: str
    member: str

    def __repr__(self) -> str:
        return f"pl.{self.family}.{self.member}"


@dataclass(frozen=True)
class TileType:
    """A checked `pl.TileType`. `shape` as written (1 or 2 dims); a 1-D shape is one row."""

    shape: tuple[int, ...]
    dtype: DType
    memory: str
    valid_shape: tuple[int, int]
    compact: int
    pad: str

    @property
    def rows_cols(self) -> tuple[int, int]:
        """The shape as rows and columns."""
        return (1, self.shape[0]) if len(self.shape) == 1 else (self.shape[0], self.shape[1])

    @property
    def bytes(self) -> int:
        """Bytes one tile takes."""
        rows, cols = self.rows_cols
        return rows * cols * self.dtype.size

    def __repr__(self) -> str:
        return f"{list(self.shape)} {self.dtype!r} in {self.memory}"


@dataclass(frozen=True)
class Const:
    """Known at generation: int, float, bool, str, None, tuple, dict, DType, Enum or TileType."""

    value: Any


@dataclass(frozen=True, eq=False)
class Scalar:
    """A run-time int, float or bool."""

    cx: Cx
    kind: str


@dataclass(frozen=True, eq=False)
class Tile:
    """A tile handle."""

    cx: Cx
    type: TileType


@dataclass(frozen=True, eq=False)
class Group:
    """A tile group."""

    var: Var
    type: TileType
    count: int


@dataclass(frozen=True, eq=False)
class Tensor:
    """A view of global memory; dimensions known at generation are in `shape`."""

    cx: Cx
    dtype: DType
    shape: tuple[int | None, ...]


@dataclass(frozen=True, eq=False)
class Ptr:
    """A pointer to global memory."""

    cx: Cx
    dtype: DType


@dataclass(frozen=True, eq=False)
class Sequence:
    """A tuple or list with run-time items."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class TilingData:
    """The TilingData parameter."""

    name: str


@dataclass(frozen=True)
class TilingArray:
    """An array member of TilingData, before it is indexed."""

    name: str
    kind: str
    count: int


@dataclass(frozen=True, eq=False)
class Shape:
    """`tensor.shape`, before it is indexed."""

    tensor: Tensor


@dataclass(frozen=True)
class Pl:
    """A name under `pypto_pro.language`: `Pl("load")`; the module itself is `Pl("")`."""

    path: str


@dataclass(frozen=True)
class Builtin:
    """A Python builtin, e.g. `min`, or a function of `math`."""

    name: str


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the user's files."""

    name: str
    node: ast.FunctionDef
    module: Module


@dataclass(frozen=True, eq=False)
class Namespace:
    """A helper module or a class used as a bag of constants."""

    name: str
    members: dict[str, Value]


@dataclass(frozen=True, eq=False)
class Method:
    """A bound method, before it is called."""

    owner: Value
    name: str


@dataclass(frozen=True)
class Foreign:
    """Something imported that is neither pypto_pro nor one of the user's files."""

    name: str


@dataclass(frozen=True)
class Unknown:
    """A module-level value that cannot be computed at generation."""

    reason: str
    line: int


@dataclass(frozen=True)
class Unassigned:
    """A local that may have no value here; `line` is where it is assigned on some path."""

    line: int


@dataclass(frozen=True)
class Conflict:
    """A local whose paths disagree about what it is."""

    what: str


@dataclass(frozen=True)
class Poisoned:
    """A local whose assignment was refused."""


Value = (
    Const
    | Scalar
    | Tile
    | Group
    | Tensor
    | Ptr
    | Sequence
    | TilingData
    | TilingArray
    | Shape
    | Pl
    | Builtin
    | Function
    | Namespace
    | Method
    | Foreign
    | Unknown
    | Unassigned
    | Conflict
    | Poisoned
)


@dataclass
class Binding:
    """What a local name means now. `slot`: its C++ variable; `stored`: the slot holds the value."""

    value: Value
    slot: Var | None = None
    stored: bool = False


@dataclass(eq=False)
class Region:
    """A loop or a run-time `if`: in it, assignments to `names` must reach the C++ variables."""

    key: tuple[Any, ...]
    names: tuple[str, ...]
    loop: bool
    slots: dict[str, Var] = field(default_factory=dict)


def const_kind(value: Any) -> str | None:
    """The scalar kind of a Python value, None if it is no number."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    return FLOAT if isinstance(value, float) else None


def kind_of(value: Value) -> str | None:
    """The scalar kind of a value, None if it is no scalar."""
    if isinstance(value, Scalar):
        return value.kind
    return const_kind(value.value) if isinstance(value, Const) else None


def join_kinds(left: str, right: str) -> str:
    """The kind that holds both."""
    order = (BOOL, INT, FLOAT)
    return order[max(order.index(left), order.index(right))]


def describe(value: Value) -> str:
    """A value in the words of an error message."""
    if isinstance(value, Const):
        return f"the constant {value.value!r}" if const_kind(value.value) else repr(value.value)
    if isinstance(value, Scalar):
        return f"a run-time {value.kind}"
    if isinstance(value, Tile):
        return f"a tile {value.type!r}"
    if isinstance(value, Group):
        return f"a tile group of {value.count} x {value.type!r}"
    if isinstance(value, Tensor):
        dims = ", ".join("?" if dim is None else str(dim) for dim in value.shape)
        return f"a tensor [{dims}] {value.dtype!r}"
    if isinstance(value, Ptr):
        return f"a pointer {value.dtype!r}"
    return _describe_other(value)


def _describe_other(value: Value) -> str:
    if isinstance(value, Pl):
        return f"pl.{value.path}" if value.path else "the module pypto_pro.language"
    if isinstance(value, (Builtin, Foreign, Function)):
        return f"{'function ' if isinstance(value, Function) else ''}{value.name}"
    names = {Sequence: "a tuple of run-time values", TilingData: "the TilingData", TilingArray: "a TilingData array",
             Shape: "a tensor shape", Namespace: "a module or class", Method: "a method"}  # fmt: skip
    return names.get(type(value), "a value unknown at generation")
