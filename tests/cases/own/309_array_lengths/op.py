from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

N = 4


@dataclass
class OpTiling:
    total: int
    f0: "int[0]"
    f1: "int[-1]"
    f2: "int[2049]"
    f3: "int[True]"
    f4: "int[2.0]"
    f5: "int[N]"
    f6: "int[+4]"
    f7: "int[4,]"
    f8: "int[1:2]"
    f9: "int['4']"
    f10: "int[2 * 2]"
    f11: "int[]"


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
