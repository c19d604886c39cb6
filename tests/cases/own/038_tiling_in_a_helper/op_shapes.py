from __future__ import annotations

from dataclasses import dataclass


@dataclass
class OpTiling:
    flag: bool
    total: int
    s: float[3]
