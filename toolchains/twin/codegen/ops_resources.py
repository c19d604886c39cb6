"""`make_tile`, `make_tile_group`, `make_tensor`, `addptr`."""

from __future__ import annotations

from toolchains.twin.codegen import cpp, scalars
from toolchains.twin.codegen.cpp import Assign, Cx, Var
from toolchains.twin.codegen.ctypes_of import group_ctype, tile_alias
from toolchains.twin.codegen.operands import Arguments
from toolchains.twin.codegen.ops_tile_type import dtype_argument
from toolchains.twin.codegen.values import (
    INT,
    Const,
    Group,
    Ptr,
    Tensor,
    Tile,
    TileType,
    Value,
    describe,
    kind_of,
)
from toolchains.twin.runtime import socs

_LARGEST_GROUP = 32


# -- tiles ----------------------------------------------------------------------------------------------------------


def make_tile(args: Arguments) -> Value:
    """`pl.make_tile(tile_type, addr, size)`."""
    kind = _tile_type_of(args, "tile_type")
    for name in ("addr", "size"):
        if not args.has(name):
            fix = f"add {name}=, e.g. addr=0x0000, size={kind.bytes}"
            args.fail("tile_type", "G014", f"the twin places no tiles by itself; {name} is needed", fix=fix)
        _integer(args, name, args.value(name))
    addr, size = args.value("addr"), args.value("size")
    if isinstance(size, Const) and size.value < kind.bytes:
        allowed = f"{kind.bytes} or more"
        args.fail(
            "size",
            "G023",
            f"size is too small for a tile {kind!r}",
            found=str(size.value),
            allowed=allowed,
            fix=f"write size={kind.bytes}",
        )
    if isinstance(addr, Const):
        needed = size.value if isinstance(size, Const) else kind.bytes
        _check_range(args, "addr", kind, addr.value, needed)
    node = args.node_of("addr")
    operands = [scalars.to_cx(args.state, node, value, INT) for value in (addr, size)]
    call = cpp.call(f"pt::make_tile<{tile_alias(args.state, kind)}>", "block", args.site(), *operands)
    return Tile(call, kind)


def make_tile_group(args: Arguments) -> Value:
    """`pl.make_tile_group(type, addrs, mutex_ids, depth)`; mutex ids matter to the device only."""
    args.refuse("fwd_ids", "bwd_ids")
    kind = _tile_type_of(args, "type")
    if args.state.depth:
        args.fail("type", "G042", "a tile group made in a loop or run-time branch", fix="make it before the section")
    count = _depth(args)
    addrs = args.value("addrs")
    operand = _base_address(args, kind, addrs, count) if kind_of(addrs) == INT else _address_list(args, kind, count)
    function = f"pt::make_tile_group<{tile_alias(args.state, kind)}, {count}>"
    variable = Var("group", group_ctype(args.state, kind, count), "{}")
    args.state.emit(Assign(variable, cpp.call(function, "block", args.site(), operand)))
    return Group(variable, kind, count)


def _base_address(args: Arguments, kind: TileType, addrs: Value, count: int) -> Cx:
    if isinstance(addrs, Const):
        _check_range(args, "addrs", kind, addrs.value, kind.bytes * count)
    return scalars.to_cx(args.state, args.node_of("addrs"), addrs, INT, typed=True)


def _address_list(args: Arguments, kind: TileType, count: int) -> Cx:
    items = args.integers("addrs")
    if len(items) != count:
        args.fail(
            "addrs",
            "G014",
            "addrs must give one address per tile",
            found=f"{len(items)} for {count} tiles",
            allowed=str(count),
            fix=f"write {count} addresses, or one for all",
        )
    for item in items:
        if isinstance(item, Const):
            _check_range(args, "addrs", kind, item.value, kind.bytes)
    return Cx((f"pt::Dims<{count}>", args.braces("addrs", items)))


def _depth(args: Arguments) -> int:
    ids = args.constant("mutex_ids", "mutex_ids") if args.has("mutex_ids") else ()
    if not isinstance(ids, (tuple, list)):
        args.fail(
            "mutex_ids",
            "G015",
            "mutex_ids must be a list",
            found=repr(ids),
            allowed="e.g. [0, 1]",
            fix="write e.g. mutex_ids=[0, 1]",
        )
    assert isinstance(ids, (tuple, list))
    for one in ids:
        inner = one if isinstance(one, (tuple, list)) else (one,)
        if not inner or not all(isinstance(i, int) and 0 <= i <= 31 for i in inner) or len(set(inner)) != len(inner):
            args.fail(
                "mutex_ids",
                "G015",
                "mutex ids out of range",
                found=repr(list(ids)),
                allowed="different integers from 0 to 31",
                fix="write e.g. mutex_ids=[0, 1]",
            )
    depth = args.constant("depth", "depth") if args.has("depth") else (len(ids) or None)
    if depth is None:
        args.fail(
            "type", "G014", "the number of tiles is not given", allowed="mutex_ids or depth", fix="add mutex_ids=[0, 1]"
        )
    if not isinstance(depth, int) or not 1 <= depth <= _LARGEST_GROUP or (ids and depth != len(ids)):
        allowed = f"{len(ids)} (the number of mutex_ids)" if ids else f"1 to {_LARGEST_GROUP}"
        args.fail(
            "depth", "G015", "depth out of range", found=repr(depth), allowed=allowed, fix=f"write a depth of {allowed}"
        )
    return int(depth)  # type: ignore[arg-type]


def _tile_type_of(args: Arguments, parameter: str) -> TileType:
    value = args.value(parameter)
    if not isinstance(value, Const) or not isinstance(value.value, TileType):
        fix = "make one with pl.TileType(shape=[...], dtype=...)"
        args.fail(
            parameter,
            "G015",
            f"{parameter} must be a pl.TileType",
            found=describe(value),
            allowed="pl.TileType",
            fix=fix,
        )
    return value.value  # type: ignore[union-attr]


def _check_range(args: Arguments, parameter: str, kind: TileType, addr: int, size: int) -> None:
    space = kind.memory.lower()
    step, capacity = socs.ALIGNMENT[space], socs.CAPACITY[args.state.variant.soc][space]
    if addr < 0 or addr % step:
        fix = f"write {max(addr, 0) // step * step:#x}"
        args.fail(
            parameter, "G022", "address is not aligned", found=f"{addr:#x}", allowed=f"multiples of {step}", fix=fix
        )
    if addr + size > capacity:
        found = f"{addr:#x} + {size} = {addr + size} bytes"
        allowed = f"{capacity} bytes of {kind.memory} memory on {args.state.variant.soc}"
        args.fail(
            parameter,
            "G023",
            "the buffer does not fit",
            found=found,
            allowed=allowed,
            fix="use a smaller tile or a lower address",
        )


def _integer(args: Arguments, parameter: str, value: Value) -> None:
    if kind_of(value) != INT:
        args.fail(
            parameter,
            "G015",
            f"{parameter} must be an integer",
            found=describe(value),
            allowed="int",
            fix="give an integer",
        )


# -- global memory --------------------------------------------------------------------------------------------------


def make_tensor(args: Arguments) -> Value:
    """`pl.make_tensor(ptr or tensor, shape, stride=None, dtype=None)`."""
    source = args.value("ptr")
    if not isinstance(source, (Ptr, Tensor)):
        args.fail(
            "ptr",
            "G015",
            "ptr must be a pointer or a tensor",
            found=describe(source),
            allowed="a pl.Ptr parameter or a tensor",
            fix="pass one of these",
        )
    assert isinstance(source, (Ptr, Tensor))
    shape = args.integers("shape")
    stride = args.integers("stride") if args.has("stride") else None
    if not 1 <= len(shape) <= 8 or (stride is not None and len(stride) != len(shape)):
        found = f"{len(shape)} dimensions" + ("" if stride is None else f", {len(stride)} strides")
        args.fail(
            "shape",
            "G025",
            "shape and stride must have one length of 1 to 8",
            found=found,
            allowed="1 to 8 dimensions, as many strides",
            fix="give as many strides as dimensions",
        )
    _check_dims(args, shape, stride)
    dtype = dtype_argument(args) if args.has("dtype") else source.dtype
    pointer = Cx((cpp.paren(source.cx, cpp.PREC_ATOM), ".ptr()")) if isinstance(source, Tensor) else source.cx
    if dtype != source.dtype:
        pointer = cpp.call(f"pt::cast_ptr<{dtype.cpp}>", pointer)
    dims: list[Cx] = [args.braces("shape", shape)]
    dims += [] if stride is None else [args.braces("stride", stride)]
    call = cpp.call(f"pt::make_tensor<{len(shape)}>", "block", args.site(), pointer, *dims)
    return Tensor(call, dtype, tuple(_known(item) for item in shape))


def _known(item: Value) -> int | None:
    return int(item.value) if isinstance(item, Const) else None


def _check_dims(args: Arguments, shape: list[Value], stride: list[Value] | None) -> None:
    for parameter, items in (("shape", shape), ("stride", stride or [])):
        for item in items:
            if isinstance(item, Const) and item.value < 0:
                args.fail(
                    parameter,
                    "G025",
                    f"{parameter} must not be negative",
                    found=str(item.value),
                    allowed="0 or more",
                    fix="write 0 or more",
                )


def addptr(args: Arguments) -> Value:
    """`pl.addptr(ptr, offset)`, in elements."""
    source = args.value("ptr")
    if not isinstance(source, Ptr):
        args.fail(
            "ptr",
            "G015",
            "ptr must be a pointer",
            found=describe(source),
            allowed="a pl.Ptr parameter",
            fix="pass a pl.Ptr parameter; a tensor is moved with the offsets of pl.load",
        )
    assert isinstance(source, Ptr)
    _integer(args, "offset", args.value("offset"))
    offset = scalars.to_cx(args.state, args.node_of("offset"), args.value("offset"), INT)
    return Ptr(cpp.call("pt::addptr", "block", args.site(), source.cx, offset), source.dtype)
