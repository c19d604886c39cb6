import enum
from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


class Tile(enum.IntEnum):
    SMALL = 64
    BIG = 128


@dataclass
class OpTiling:
    total: int


class OpKey:
    a = TilingKeyField(bits=2, values=range(1, 8, 2))
    b = TilingKeyField(bits=1, values=(3, 5))
    c = TilingKeyField(bits=4, values=list(Tile))


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
