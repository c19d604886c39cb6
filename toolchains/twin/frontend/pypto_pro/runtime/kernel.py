"""`@pl.kernel` and `KernelDef`, the older way to declare a kernel; the offline flow takes `@pl.jit` only."""

from pypto_pro._functions import HelperFunction as KernelDef
from pypto_pro._functions import helper

kernel = helper("kernel")

__all__ = ["KernelDef", "kernel"]
