"""op_build's operator information, a file per SoC → what a dump of the `_def.cpp` says (`pypto_rules/tools/opdef`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolchains.cann.host.op_build import ops_info
from toolchains.cann.host.op_build.ops_info import Operator
from toolchains.cann.host.op_build.run import DefinitionWrong

_BEGINNING, _END = "aic-", "-ops-info.ini"
# What a configuration for a SoC can add to a parameter and cannot take away; and how it looks where nothing was said.
_NOTHING: dict[str, Any] = {"unknown_shape_formats": [], "bin_query_dtypes": [], "bin_query_formats": []}
_NOTHING |= {"value_depend": "", "shape_depends_on_compute": False, "init_value": None}


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
    """The parameters that all SoCs have: the columns of the first, and nothing that another would have to take away."""
    first, *others = [{param["name"]: dict(param) for param in side} for side in sides]
    common = []
    for name, param in first.items():
        if all(name in other for other in others):
            unsaid = {key: no for key, no in _NOTHING.items() if any(other[name][key] == no for other in others)}
            common.append(param | unsaid)
    return common
