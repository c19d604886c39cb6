from dataclasses import dataclass


@dataclass
class OpTiling:
    total: int
    s: int[4]
