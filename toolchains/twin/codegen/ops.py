"""The operations of `pl` that the twin generates: one table, and the errors for everything else."""

from __future__ import annotations

import ast
from collections.abc import Callable

from toolchains.twin.codegen import names_pl, ops_moves, ops_resources, ops_scalars, ops_tile_type, ops_vector
from toolchains.twin.codegen.errors import did_you_mean
from toolchains.twin.codegen.operands import Arguments
from toolchains.twin.codegen.signatures import Signature, bind
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import Value

Handler = Callable[[Arguments], Value]

_BINARY = ("out", "lhs", "rhs")
_UNARY = ("out", "src")
# Older spellings of the tile-scalar forms, which kernels of the field still use.
_SCALAR_FORMS = {"adds": "add", "subs": "sub", "muls": "mul", "divs": "div", "maxs": "maximum", "mins": "minimum"}
_MOVE_OPTIONS = ("relu_pre_mode", "scale", "order", "atomic", "phase")


def _table() -> dict[str, tuple[Signature, Handler]]:
    table: dict[str, tuple[Signature, Handler]] = {}

    def add(
        handler: Handler, name: str, parameters: tuple[str, ...], required: int, only: tuple[str, ...] = ()
    ) -> None:
        table[name] = (Signature(f"pl.{name}", parameters, required, only), handler)

    for name in ("add", "sub", "mul", "div"):
        add(ops_vector.binary, name, _BINARY, 3)
    for name in ("maximum", "minimum"):
        add(ops_vector.binary, name, _BINARY, 3, ("dim",))
    for name in _SCALAR_FORMS:
        add(ops_vector.binary_scalar, name, _BINARY, 3)
    for name in ("neg", "abs", "exp", "log", "sqrt", "rsqrt", "recip", "relu"):
        add(ops_vector.unary, name, _UNARY, 2)
    add(ops_vector.cast, "cast", _UNARY, 2, ("mode",))
    add(ops_vector.expands, "expands", ("out", "scalar"), 2)
    add(ops_moves.load, "load", ("dst_tile", "src_tensor", "offsets"), 3, ("order",))
    add(ops_moves.load, "load_tile", ("dst_tile", "src_tensor", "tile_offsets"), 3, ("order",))
    add(ops_moves.store, "store", ("dst_tensor", "src_tile", "offsets"), 3, _MOVE_OPTIONS)
    add(ops_moves.store, "store_tile", ("dst_tensor", "src_tile", "tile_offsets"), 3, _MOVE_OPTIONS)
    add(ops_moves.set_validshape, "set_validshape", ("tile", "shape"), 2)
    tile_type = ("shape", "dtype", "target_memory", "valid_shape", "layout", "fractal", "pad", "compact")
    add(ops_tile_type.tile_type, "TileType", tile_type, 2)
    add(ops_resources.make_tile, "make_tile", ("tile_type", "addr", "size"), 1)
    group = ("type", "addrs", "mutex_ids", "depth", "fwd_ids", "bwd_ids")
    add(ops_resources.make_tile_group, "make_tile_group", group, 2)
    add(ops_resources.make_tensor, "make_tensor", ("ptr", "shape", "stride", "dtype"), 2)
    add(ops_resources.addptr, "addptr", ("ptr", "offset"), 2)
    for name in ("get_block_idx", "get_block_num", "get_subblock_idx", "get_subblock_num"):
        add(ops_scalars.system_variable, name, (), 0)
    for name in ("min", "max"):
        add(ops_scalars.extreme, name, ("lhs", "rhs"), 2)
    add(ops_scalars.const, "const", ("value", "dtype"), 2)
    return table


TABLE = _table()
_OTHER_NAMES = ("range", "section_vector", "printf")


def call(state: State, node: ast.Call, name: str) -> Value:
    """`pl.<name>(...)`."""
    if name == "printf":
        return ops_scalars.printf(state, node)
    if name not in TABLE:
        _refuse(state, node, name)
    signature, handler = TABLE[name]
    return handler(Arguments(state, node, _SCALAR_FORMS.get(name, name), bind(state, node, signature)))


def _refuse(state: State, node: ast.Call, name: str) -> None:
    allowed = ", ".join(f"pl.{known}" for known in sorted([*TABLE, *_OTHER_NAMES]))
    if name == "range":
        state.fail(node, "G050", "pl.range is only allowed in a for statement", fix="write for i in pl.range(...)")
    if name in ("section_vector", "section_cube"):
        state.fail(node, "G042", f"pl.{name} is only allowed in a with statement", fix=f"write with pl.{name}():")
    if name in names_pl.RENAMED:
        fix = f"write {names_pl.RENAMED[name]}"
        state.fail(node, "G012", f"pl.{name} is not a documented operation of pypto_pro", fix=fix)
    if name.split(".")[0] in names_pl.NOT_IN_TWIN:
        fix = "remove the call or build with the cann backend"
        state.fail(node, "G012", f"pl.{name} is not supported by the twin", allowed=allowed, fix=fix)
    near = did_you_mean(name, [*TABLE, *_OTHER_NAMES])
    if near:
        state.fail(node, "G012", f"pl.{name} is not known to the twin", fix=f"write pl.{near}")
    fix = "use a supported operation"
    state.fail(node, "G012", f"pl.{name} is not known to the twin", allowed=allowed, fix=fix)
