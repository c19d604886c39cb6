"""`load`, `store`, their tile-indexed forms, and `set_validshape`."""

from __future__ import annotations

from toolchains.twin.codegen import cpp, scalars
from toolchains.twin.codegen.cpp import Cx
from toolchains.twin.codegen.operands import Arguments
from toolchains.twin.codegen.values import INT, Const, Enum, Group, Tensor, Tile, Value


def load(args: Arguments) -> Value:
    """`pl.load(dst_tile, src_tensor, offsets, order=)` and `pl.load_tile`."""
    args.need_section()
    return _move(args, args.tile("dst_tile"), args.tensor("src_tensor"), tile_first=True)


def store(args: Arguments) -> Value:
    """`pl.store(dst_tensor, src_tile, offsets, order=)` and `pl.store_tile`."""
    args.need_section()
    args.refuse("relu_pre_mode", "scale", "phase")
    if args.has("atomic") and args.enum("atomic", "AtomicType") != Enum("AtomicType", "AtomicNone"):
        args.fail(
            "atomic",
            "G012",
            "atomic= is not supported by the twin",
            found="AtomicAdd",
            allowed="pl.AtomicType.AtomicNone",
            fix="remove atomic=",
        )
    tensor = args.tensor("dst_tensor")
    return _move(args, args.tile("src_tile"), tensor, tile_first=False)


def _move(args: Arguments, tile: Tile, tensor: Tensor, tile_first: bool) -> Value:
    _check_dtypes(args, tile, tensor)
    name = "tile_offsets" if args.name.endswith("_tile") else "offsets"
    offsets = args.integers(name)
    dims = len(tensor.shape)
    if len(offsets) != dims:
        found = f"{len(offsets)} for a tensor of {dims} dimensions"
        args.fail(
            name,
            "G025",
            f"{name} must give one number per tensor dimension",
            found=found,
            allowed=str(dims),
            fix=f"write {dims} numbers",
        )
    axes = _order(args, dims)
    _check_offsets(args, name, offsets, tile, tensor, axes)
    extra = [] if axes is None else [cpp.text(f"pt::Axes{{{axes[0]}, {axes[1]}}}")]
    operands: list[Cx] = [tile.cx, tensor.cx] if tile_first else [tensor.cx, tile.cx]
    args.state.emit(cpp.Do(args.call(*operands, args.braces(name, offsets), *extra)))
    return Const(None)


def _check_dtypes(args: Arguments, tile: Tile, tensor: Tensor) -> None:
    if tile.type.dtype == tensor.dtype:
        return
    parameter = "src_tensor" if args.name.startswith("load") else "src_tile"
    found = f"the tile is {tile.type.dtype!r}, the tensor {tensor.dtype!r}"
    fix = "give both the same dtype (make_tensor(..., dtype=), TileType(dtype=)), or convert with pl.cast"
    args.fail(
        parameter, "G021", "tile and tensor must have one dtype", found=found, allowed=repr(tensor.dtype), fix=fix
    )


def _order(args: Arguments, dims: int) -> tuple[int, int] | None:
    if not args.has("order"):
        return None
    args.constant("order", "order")
    order = [item.value for item in args.integers("order") if isinstance(item, Const)]
    allowed = f"two different axes from 0 to {dims - 1}"
    if len(order) != 2 or order[0] == order[1] or not all(0 <= axis < dims for axis in order):
        args.fail(
            "order",
            "G015",
            "order must name two axes of the tensor",
            found=str(order),
            allowed=allowed,
            fix="name two axes of the tensor",
        )
    if order[0] > order[1]:
        what = (
            "a store cannot transpose"
            if args.name.startswith("store")
            else "transposing loads are not supported by the twin"
        )
        args.fail(
            "order",
            "G015",
            f"{what}: order must ascend",
            found=str(order),
            allowed=allowed,
            fix=f"write order={order[::-1]}",
        )
    return order[0], order[1]


def _check_offsets(
    args: Arguments, name: str, offsets: list[Value], tile: Tile, tensor: Tensor, axes: tuple[int, int] | None
) -> None:
    """What constants show already; the run time checks every move again."""
    dims = len(tensor.shape)
    sizes = dict(zip(axes or (dims - 2, dims - 1), tile.type.rows_cols, strict=False))
    for axis, offset in enumerate(offsets):
        if not isinstance(offset, Const):
            continue
        step = sizes.get(axis, 1) if name == "tile_offsets" else 1
        limit = tensor.shape[axis]
        if offset.value < 0 or (limit is not None and offset.value * step >= limit):
            found = f"{offset.value * step} on axis {axis}"
            allowed = f"0 to {limit - 1}" if limit is not None else "0 or more"
            args.fail(
                name,
                "G025",
                "offset outside of the tensor",
                found=found,
                allowed=allowed,
                fix="begin inside of the tensor",
            )


def set_validshape(args: Arguments) -> Value:
    """`pl.set_validshape(tile or group, [rows, cols])`."""
    target = args.value("tile")
    if not isinstance(target, Group):
        target = args.tile("tile")
    shape = args.integers("shape")
    if len(shape) != 2:
        args.fail(
            "shape",
            "G025",
            "shape must be [rows, cols]",
            found=f"{len(shape)} numbers",
            allowed="2 numbers",
            fix="write [rows, cols]",
        )
    static = target.type.valid_shape
    for item, limit, fixed, word in zip(shape, target.type.rows_cols, static, ("rows", "cols"), strict=False):
        if isinstance(item, Const) and not 1 <= item.value <= limit:
            args.fail(
                "shape",
                "G025",
                f"valid {word} out of range",
                found=str(item.value),
                allowed=f"1 to {limit}",
                fix=f"write a number from 1 to {limit}",
            )
        if fixed >= 0 and item != Const(fixed):
            what = f"valid_shape of the TileType fixes the {word}"
            args.fail(
                "shape", "G025", what, found=str(fixed), allowed="-1 in the TileType", fix="write valid_shape=[-1, -1]"
            )
    node = args.node_of("shape")
    rows, cols = (scalars.to_cx(args.state, node, item, INT) for item in shape)
    cx = cpp.var(target.var) if isinstance(target, Group) else target.cx
    args.state.emit(cpp.Do(args.call(cx, rows, cols)))
    return Const(None)
