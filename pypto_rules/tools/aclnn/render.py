"""The text of `aclnn_<op>.h` and `aclnn_<op>.cpp`."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jinja2

from pypto_rules.tools.aclnn.signature import Parameter, api_name, parameters
from pypto_rules.tools.opdef.model import OpDef, snake_case

_TEMPLATES = Path(__file__).parent / "templates"
_LISTS = {"list_int": "int64_t", "list_float": "float", "list_bool": "bool"}


def file_stem(op: OpDef, aclnn_type: str) -> str:
    """`aclnn_add_example`, or `aclnnInner_add_example`."""
    return ("aclnnInner_" if aclnn_type == "aclnn_inner" else "aclnn_") + snake_case(op.op_type)


def header_text(op: OpDef, aclnn_type: str) -> str:
    """The header, for C and C++."""
    return _render("header.h.j2", op, aclnn_type)


def source_text(op: OpDef, aclnn_type: str) -> str:
    """The source against the run time of the twin."""
    return _render("source.cpp.j2", op, aclnn_type)


def _described(parameter: Parameter) -> str:
    """What the comment in the header says of a parameter."""
    source = parameter.source
    if parameter.role == "attr":
        return parameter.source.type + (
            f", default {json.dumps(parameter.default)}" if parameter.default is not None else ""
        )
    return f"{source.param_type} {parameter.role}: {', '.join(dict.fromkeys(source.dtypes)) or 'any dtype'}"


def _literal(value: Any) -> str:
    """A default value as C++ has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value)


def _default(parameter: Parameter) -> dict[str, Any] | None:
    """The array of an optional list's default."""
    kind = _LISTS.get(parameter.source.type) if parameter.role == "attr" else None
    if kind is None or parameter.default is None:
        return None
    values = [_literal(value) + ("f" if kind == "float" else "") for value in parameter.default]
    return {"type": kind, "count": len(values), "values": ", ".join(values) or "0"}


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(described=_described, default_list=_default, literal=_literal)
    return environment


def _render(template: str, op: OpDef, aclnn_type: str) -> str:
    return (
        _environment()
        .get_template(template)
        .render(
            op=op,
            api=api_name(op, aclnn_type),
            stem=file_stem(op, aclnn_type),
            parameters=parameters(op),
        )
    )
