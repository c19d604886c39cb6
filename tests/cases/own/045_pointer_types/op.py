from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(p0: pl.Ptr[pl.DT_BOOL], p1: pl.Ptr[pl.DT_INT8], p2: pl.Ptr[pl.DT_INT16], p3: pl.Ptr[pl.DT_INT32], p4: pl.Ptr[pl.DT_INT64], p5: pl.Ptr[pl.DT_UINT8], p6: pl.Ptr[pl.DT_UINT16], p7: pl.Ptr[pl.DT_UINT32], p8: pl.Ptr[pl.DT_UINT64], p9: pl.Ptr[pl.DT_FP16], p10: pl.Ptr[pl.DT_FP32], p11: pl.Ptr[pl.DT_BF16], p12: pl.Ptr[pl.DT_HF8], p13: pl.Ptr[pl.DT_FP8E4M3FN], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    pass
