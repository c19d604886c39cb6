from dataclasses import dataclass as data

from pypto_pro.language import DT_FP16, DT_UINT8, Ptr, jit
from pypto_pro.runtime.tilingkey import TilingKeyField as Field


@data
class OpTiling:
    total: int


class OpKey:
    mode = Field(bits=1, values=[0, 1])


@jit(tiling_key=OpKey)
def op(x: Ptr[DT_FP16], y: Ptr[DT_FP16], workspace: Ptr[DT_UINT8], tiling: OpTiling):
    n = tiling.total
