from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

TILE = 128


@dataclass
class Base:
    base_field: int


@dataclass
class OpTiling(Base):
    total: int
    name: str
    table: "int[4096]"
    new: int
    total: float


class OpKey:
    mode = TilingKeyField(bits=0, values=[0, 1])
    axis = TilingKeyField(bits=2, values=[-1, 0, 1])
    TILE = TilingKeyField(bits=1, values=[0, 1])
    union = TilingKeyField(bits=1, values=[0, 1])

    def is_valid(self, mode, axis):
        return True


@pl.jit(tiling_key=OpKey, archs="a2", datatype={"q": "t", "x": "y"})
def op_kernel(
    x: pl.Ptr[pl.DT_FP16],
    y: pl.Ptr[pl.DT_FP16],
    count: int,
    shape: pl.Tensor[[pl.DYNAMIC], pl.DT_INT64],
    tiling: OpTiling,
):
    pass
