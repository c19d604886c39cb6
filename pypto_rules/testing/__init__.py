"""Calls built kernels from tests: numpy arrays in, numpy arrays out, on the CPU twin."""

from pypto_rules.testing.errors import KernelCallError, KernelRuleError
from pypto_rules.testing.kernel import Kernel, load_kernel, open_kernel

__all__ = ["Kernel", "KernelCallError", "KernelRuleError", "load_kernel", "open_kernel"]
