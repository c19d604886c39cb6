"""How CANN names a binary and the entries in it (cann-flow, sections 4.2 and 4.7)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pypto_rules.tools.opdef.model import Column, SocOp
from pypto_rules.tools.opdef.support import parameters
from toolchains.cann.binary.kernel_types import KernelType

IMPL_MODE = "high_performance"

_MIX_SUFFIXES = {"cube": "_mix_aic", "vec": "_mix_aiv"}


def binary_names(op: SocOp, columns: list[Column]) -> list[str]:
    """The names of an operator's binaries, `<OpType>_<md5>_<impl_mode>`, one per column.

    The md5 is that of the column's parameter json, whose `bin_filename` is empty then. A text that was hashed before
    gets a `1` appended, until it is new.
    """
    names: list[str] = []
    for column in columns:
        text = json.dumps(_parameter_json(op, column), indent="  ")
        name = _hashed(op.op_type, text)
        while name in names:
            text += "1"
            name = _hashed(op.op_type, text)
        names.append(name)
    return [f"{name}_{IMPL_MODE}" for name in names]


def _hashed(op_type: str, text: str) -> str:
    return f"{op_type}_{hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()}"


def _parameter_json(op: SocOp, column: Column) -> dict[str, Any]:
    described = parameters(op, column)
    if not described["attrs"]:
        del described["attrs"]
    return {"op_type": op.op_type, "op_list": [{"bin_filename": "", **described}]}


def entry_symbol(binary: str, tiling_key: int, core: str, kernel_type: KernelType) -> str:
    """The device entry of a variant: a mixed kernel has one for each core, told apart by a suffix."""
    return key_name(binary, tiling_key) + (_MIX_SUFFIXES[core] if kernel_type.is_mix else "")


def key_name(binary: str, tiling_key: int) -> str:
    """What the run time calls a TilingKey of a binary, without the suffix of a core."""
    return f"{binary}_{tiling_key}"
