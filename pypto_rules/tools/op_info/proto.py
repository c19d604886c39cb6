"""`<op>_proto.h`: the operator's prototype for graph mode, as op_build writes it."""

from __future__ import annotations

import json
from typing import Any

from pypto_rules.tools.opdef.model import Attr, OpDef, Param, snake_case

_DTYPES = {"float": "DT_FLOAT", "bfloat16": "DT_BF16"}
_ATTR_TYPES = {
    "int": "Int",
    "float": "Float",
    "bool": "Bool",
    "str": "String",
    "list_int": "ListInt",
    "list_float": "ListFloat",
    "list_bool": "ListBool",
    "list_str": "ListString",
    "list_list_int": "ListListInt",
}
_MACROS = {"required": "", "optional": "OPTIONAL_", "dynamic": "DYNAMIC_", "virtual": "OPTIONAL_"}


def file_name(op: OpDef) -> str:
    """`add_example_proto.h`."""
    return f"{snake_case(op.op_type)}_proto.h"


def text(op: OpDef) -> str:
    """The header."""
    guard = f"OP_PROTO_{snake_case(op.op_type).upper()}_H_"
    lines = [f"    .{_MACROS[p.param_type]}INPUT({p.name}, {_dtypes(p)})" for p in op.inputs]
    lines += [
        f"    .{_MACROS[p.param_type]}OUTPUT({p.name}, {_dtypes(p)})".replace("OPTIONAL_", "") for p in op.outputs
    ]
    lines += [_attr(attr) for attr in op.attrs]
    body = "\n".join([f"REG_OP({op.op_type})", *lines, f"    .OP_END_FACTORY_REG({op.op_type})"])
    return (
        f"// Generated: the prototype of {op.op_type}.\n#ifndef {guard}\n#define {guard}\n\n"
        f'#include "graph/operator_reg.h"\n\nnamespace ge {{\n\n{body}\n\n}}  // namespace ge\n\n#endif  // {guard}\n'
    )


def _dtypes(param: Param) -> str:
    names = [_DTYPES.get(dtype, f"DT_{dtype.upper()}") for dtype in dict.fromkeys(param.dtypes)]
    return f"TensorType({{{', '.join(names)}}})" if names else "TensorType::ALL()"


def _attr(attr: Attr) -> str:
    kind = _ATTR_TYPES[attr.type]
    if attr.required:
        return f"    .REQUIRED_ATTR({attr.name}, {kind})"
    return f"    .ATTR({attr.name}, {kind}, {_literal(attr.default)})"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(_literal(item) for item in value) + "}"
    return json.dumps(value)
