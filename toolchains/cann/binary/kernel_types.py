"""Which cores a kernel runs on, and in what ratio (cann-flow, section 4.6)."""

from __future__ import annotations

from enum import Enum

CUBE, VEC = "cube", "vec"


class KernelType(Enum):
    """CANN's KernelMetaType without its prefix `KERNEL_TYPE_`; the value is (AIC, AIV) per block."""

    AIC_ONLY = (1, 0)
    AIV_ONLY = (0, 1)
    MIX_AIC_1_1 = (1, 1)
    MIX_AIC_1_2 = (1, 2)

    @property
    def meta_name(self) -> str:
        """The name in CANN's headers."""
        return f"KERNEL_TYPE_{self.name}"

    @property
    def is_mix(self) -> bool:
        """Whether it runs on both cores."""
        return all(self.value)

    @property
    def cores(self) -> tuple[str, ...]:
        """The cores it is compiled for, in the order of CANN's link."""
        return tuple(core for core, count in zip((CUBE, VEC), self.value, strict=True) if count)

    @property
    def task_ration(self) -> str:
        """AIC to AIV, as CANN's jsons spell it."""
        return f"{self.value[0]}:{self.value[1]}"
