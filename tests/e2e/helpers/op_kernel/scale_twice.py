from dataclasses import dataclass

import pypto_pro.language as pl
from beside import ROWS
from imported import scale
from pypto_pro.runtime.tilingkey import TilingKeyField

from tests.e2e.helpers.lib.rooted import TILE


@dataclass
class ScaleTwiceTiling:
    total: int
    factor: float


class ScaleTwiceKey:
    twice = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=ScaleTwiceKey)
def scale_twice(
    x: pl.Ptr[pl.DT_FP32],
    y: pl.Ptr[pl.DT_FP32],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: ScaleTwiceTiling,
):
    tile_type = pl.TileType(shape=[ROWS, TILE], dtype=pl.DT_FP32, valid_shape=[-1, -1], compact=1)
    tile = pl.make_tile(tile_type, addr=0, size=256)
    x_tensor = pl.make_tensor(x, [ROWS, tiling.total], [tiling.total, 1])
    y_tensor = pl.make_tensor(y, [ROWS, tiling.total], [tiling.total, 1])
    with pl.section_vector():
        for start in pl.range(0, tiling.total, TILE):
            pl.set_validshape(tile, [ROWS, pl.min(TILE, tiling.total - start)])
            pl.load(tile, x_tensor, [0, start])
            scale(tile, tiling.factor)
            if twice == 1:
                scale(tile, tiling.factor)
            pl.store(y_tensor, tile, [0, start])
