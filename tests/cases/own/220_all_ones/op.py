from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    f0 = TilingKeyField(bits=1, values=[0, 1])
    f1 = TilingKeyField(bits=1, values=[0, 1])
    f2 = TilingKeyField(bits=1, values=[0, 1])
    f3 = TilingKeyField(bits=1, values=[0, 1])
    f4 = TilingKeyField(bits=1, values=[0, 1])
    f5 = TilingKeyField(bits=1, values=[0, 1])
    f6 = TilingKeyField(bits=1, values=[0, 1])
    f7 = TilingKeyField(bits=1, values=[0, 1])
    f8 = TilingKeyField(bits=1, values=[0, 1])
    f9 = TilingKeyField(bits=1, values=[0, 1])
    f10 = TilingKeyField(bits=1, values=[0, 1])
    f11 = TilingKeyField(bits=1, values=[0, 1])
    f12 = TilingKeyField(bits=1, values=[0, 1])
    f13 = TilingKeyField(bits=1, values=[0, 1])
    f14 = TilingKeyField(bits=1, values=[0, 1])
    f15 = TilingKeyField(bits=1, values=[0, 1])
    f16 = TilingKeyField(bits=1, values=[0, 1])
    f17 = TilingKeyField(bits=1, values=[0, 1])
    f18 = TilingKeyField(bits=1, values=[0, 1])
    f19 = TilingKeyField(bits=1, values=[0, 1])
    f20 = TilingKeyField(bits=1, values=[0, 1])
    f21 = TilingKeyField(bits=1, values=[0, 1])
    f22 = TilingKeyField(bits=1, values=[0, 1])
    f23 = TilingKeyField(bits=1, values=[0, 1])
    f24 = TilingKeyField(bits=1, values=[0, 1])
    f25 = TilingKeyField(bits=1, values=[0, 1])
    f26 = TilingKeyField(bits=1, values=[0, 1])
    f27 = TilingKeyField(bits=1, values=[0, 1])
    f28 = TilingKeyField(bits=1, values=[0, 1])
    f29 = TilingKeyField(bits=1, values=[0, 1])
    f30 = TilingKeyField(bits=1, values=[0, 1])
    f31 = TilingKeyField(bits=1, values=[0, 1])
    f32 = TilingKeyField(bits=1, values=[0, 1])
    f33 = TilingKeyField(bits=1, values=[0, 1])
    f34 = TilingKeyField(bits=1, values=[0, 1])
    f35 = TilingKeyField(bits=1, values=[0, 1])
    f36 = TilingKeyField(bits=1, values=[0, 1])
    f37 = TilingKeyField(bits=1, values=[0, 1])
    f38 = TilingKeyField(bits=1, values=[0, 1])
    f39 = TilingKeyField(bits=1, values=[0, 1])
    f40 = TilingKeyField(bits=1, values=[0, 1])
    f41 = TilingKeyField(bits=1, values=[0, 1])
    f42 = TilingKeyField(bits=1, values=[0, 1])
    f43 = TilingKeyField(bits=1, values=[0, 1])
    f44 = TilingKeyField(bits=1, values=[0, 1])
    f45 = TilingKeyField(bits=1, values=[0, 1])
    f46 = TilingKeyField(bits=1, values=[0, 1])
    f47 = TilingKeyField(bits=1, values=[0, 1])
    f48 = TilingKeyField(bits=1, values=[0, 1])
    f49 = TilingKeyField(bits=1, values=[0, 1])
    f50 = TilingKeyField(bits=1, values=[0, 1])
    f51 = TilingKeyField(bits=1, values=[0, 1])
    f52 = TilingKeyField(bits=1, values=[0, 1])
    f53 = TilingKeyField(bits=1, values=[0, 1])
    f54 = TilingKeyField(bits=1, values=[0, 1])
    f55 = TilingKeyField(bits=1, values=[0, 1])
    f56 = TilingKeyField(bits=1, values=[0, 1])
    f57 = TilingKeyField(bits=1, values=[0, 1])
    f58 = TilingKeyField(bits=1, values=[0, 1])
    f59 = TilingKeyField(bits=1, values=[0, 1])
    f60 = TilingKeyField(bits=1, values=[0, 1])
    f61 = TilingKeyField(bits=1, values=[0, 1])
    f62 = TilingKeyField(bits=1, values=[0, 1])
    f63 = TilingKeyField(bits=1, values=[0, 1])

    def is_valid(self, key):
        return all(key) or not any(key)


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
