from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class LeakyScaleTiling:
    total: int
    alpha: float


class LeakyScaleKey:
    tail = TilingKeyField(bits=1, values=[0, 1])
    tile = TilingKeyField(bits=2, values=[64, 128, 256])

    def is_valid(self, key):
        tail, tile = key
        return tail == 0 or tile != 256


@pl.jit(tiling_key=LeakyScaleKey, datatype={"x": "io_t", "y": "io_t"})
def leaky_scale(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: LeakyScaleTiling,
):
    tile_type = pl.TileType(
        shape=[1, tile], dtype=io_t, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1], compact=1
    )
    tile_x = pl.make_tile(tile_type, addr=0x0000, size=1024)
    tile_y = pl.make_tile(tile_type, addr=0x4000, size=1024)
    tensor_x = pl.make_tensor(x, [1, tiling.total], [tiling.total, 1], dtype=io_t)
    tensor_y = pl.make_tensor(y, [1, tiling.total], [tiling.total, 1], dtype=io_t)
    with pl.section_vector():
        for start in pl.range(0, tiling.total, tile):
            if tail == 1:
                count = pl.min(tile, tiling.total - start)
                pl.set_validshape(tile_x, [1, count])
                pl.set_validshape(tile_y, [1, count])
            else:
                pl.set_validshape(tile_x, [1, tile])
                pl.set_validshape(tile_y, [1, tile])
            pl.load(tile_x, tensor_x, [0, start])
            pl.mul(tile_y, tile_x, tiling.alpha)
            pl.store(tensor_y, tile_y, [0, start])
