from dataclasses import dataclass

import pypto_pro.language as whatever
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@whatever.jit(tiling_key=OpKey)
def op(x: whatever.Ptr[whatever.DT_FP16], y: whatever.Ptr[whatever.DT_FP16], workspace: whatever.Ptr[whatever.DT_UINT8], tiling: OpTiling):
    with whatever.section_vector():
        for i in whatever.range(0, tiling.total, 128):
            n = i + 128
