"""C++ types of values, and the aliases of tile types."""

from __future__ import annotations

from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import CTYPES, ZEROS, Group, Ptr, Scalar, Tensor, Tile, TileType, Value

_SPACES = {"Vec": "vec", "Mat": "mat", "Left": "left", "Right": "right", "Acc": "acc"}


def tile_alias(state: State, tile: TileType) -> str:
    """The alias of a tile type in the text, named by its content; registers its definition."""
    rows, cols = tile.rows_cols
    space = _SPACES[tile.memory]
    name = f"{tile.memory}_{tile.dtype.pl}_{rows}x{cols}"
    if tile.valid_shape != (-1, -1):
        name += "_valid_" + "x".join("any" if dim < 0 else str(dim) for dim in tile.valid_shape)
    name += f"_compact{tile.compact}" if tile.compact else ""
    name += f"_pad_{tile.pad}" if tile.pad != "null" else ""
    valid = ", ".join(str(dim) for dim in tile.valid_shape)
    definition = f"{tile.dtype.cpp}, {rows}, {cols}, pt::space::{space}, {valid}, {tile.compact}, pt::pad::{tile.pad}"
    state.aliases[name] = f"pt::TileType<{definition}>"
    return name


def tile_ctype(state: State, tile: TileType) -> str:
    """The type of a tile handle."""
    return f"pt::Tile<{tile_alias(state, tile)}>"


def group_ctype(state: State, tile: TileType, count: int) -> str:
    """The type of a tile group."""
    return f"pt::TileGroup<{tile_alias(state, tile)}, {count}>"


def ctype_of(state: State, value: Value) -> tuple[str, str]:
    """(type, neutral initial value) of a variable that holds `value`; ("", "") for what lives in no variable."""
    if isinstance(value, Scalar):
        return CTYPES[value.kind], ZEROS[value.kind]
    if isinstance(value, Tile):
        return tile_ctype(state, value.type), "{}"
    if isinstance(value, Tensor):
        return f"pt::Tensor<{value.dtype.cpp}, {len(value.shape)}>", "{}"
    if isinstance(value, Ptr):
        return f"pt::Ptr<{value.dtype.cpp}>", "{}"
    if isinstance(value, Group):
        return group_ctype(state, value.type, value.count), "{}"
    return "", ""
