"""`pypto_pro.runtime`: the decorators again, and the TilingKey schema in `tilingkey`."""

from pypto_pro._functions import jit as jit
from pypto_pro.runtime import pipeline as pipeline
from pypto_pro.runtime.kernel import KernelDef as KernelDef
from pypto_pro.runtime.kernel import kernel as kernel

__all__ = ["KernelDef", "jit", "kernel", "pipeline"]
