from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(t0: pl.Tensor[[pl.DYNAMIC], pl.DT_FP16], t1: pl.Tensor[[64, pl.DYNAMIC], pl.DT_FP16], t2: pl.Tensor[[pl.STATIC, 8], pl.DT_FP16], t3: pl.Tensor[[], pl.DT_FP16], t4: pl.Tensor[[0], pl.DT_FP16], t5: pl.Tensor[[-1], pl.DT_FP16], t6: pl.Tensor[[True], pl.DT_FP16], t7: pl.Tensor[[2.0], pl.DT_FP16], t8: pl.Tensor[['N'], pl.DT_FP16], t9: pl.Tensor[8, pl.DT_FP16], t10: pl.Tensor[..., pl.DT_FP16], t11: pl.Tensor[[2**64], pl.DT_FP16], x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
