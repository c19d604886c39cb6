"""y = x * w, or x / w, element by element; w may have another dtype than x and y."""

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

MULTIPLY = 0
DIVIDE = 1


@dataclass
class ScaleByTiling:
    total: int


class ScaleByKey:
    operation = TilingKeyField(bits=1, values=[MULTIPLY, DIVIDE])
    tile = TilingKeyField(bits=2, values=[256, 1024, 4096])

    def is_valid(self, key):
        operation, tile = key
        return operation == MULTIPLY or tile != 4096  # a division works in smaller tiles


def widen(wide, source, dtype):
    """The tile's elements as floats."""
    if dtype == pl.DT_FP32:
        pl.add(wide, source, 0.0)
    else:
        pl.cast(wide, source, mode=pl.RoundMode.CAST_NONE)


@pl.jit(
    auto_mutex=True,
    tiling_key=ScaleByKey,
    datatype={"x": "x_dtype", "w": "w_dtype", "y": "x_dtype"},
)
def scale_by(
    x: pl.Ptr[pl.DT_UINT8],
    w: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: ScaleByTiling,
):
    total = tiling.total
    slot = tile * 4
    x_tensor = pl.make_tensor(x, [1, total], [total, 1], dtype=x_dtype)
    w_tensor = pl.make_tensor(w, [1, total], [total, 1], dtype=w_dtype)
    y_tensor = pl.make_tensor(y, [1, total], [total, 1], dtype=x_dtype)
    x_type = pl.TileType(shape=[1, tile], dtype=x_dtype, valid_shape=[-1, -1], compact=1)
    w_type = pl.TileType(shape=[1, tile], dtype=w_dtype, valid_shape=[-1, -1], compact=1)
    wide_type = pl.TileType(shape=[1, tile], dtype=pl.DT_FP32, valid_shape=[-1, -1], compact=1)
    x_tiles = pl.make_tile_group(type=x_type, addrs=[0], mutex_ids=[0])
    w_tiles = pl.make_tile_group(type=w_type, addrs=[slot], mutex_ids=[1])
    y_tiles = pl.make_tile_group(type=x_type, addrs=[2 * slot], mutex_ids=[2])
    left_tiles = pl.make_tile_group(type=wide_type, addrs=[3 * slot], mutex_ids=[3])
    right_tiles = pl.make_tile_group(type=wide_type, addrs=[4 * slot], mutex_ids=[4])
    with pl.section_vector():
        for index in pl.range(pl.get_block_idx(), (total + tile - 1) // tile, pl.get_block_num()):
            start = index * tile
            count = pl.min(tile, total - start)
            x_tile = x_tiles.current()
            w_tile = w_tiles.current()
            y_tile = y_tiles.current()
            left = left_tiles.current()
            right = right_tiles.current()
            pl.set_validshape(x_tile, [1, count])
            pl.set_validshape(w_tile, [1, count])
            pl.set_validshape(y_tile, [1, count])
            pl.set_validshape(left, [1, count])
            pl.set_validshape(right, [1, count])
            pl.load(x_tile, x_tensor, [0, start])
            pl.load(w_tile, w_tensor, [0, start])
            widen(left, x_tile, x_dtype)
            widen(right, w_tile, w_dtype)
            if operation == MULTIPLY:
                pl.mul(left, left, right)
            else:
                pl.div(left, left, right)
            if x_dtype == pl.DT_FP32:
                pl.add(y_tile, left, 0.0)
            else:
                pl.cast(y_tile, left, mode=pl.RoundMode.CAST_RINT)
            pl.store(y_tensor, y_tile, [0, start])
