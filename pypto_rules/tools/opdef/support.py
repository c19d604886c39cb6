"""What a binary supports, by its OpDef column: CANN's `supportInfo` (cann-flow, sections 4.2 and 4.10)."""

from __future__ import annotations

from typing import Any

from pypto_rules.tools.opdef.model import Attr, Column, Param, SocOp
from pypto_rules.tools.opdef.numbers import DTYPES, FORMATS

# What CANN writes for an attribute without a value, by type.
_TYPE_DEFAULTS: dict[str, Any] = {"bool": False, "int": 0, "float": 0.0, "str": "", "list_list_int": [[]]}


def support_info(op: SocOp, column: Column) -> dict[str, Any]:
    """The `supportInfo` of the binary of a column."""
    info: dict[str, Any] = {
        "implMode": "high_performance",
        "int64Mode": False,
        "simplifiedKeyMode": 0,
        "simplifiedKey": simplified_keys(op, column),
        **parameters(op, column),
        "opMode": "dynamic",
        "deterministic": "ignore",
    }
    for side, mode in ((op.inputs, "optionalInputMode"), (op.outputs, "optionalOutputMode")):
        if any(param.param_type == "optional" for param in side):
            info[mode] = "gen_placeholder"
    if any(param.param_type == "dynamic" for param in op.params):
        info["dynamicParamMode"] = "folded_with_desc"
    return info


def parameters(op: SocOp, column: Column) -> dict[str, list[Any]]:
    """Inputs, outputs and attributes in a column, as CANN writes them into its jsons."""
    return {
        "inputs": [_tensor(param, index, column) for index, param in enumerate(op.inputs)],
        "outputs": [_tensor(param, index, column) for index, param in enumerate(op.outputs)],
        "attrs": [_attr(attr) for attr in op.attrs],
    }


def simplified_keys(op: SocOp, column: Column) -> list[str]:
    """`<OpType>/d=<deterministic>,p=<precision>/<dtype>,<format>/…`, inputs then outputs, numbers of CANN's types.h.

    Both deterministic modes ("ignore"), and the implementation's precision and none ("optional").
    """
    tensors = (column.tensors.get(param.name, ("", "ND")) for param in op.params)
    described = "/".join(f"{DTYPES.get(dtype, '')},{FORMATS.get(form, '')}" for dtype, form in tensors)
    return [f"{op.op_type}/d={d},p={p}/{described}" for d in (0, 1) for p in (1, 0)]


def _tensor(param: Param, index: int, column: Column) -> Any:
    dtype, form = column.tensors.get(param.name, (None, "ND"))
    described = {
        "name": param.name,
        "index": index,
        "dtype": dtype,
        "format": form,
        "paramType": param.param_type,
        "shape": [-2],
        "format_match_mode": "FormatAgnostic",
    }
    return [described] if param.param_type == "dynamic" else described


def _attr(attr: Attr) -> dict[str, Any]:
    return {"name": attr.name, "dtype": attr.type, "value": _TYPE_DEFAULTS.get(attr.type, [])}
