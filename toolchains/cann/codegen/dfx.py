"""The DFX section: what the run time prints of a kernel's arguments after an exception (cann-flow, section 4.7).

One TLV per argument. Numbers are big-endian; a size is -1 where the shape is known at run time only.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

HEAD_TYPE = 4  # F_TYPE_L0_EXCEPTION_DFX
_ARGUMENT_TYPE = 5  # F_TYPE_L0_EXCEPTION_DFX_ARGSINFO
_UNKNOWN = 2**64 - 1
_POINTER = 8


class Kind(IntEnum):
    """CANN's DFXParamType."""

    INPUT = 2
    OUTPUT = 3
    WORKSPACE = 4
    TILING = 7
    FFTS = 11


class Point(IntEnum):
    """CANN's DFXPointType: a tensor, or a list of tensors with their shapes."""

    LEVEL_1 = 1
    LEVEL_2_WITH_SHAPE = 3


@dataclass(frozen=True)
class Argument:
    """One argument; `element_size` in the SoC's unit for a list of tensors, else None."""

    kind: Kind
    element_size: int | None = None


def tiling_size(sizeof: int, arguments: Sequence[Argument], oom: bool) -> int:
    """Bytes of the TilingData argument: the struct and a pointer; under oom aligned, and a pointer per tensor."""
    if not oom:
        return sizeof + _POINTER
    tensors = sum(argument.kind in (Kind.INPUT, Kind.OUTPUT, Kind.WORKSPACE) for argument in arguments)
    return (sizeof + 7) // 8 * 8 + _POINTER + _POINTER * tensors


def section(arguments: Sequence[Argument], size_of_tiling: int) -> bytes:
    """The value of the section's head, in the order of the arguments."""
    return b"".join(_tlv(argument, size_of_tiling) for argument in arguments)


def _tlv(argument: Argument, size_of_tiling: int) -> bytes:
    point = Point.LEVEL_1 if argument.element_size is None else Point.LEVEL_2_WITH_SHAPE
    words = [point << 16 | argument.kind]
    if argument.kind in (Kind.INPUT, Kind.OUTPUT):
        words.append(_UNKNOWN)
        if argument.element_size is not None:
            words.append(argument.element_size)
    elif argument.kind is Kind.TILING:
        words.append(size_of_tiling)
    return struct.pack(f">HH{len(words)}Q", _ARGUMENT_TYPE, len(words), *words)
