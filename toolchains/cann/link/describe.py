"""The json beside a binary, as asc_opc writes it (cann-flow, section 4.10).

What the ruleset itself has to know of a binary is in a member of its own, `pypto`; the run time reads members by name.
"""

from __future__ import annotations

from typing import Any

from pypto_rules.tools.contract.manifest import Kernel
from pypto_rules.tools.opdef.model import SocOp
from pypto_rules.tools.opdef.support import support_info
from toolchains.cann.binary.kernel_types import KernelType
from toolchains.cann.binary.naming import key_name
from toolchains.cann.link.table import Column, Table

# Bytes the framework adds to the TilingData, and for each parameter under oom.
_POINTER = 8

_SINGLE_CORE = {
    KernelType.AIV_ONLY: {"magic": "RT_DEV_BINARY_MAGIC_ELF_AIVEC", "core_type": "AIV", "coreType": "VectorCore"},
    KernelType.AIC_ONLY: {"magic": "RT_DEV_BINARY_MAGIC_ELF_AICUBE", "core_type": "AIC", "coreType": "AiCore"},
}
_MIX = {"magic": "RT_DEV_BINARY_MAGIC_ELF", "coreType": "MIX"}


def describe(kernel: Kernel, table: Table, column: Column, op: SocOp | None, sha256: str, oom: bool) -> dict[str, Any]:
    """The json of a column's binary.

    Args:
        kernel: the contract.
        table: variants.json.
        column: the binary.
        op: the operator on the SoC, None without an OpDef: then there is no supportInfo.
        sha256: digest of the linked binary.
        oom: whether it was compiled with the check of accesses out of memory.
    """
    kernel_type = table.kernel_type
    support = support_info(op, _op_column(op, column)) if op and column.op_column is not None else {}
    described = {
        **_SINGLE_CORE.get(kernel_type, _MIX),
        "blockDim": -1,
        "opParaSize": _op_para_size(kernel, oom),
        "intercoreSync": int(kernel_type.is_mix),
        "parameters": [],
        "kernelName": column.binary,
        "binFileSuffix": ".o",
        "binFileName": column.binary,
        "sha256": sha256,
        "kernelList": [_listed(column.binary, key, kernel_type) for key in column.keys],
    }
    if kernel_type.is_mix:
        described["taskRation"] = "tilingKey"
    described |= {mode: support[mode] for mode in ("optionalInputMode", "optionalOutputMode") if mode in support}
    described |= {"supportSuperKernel": 1, "compileInfo": {}}
    described |= {mode: support[mode] for mode in ("dynamicParamMode",) if mode in support}
    if support:
        described["supportInfo"] = support
    return described | {"pypto": _ours(table, column)}


def _op_column(op: SocOp, column: Column) -> Any:
    return next(known for known in op.columns if known.index == column.op_column)


def _op_para_size(kernel: Kernel, oom: bool) -> int:
    size = kernel.tiling.sizeof
    if not oom:
        return size + _POINTER
    # The TilingData aligned to 8, and 8 for each parameter but the TilingData itself.
    return (size + 7) // 8 * 8 + _POINTER + _POINTER * (len(kernel.params) - 1)


def _listed(binary: str, tiling_key: int, kernel_type: KernelType) -> dict[str, Any]:
    name = {"kernelName": key_name(binary, tiling_key)}
    if not kernel_type.is_mix:
        return name
    mixed = {"kernelType": "MIX_AIC", "taskRation": kernel_type.task_ration, "crossCoreSync": 1}
    return {"tilingKey": tiling_key, **mixed, **name}


def _ours(table: Table, column: Column) -> dict[str, Any]:
    keys = [
        {"kernelName": key_name(column.binary, key), "tilingKey": key, "combo": combo}
        for key, combo in column.keys.items()
    ]
    return {"backend": "cann", "soc": table.soc, "dtypes": column.dtypes, "kernelList": keys}
