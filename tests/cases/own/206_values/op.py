from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    f0 = TilingKeyField(bits=2, values=[])
    f1 = TilingKeyField(bits=2, values=())
    f2 = TilingKeyField(bits=2, values=None)
    f3 = TilingKeyField(bits=2, values=3)
    f4 = TilingKeyField(bits=2, values='01')
    f5 = TilingKeyField(bits=2, values={0, 1})
    f6 = TilingKeyField(bits=2, values={0: 1})
    f7 = TilingKeyField(bits=2, values=(i for i in [0]))
    f8 = TilingKeyField(bits=2, values=range(10**12))


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
