from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int
    new: int
    char8_t: int
    xor_eq: int
    _Count: int
    a__b: int
    int64_t: int
    half: int
    NULL: int
    EIO: int
    INT64_MAX: int
    linux: int
    unix: int
    stdin: int
    M_PI: int
    SEEK_SET: int
    END_TILING_DATA_DEF: int
    INVALID_TILING_KEY: int
    ASCENDC_TPL_MAX: int
    数量: int
    __private: int


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
