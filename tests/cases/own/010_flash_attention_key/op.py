from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class OpTiling:
    total: int


class OpKey:
    KernelTypeKey = TilingKeyField(bits=2, values=[0, 1])
    ImplMode = TilingKeyField(bits=2, values=[0, 1, 2])
    Layout = TilingKeyField(bits=4, values=[0, 1, 2, 3, 4])
    S1TemplateType = TilingKeyField(bits=10, values=[0, 16, 64, 128, 256])
    S2TemplateType = TilingKeyField(bits=10, values=[0, 16, 32, 64, 128, 256, 512])
    DTemplateType = TilingKeyField(bits=12, values=[0, 16, 32, 48, 64, 80, 96, 128, 160, 192, 256, 768])
    DvTemplateType = TilingKeyField(bits=12, values=[0, 16, 32, 48, 64, 80, 96, 128, 160, 192, 256, 768])
    PseMode = TilingKeyField(bits=4, values=[0, 1, 2, 3, 4, 9])
    HasAtten = TilingKeyField(bits=1, values=[0, 1])
    HasDrop = TilingKeyField(bits=1, values=[0, 1])
    HasRope = TilingKeyField(bits=1, values=[0, 1])
    OutDtype = TilingKeyField(bits=2, values=[0, 1, 2])
    Regbase = TilingKeyField(bits=1, values=[0, 1])
    OptionalDn = TilingKeyField(bits=1, values=[0, 1])
    
    def is_valid(self, key):
        (kernel_type, impl, layout, s1, s2, d, dv, pse, has_atten, drop, rope, out, regbase, dn) = key
        if kernel_type != 0 or impl != 0:
            return False
        if (s1, s2, d, dv) != (128, 128, 128, 128):
            return False
        return layout == 1 and pse == 9 and not drop and not rope and out == 0 and regbase == 1 and dn == 0


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
