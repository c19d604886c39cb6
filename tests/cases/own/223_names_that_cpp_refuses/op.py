from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    template = TilingKeyField(bits=1, values=[0, 1])
    co_await = TilingKeyField(bits=1, values=[0, 1])
    bitand = TilingKeyField(bits=1, values=[0, 1])
    _Mode = TilingKeyField(bits=1, values=[0, 1])
    a__b = TilingKeyField(bits=1, values=[0, 1])
    int64_t = TilingKeyField(bits=1, values=[0, 1])
    ASCENDC_TPL_1_BW = TilingKeyField(bits=1, values=[0, 1])
    INVALID_TILING_KEY = TilingKeyField(bits=1, values=[0, 1])
    GET_TPL_TILING_KEY = TilingKeyField(bits=1, values=[0, 1])
    linux = TilingKeyField(bits=1, values=[0, 1])
    EOF = TilingKeyField(bits=1, values=[0, 1])
    模式 = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
