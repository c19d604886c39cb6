"""z = x + y, element by element, for any length: the data in tiles, dealt out to the blocks in turn."""

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

TILE = 4096  # elements of the largest tile
SLOT = TILE * 4  # bytes kept for one tile of the widest type; six of them fit into the unified buffer
STEP = 64  # tile lengths are multiples of it, so that rows begin at aligned addresses

SINGLE = 0
DOUBLE = 1


@dataclass
class AddExampleTilingData:
    total_length: int  # elements of x, y and z
    tile_num: int  # tiles in which a block takes its share; more of them if they would be longer than TILE


class AddExampleTilingKey:
    sch_mode = TilingKeyField(bits=1, values=[SINGLE, DOUBLE])


def ceil_div(dividend, divisor):
    """Quotient, rounded up."""
    return (dividend + divisor - 1) // divisor


def add_tile(x_tile, y_tile, z_tile, x_tensor, y_tensor, z_tensor, start, count):
    """Adds `count` elements from `start`."""
    pl.set_validshape(x_tile, [1, count])
    pl.set_validshape(y_tile, [1, count])
    pl.set_validshape(z_tile, [1, count])
    pl.load(x_tile, x_tensor, [0, start])
    pl.load(y_tile, y_tensor, [0, start])
    pl.add(z_tile, x_tile, y_tile)
    pl.store(z_tensor, z_tile, [0, start])


@pl.jit(
    auto_mutex=True,
    tiling_key=AddExampleTilingKey,
    datatype={
        "x": "data_dtype",
        "y": "data_dtype",
        "z": "data_dtype",
    },
)
def add_example(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    z: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: AddExampleTilingData,
):
    total = tiling.total_length
    x_tensor = pl.make_tensor(x, [1, total], [total, 1], dtype=data_dtype)
    y_tensor = pl.make_tensor(y, [1, total], [total, 1], dtype=data_dtype)
    z_tensor = pl.make_tensor(z, [1, total], [total, 1], dtype=data_dtype)
    tile_type = pl.TileType(
        shape=[1, TILE], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1], compact=1
    )
    if sch_mode == SINGLE:
        x_tiles = pl.make_tile_group(type=tile_type, addrs=[0], mutex_ids=[0])
        y_tiles = pl.make_tile_group(type=tile_type, addrs=[SLOT], mutex_ids=[1])
        z_tiles = pl.make_tile_group(type=tile_type, addrs=[2 * SLOT], mutex_ids=[2])
    else:
        x_tiles = pl.make_tile_group(type=tile_type, addrs=[0, SLOT], mutex_ids=[0, 1])
        y_tiles = pl.make_tile_group(type=tile_type, addrs=[2 * SLOT, 3 * SLOT], mutex_ids=[2, 3])
        z_tiles = pl.make_tile_group(type=tile_type, addrs=[4 * SLOT, 5 * SLOT], mutex_ids=[4, 5])
    with pl.section_vector():
        block_num = pl.get_block_num()
        share = ceil_div(total, block_num)
        length = pl.min(TILE, ceil_div(pl.max(share, 1), tiling.tile_num * STEP) * STEP)
        for index in pl.range(pl.get_block_idx(), ceil_div(total, length), block_num):
            start = index * length
            count = pl.min(length, total - start)
            if sch_mode == SINGLE:
                x_tile = x_tiles.current()
                y_tile = y_tiles.current()
                z_tile = z_tiles.current()
            else:
                # The next tiles can be loaded while these are added.
                x_tile = x_tiles.next()
                y_tile = y_tiles.next()
                z_tile = z_tiles.next()
            add_tile(x_tile, y_tile, z_tile, x_tensor, y_tensor, z_tensor, start, count)
