"""What the binary of one dtype column is called, exports and says of itself."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract.manifest import Kernel
from pypto_rules.tools.opdef.binding import dtypes_of
from pypto_rules.tools.opdef.model import SocOp
from pypto_rules.tools.opdef.support import support_info

SUFFIX = ".so"

# Bytes the framework adds to the TilingData (cann-flow, section 4.10, opParaSize).
_OP_PARA_OVERHEAD = 8


@dataclass(frozen=True)
class Variant:
    """One variant of variants.json: the source it was compiled from and the symbol its text defines."""

    column: int
    tiling_key: int
    combo: dict[str, int]
    core: str
    source: str
    entry: str


@dataclass(frozen=True)
class Column:
    """One dtype column with its variants in TilingKey order, and what it supports when an OpDef says so."""

    dtypes: dict[str, str]
    variants: tuple[Variant, ...]
    support: dict[str, Any] | None = None


def binary_name(op_type: str, column: Column) -> str:
    """`<OpType>_<md5 of the column>`, the shape of name CANN gives a binary (cann-flow, section 4.2)."""
    described: dict[str, Any] = {"op_type": op_type, "dtypes": column.dtypes}
    if column.support:
        described["tensors"] = column.support["inputs"], column.support["outputs"]
    text = json.dumps(described, sort_keys=True)
    return f"{op_type}_{hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()}"


def key_symbol(binary: str, tiling_key: int) -> str:
    """The exported entry of one TilingKey, as CANN names it (cann-flow, section 4.7)."""
    return f"{binary}_{tiling_key}"


def columns_of(variants: dict[str, Any], op: SocOp | None, datatype: Mapping[str, str] | None) -> list[Column]:
    """The columns to link: those of the OpDef whose dtypes were built, or without one those of variants.json."""
    built = _built_columns(variants)
    if op is None or not op.columns:
        return built
    return [
        dataclasses.replace(column, support=support_info(op, described))
        for described in op.columns
        for column in built
        if column.dtypes == dtypes_of(op, described, datatype)
    ]


def _built_columns(variants: dict[str, Any]) -> list[Column]:
    """The dtype columns of a variants.json, in order."""
    by_column: dict[int, list[Variant]] = {}
    for item in variants["variants"]:
        by_column.setdefault(item["column"], []).append(Variant(**item))
    return [
        Column(column["dtypes"], tuple(sorted(by_column[column["index"]], key=lambda v: v.tiling_key)))
        for column in variants["columns"]
    ]


def describe(kernel: Kernel, variants: dict[str, Any], column: Column, binary: str, sha256: str) -> dict[str, Any]:
    """The json beside a binary: the fields of cann-flow section 4.10 that hold for a twin binary.

    Left out, since they speak of NPU machine code only: magic, taskRation, workspace, supportInfo's static keys.
    """
    cores = {variant.core for variant in column.variants}
    fields = [{"name": f.name, "bits": f.bits, "values": list(f.values)} for f in kernel.tiling_key.fields]
    description = {
        "backend": variants["backend"],
        "soc": variants["soc"],
        "coreType": "VectorCore" if cores == {"vector"} else "MIX",
        "blockDim": -1,
        "opParaSize": kernel.tiling.sizeof + _OP_PARA_OVERHEAD,
        "intercoreSync": 0,
        "parameters": [],
        "kernelName": binary,
        "binFileSuffix": SUFFIX,
        "binFileName": binary,
        "sha256": sha256,
        "kernelList": [
            {"kernelName": key_symbol(binary, v.tiling_key), "tilingKey": v.tiling_key, "combo": v.combo}
            for v in column.variants
        ],
        "compileInfo": {},
        "dtypes": column.dtypes,
        "opKernel": variants["kernel_name"],
        "tilingDataSize": kernel.tiling.sizeof,
        "tilingKeyFields": fields,
    }
    return description | ({"supportInfo": column.support} if column.support else {})
