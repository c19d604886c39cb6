"""The SoCs of the backend: what CANN and pypto_pro call them (cann-flow, sections 1.3, 4.8 and 5).

Which of `pypto_arches` a pypto_pro takes depends on its version: up to August 2026 a2, a3 and a5, then a5 alone, the
newest 3510, another name of a5. A SoC none of whose names is taken cannot be built for with that version.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Soc:
    """One compute unit. `chip` is in bisheng's `--cce-aicore-arch`, `npu_arch` what its headers look at."""

    name: str
    chip: str
    npu_arch: int
    pypto_arches: tuple[str, ...]

    @property
    def passes_ffts_address(self) -> bool:
        """Whether a mixed kernel's first argument is the address of the cross-core synchronisation (section 4.7)."""
        return self.chip == "c220"

    @property
    def dtype_unit(self) -> int:
        """In what the DFX section counts the size of a dynamic parameter's elements: 1 for bytes, 8 for bits."""
        return 1 if self.chip == "c220" else 8


_C220 = ("c220", 2201, ("a3", "a2"))
SOCS = {
    "ascend910b": Soc("ascend910b", *_C220),
    "ascend910_93": Soc("ascend910_93", *_C220),
    "ascend950": Soc("ascend950", "c310", 3510, ("a5", "3510")),
}
