"""Calls built kernels and operators from tests: numpy arrays in, numpy arrays out, on the CPU twin.

What the CANN backend built runs on an NPU alone: such a test stops with the flag that builds it for the twin.
"""

from pypto_rules.testing.errors import HostSideError, KernelCallError, KernelRuleError
from pypto_rules.testing.kernel import Kernel, load_kernel, open_kernel
from pypto_rules.testing.op_calls import Launch, Op, load_op
from pypto_rules.testing.operands import Tensor
from pypto_rules.testing.tiling_calls import Tiling, TilingResult, load_tiling

__all__ = [
    "HostSideError",
    "Kernel",
    "KernelCallError",
    "KernelRuleError",
    "Launch",
    "Op",
    "Tensor",
    "Tiling",
    "TilingResult",
    "load_kernel",
    "load_op",
    "load_tiling",
    "open_kernel",
]
