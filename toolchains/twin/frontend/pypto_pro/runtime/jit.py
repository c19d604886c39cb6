"""`pypto_pro.runtime.jit`: the `jit` decorator by its full path."""

from pypto_pro._functions import jit as jit

__all__ = ["jit"]
