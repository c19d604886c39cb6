"""What can go wrong when a test calls a kernel."""


class KernelCallError(ValueError):
    """The call is wrong: unknown TilingKey value, dtype, TilingData field, argument; the text says what is allowed."""


class KernelRuleError(AssertionError):
    """The kernel broke a rule of the hardware while it ran: bounds, alignment, capacity, …; the text names the line."""


class HostSideError(AssertionError):
    """The operator's host side refused the call, or decided something the kernel cannot do; the text says what."""
