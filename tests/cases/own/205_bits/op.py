from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    f0 = TilingKeyField(bits=0, values=[0])
    f1 = TilingKeyField(bits=-3, values=[0])
    f2 = TilingKeyField(bits=True, values=[0])
    f3 = TilingKeyField(bits=2.0, values=[0])
    f4 = TilingKeyField(bits='2', values=[0])
    f5 = TilingKeyField(bits=None, values=[0])
    f6 = TilingKeyField(bits=65, values=[0])


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
