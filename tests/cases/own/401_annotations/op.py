from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField
from typing import Annotated, Optional
import torch

TorchTensor = torch.Tensor


@dataclass
class OpTiling:
    total: int


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(p0: pl.Ptr, p1: pl.Ptr[int], p2: pl.Ptr[[pl.DT_FP16]], p3: pl.Ptr['fp16'], p4: pl.Ptr[pl.DT_FP16, 3], p5: pl.Tile, p6: Optional[pl.Ptr[pl.DT_FP16]], p7: Annotated[pl.Ptr[pl.DT_FP16], 1], p8: TorchTensor, p9: None, p10: 3, p11: str, p12: list, p13: 'Missing', p14: 'pl.Ptr[pl.DT_FP61]', p15: '1 +', x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    pass
