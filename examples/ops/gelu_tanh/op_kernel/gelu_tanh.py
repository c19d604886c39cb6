"""GELU by two approximations, in FP32 whatever the data type.

approx TANH:    y = 0.5 x (1 + tanh(u)), u = scale (x + cubic x^3)
approx SIGMOID: y = x / (1 + exp(-slope x))
"""

from __future__ import annotations

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

TANH = 0
SIGMOID = 1


@dataclass
class GeluTanhTiling:
    shape: int[4]  # dimensions of x and y, leading ones 1
    tanh_scale: float[2]  # scale and cubic: sqrt(2 / pi) and 0.044715
    slope: float  # 1.702


class GeluTanhKey:
    approx = TilingKeyField(bits=1, values=[TANH, SIGMOID])
    tile = TilingKeyField(bits=3, values=[256, 512, 1024, 2048, 4096, 8192])

    def is_valid(self, key):
        approx, tile = key
        # TANH needs a seventh buffer, which the largest tile leaves no room for.
        return approx == SIGMOID or tile < 8192


def tanh(out, u, work):
    """out = tanh(u) = 1 - 2 / (exp(2 u) + 1), finite for any u; `u` and `work` are overwritten."""
    pl.mul(u, u, 2.0)
    pl.exp(u, u)
    pl.add(work, u, 1.0)
    pl.recip(u, work)
    pl.mul(u, u, -2.0)
    pl.add(out, u, 1.0)


def gelu_by_tanh(out, x, u, work, scale, cubic):
    """out = 0.5 x (1 + tanh(scale (x + cubic x^3)))."""
    pl.mul(u, x, x)
    pl.mul(u, u, cubic)
    pl.add(u, u, 1.0)
    pl.mul(u, u, x)
    pl.mul(u, u, scale)
    tanh(work, u, work)
    pl.add(work, work, 1.0)
    pl.mul(work, work, x)
    pl.mul(out, work, 0.5)


def gelu_by_sigmoid(out, x, u, slope):
    """out = x / (1 + exp(-slope x))."""
    pl.mul(u, x, -slope)
    pl.exp(u, u)
    pl.add(u, u, 1.0)
    pl.div(out, x, u)


@pl.jit(auto_mutex=True, tiling_key=GeluTanhKey, datatype={"x": "data_dtype", "y": "data_dtype"})
def gelu_tanh(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: GeluTanhTiling,
):
    total = tiling.shape[0] * tiling.shape[1] * tiling.shape[2] * tiling.shape[3]
    x_tensor = pl.make_tensor(x, [1, total], [total, 1], dtype=data_dtype)
    y_tensor = pl.make_tensor(y, [1, total], [total, 1], dtype=data_dtype)
    data_type = pl.TileType(shape=[1, tile], dtype=data_dtype, valid_shape=[-1, -1], compact=1)
    work_type = pl.TileType(shape=[1, tile], dtype=pl.DT_FP32, valid_shape=[-1, -1], compact=1)
    slot = tile * 4
    x_tiles = pl.make_tile_group(type=data_type, addrs=[0, slot], mutex_ids=[0, 1])
    y_tiles = pl.make_tile_group(type=data_type, addrs=[2 * slot, 3 * slot], mutex_ids=[2, 3])
    wide_group = pl.make_tile_group(type=work_type, addrs=[4 * slot], mutex_ids=[4])
    u_group = pl.make_tile_group(type=work_type, addrs=[5 * slot], mutex_ids=[5])
    if approx == TANH:
        work_group = pl.make_tile_group(type=work_type, addrs=[6 * slot], mutex_ids=[6])
    with pl.section_vector():
        tiles = (total + tile - 1) // tile
        for index in pl.range(pl.get_block_idx(), tiles, pl.get_block_num()):
            start = index * tile
            count = pl.min(tile, total - start)
            x_tile = x_tiles.next()
            y_tile = y_tiles.next()
            wide = wide_group.current()
            u = u_group.current()
            pl.set_validshape(x_tile, [1, count])
            pl.set_validshape(y_tile, [1, count])
            pl.set_validshape(wide, [1, count])
            pl.set_validshape(u, [1, count])
            pl.load(x_tile, x_tensor, [0, start])
            if data_dtype == pl.DT_FP32:
                pl.add(wide, x_tile, 0.0)
            else:
                pl.cast(wide, x_tile, mode=pl.RoundMode.CAST_NONE)
            if approx == TANH:
                work = work_group.current()
                pl.set_validshape(work, [1, count])
                gelu_by_tanh(wide, wide, u, work, tiling.tanh_scale[0], tiling.tanh_scale[1])
            else:
                gelu_by_sigmoid(wide, wide, u, tiling.slope)
            if data_dtype == pl.DT_FP32:
                pl.add(y_tile, wide, 0.0)
            else:
                pl.cast(y_tile, wide, mode=pl.RoundMode.CAST_RINT)
            pl.store(y_tensor, y_tile, [0, start])
