import enum
from dataclasses import KW_ONLY, InitVar
from typing import ClassVar, Optional

import numpy as np
from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


class Kind(enum.Enum):
    A = 1


@dataclass
class Inner:
    x: int


@dataclass
class OpTiling:
    total: int
    a: str
    b: Optional[int]
    c: list[int]
    d: Kind
    e: Inner
    f: np.int32
    g: pl.DT_INT32
    h: 'int | None'
    i: None
    j: 'int[2][2]'
    kk: 'str[4]'
    m: ""
    n: complex
    o: 'uint32_t'
    p: ClassVar[int]
    q: InitVar[int]
    r: tuple[int, int]
    s: 'int['
    _: KW_ONLY
    z: int


class OpKey:
    mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=OpKey)
def op(x: pl.Ptr[pl.DT_FP16], y: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], tiling: OpTiling):
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            n = i + 128
