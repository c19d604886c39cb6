"""op_build's operator information, one file per SoC → what a dump of the `_def.cpp` says (`pypto_rules/tools/opdef`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolchains.cann.host.op_build import ops_info
from toolchains.cann.host.op_build.ops_info import Operator
from toolchains.cann.host.op_build.run import DefinitionWrong

_BEGINNING, _END = "aic-", "-ops-info.ini"
# What a configuration for a SoC adds to a parameter and cannot take away.
_ADDED = ("unknown_shape_formats", "bin_query_dtypes", "bin_query_formats", "value_depend")
_ADDED += ("shape_depends_on_compute", "init_value")


def definitions(directory: Path) -> dict[str, Any]:
    """Everything that op_build found in a library.

    Raises:
        DefinitionWrong: an operator has no SoC, or what PyPTO operators cannot have.
    """
    by_op: dict[str, dict[str, Operator]] = {}
    for path in sorted(directory.glob(f"{_BEGINNING}*{_END}")):
        soc = path.name.removeprefix(_BEGINNING).removesuffix(_END)
        for op_type, operator in ops_info.read(path).items():
            by_op.setdefault(op_type, {})[soc] = operator
    if not by_op and sorted(directory.glob("*_proto.h")):
        raise DefinitionWrong('no SoC is registered; fix: add this->AICore().AddConfig("ascend910b")')
    return {"ops": [_definition(op_type, socs) for op_type, socs in sorted(by_op.items())]}


def _definition(op_type: str, socs: Mapping[str, Operator]) -> dict[str, Any]:
    inputs = _common([operator.inputs for operator in socs.values()])
    outputs = _common([operator.outputs for operator in socs.values()])
    return {
        "op_type": op_type,
        "at": "",
        "inputs": inputs,
        "outputs": outputs,
        "attrs": next(iter(socs.values())).attrs,
        "socs": [
            {
                "soc": soc,
                "at": "",
                "inputs": [] if operator.inputs == inputs else operator.inputs,
                "outputs": [] if operator.outputs == outputs else operator.outputs,
                "attrs": [],
                "flags": operator.flags,
                "extended": operator.extended,
            }
            for soc, operator in socs.items()
        ],
        "fallback": any(op.extended.get("aclnnSupport.value") == "support_aclnn" for op in socs.values()),
    }


def _common(sides: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """The parameters that all SoCs have, with the columns of the first and nothing that a SoC would have to take away."""
    first, *others = [{param["name"]: dict(param) for param in side} for side in sides]
    common = []
    for name, param in first.items():
        if all(name in other for other in others):
            lost = [key for key in _ADDED if not all(other[name][key] for other in others)]
            common.append(param | {key: type(param[key])() if key != "init_value" else None for key in lost})
    return common
