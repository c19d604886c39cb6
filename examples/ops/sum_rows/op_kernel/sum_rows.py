"""y = scale * (sum of x over its rows) + bias. Long sums take two passes, with the partial sums in the workspace."""

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

TILE = 2048  # columns of a tile
SLOT = TILE * 4  # bytes kept for one tile of the widest type

ONE_PASS = 0
TWO_PASSES = 1


@dataclass
class SumRowsTiling:
    rows: int
    columns: int
    chunk_rows: int  # rows of a partial sum
    chunks: int  # partial sums
    scale: float


class SumRowsKey:
    passes = TilingKeyField(bits=1, values=[ONE_PASS, TWO_PASSES])
    has_bias = TilingKeyField(bits=1, values=[0, 1])


def widen(wide, tile):
    """The tile's elements as floats."""
    if data_dtype == pl.DT_FP32:
        pl.add(wide, tile, 0.0)
    else:
        pl.cast(wide, tile, mode=pl.RoundMode.CAST_NONE)


def add_rows(total, tile, wide, tensor, first, last, start):
    """Sets `total` to the sum of the rows from `first` to `last`."""
    pl.expands(total, 0.0)
    for row in pl.range(first, last):
        pl.load(tile, tensor, [row, start])
        widen(wide, tile)
        pl.add(total, total, wide)


@pl.jit(
    auto_mutex=True,
    tiling_key=SumRowsKey,
    datatype={"x": "data_dtype", "bias": "data_dtype", "y": "data_dtype"},
)
def sum_rows(
    x: pl.Ptr[pl.DT_UINT8],
    bias: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: SumRowsTiling,
):
    columns = tiling.columns
    x_tensor = pl.make_tensor(x, [tiling.rows, columns], [columns, 1], dtype=data_dtype)
    y_tensor = pl.make_tensor(y, [1, columns], [columns, 1], dtype=data_dtype)
    data_type = pl.TileType(shape=[1, TILE], dtype=data_dtype, valid_shape=[-1, -1], compact=1)
    wide_type = pl.TileType(shape=[1, TILE], dtype=pl.DT_FP32, valid_shape=[-1, -1], compact=1)
    tiles = pl.make_tile_group(type=data_type, addrs=[0], mutex_ids=[0])
    results = pl.make_tile_group(type=data_type, addrs=[SLOT], mutex_ids=[1])
    wides = pl.make_tile_group(type=wide_type, addrs=[2 * SLOT], mutex_ids=[2])
    totals = pl.make_tile_group(type=wide_type, addrs=[3 * SLOT], mutex_ids=[3])
    with pl.section_vector():
        # Every block has columns of its own, so that it reads no partial sum but those it has written.
        for index in pl.range(pl.get_block_idx(), (columns + TILE - 1) // TILE, pl.get_block_num()):
            start = index * TILE
            count = pl.min(TILE, columns - start)
            tile = tiles.current()
            result = results.current()
            wide = wides.current()
            total = totals.current()
            pl.set_validshape(tile, [1, count])
            pl.set_validshape(result, [1, count])
            pl.set_validshape(wide, [1, count])
            pl.set_validshape(total, [1, count])
            if passes == TWO_PASSES:
                partial = pl.make_tensor(workspace, [tiling.chunks, columns], [columns, 1], dtype=pl.DT_FP32)
                for chunk in pl.range(0, tiling.chunks):
                    first = chunk * tiling.chunk_rows
                    last = pl.min(first + tiling.chunk_rows, tiling.rows)
                    add_rows(total, tile, wide, x_tensor, first, last, start)
                    pl.store(partial, total, [chunk, start])
                pl.expands(total, 0.0)
                for chunk in pl.range(0, tiling.chunks):
                    pl.load(wide, partial, [chunk, start])
                    pl.add(total, total, wide)
            else:
                add_rows(total, tile, wide, x_tensor, 0, tiling.rows, start)
            pl.mul(total, total, tiling.scale)
            if has_bias == 1:
                bias_tensor = pl.make_tensor(bias, [1, columns], [columns, 1], dtype=data_dtype)
                pl.load(tile, bias_tensor, [0, start])
                widen(wide, tile)
                pl.add(total, total, wide)
            if data_dtype == pl.DT_FP32:
                pl.add(result, total, 0.0)
            else:
                pl.cast(result, total, mode=pl.RoundMode.CAST_RINT)
            pl.store(y_tensor, result, [0, start])
