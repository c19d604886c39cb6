from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

WIDE = (2, 3)


def fits(a, b):
    return a + b < 4


@dataclass
class OpTiling:
    total: int


class OpKey:
    a = TilingKeyField(bits=1, values=[0, 1])
    b = TilingKeyField(bits=2, values=[1, 2, 3])
    
    def is_valid(self, key):
        a, b = key
        return self.wide(b) and fits(a, b)
    
    def wide(self, b):
        return b in WIDE


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
