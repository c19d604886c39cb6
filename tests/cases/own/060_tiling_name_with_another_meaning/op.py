from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    n = tiling.total
    for i in pl.range(0, n, 1):
        with pl.section_vector() as tiling:
            m = tiling.anything
