from __future__ import annotations

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class PlainCopyTiling:
    marks: bool[3]
    total: int
    weights: float[20]
    last: bool


class PlainCopyKey:
    tile = TilingKeyField(bits=1, values=[64, 128])


@pl.jit(tiling_key=PlainCopyKey)
def plain_copy(
    x: pl.Ptr[pl.DT_FP32],
    y: pl.Ptr[pl.DT_FP32],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: PlainCopyTiling,
):
    tile_type = pl.TileType(
        shape=[1, tile], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1], compact=1
    )
    copied = pl.make_tile(tile_type, addr=0x0000, size=512)
    tensor_x = pl.make_tensor(x, [1, tiling.total], [tiling.total, 1], dtype=pl.DT_FP32)
    tensor_y = pl.make_tensor(y, [1, tiling.total], [tiling.total, 1], dtype=pl.DT_FP32)
    with pl.section_vector():
        for start in pl.range(0, tiling.total, tile):
            pl.set_validshape(copied, [1, pl.min(tile, tiling.total - start)])
            pl.load(copied, tensor_x, [0, start])
            pl.store(tensor_y, copied, [0, start])
