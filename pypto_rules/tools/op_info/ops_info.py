"""`aic-<soc>-ops-info.{ini,json}` of the operators of a package (cann-flow, section 3.4).

The two say the same: `input0.name=x` of section `[AddExample]` is `{"AddExample": {"input0": {"name": "x"}}}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pypto_rules.tools.opdef.model import Attr, OpDef, Param, SocOp

# As op_build spells dtypes there.
_DTYPE_NAMES = {"float": "float32"}
_ATTR_TYPES = {"list_int": "listInt", "list_float": "listFloat", "list_bool": "listBool"}
_ATTR_TYPES |= {"list_str": "listStr", "list_list_int": "listListInt"}


def ini_text(ops: Sequence[OpDef], soc: str) -> str:
    """The ini, one section per operator. OpDefError for an operator that is not registered for the SoC."""
    sections = []
    for op in _sorted(ops):
        lines = [f"{group}.{key}={value}" for group, key, value in _entries(op, op.for_soc(soc))]
        sections.append("\n".join([f"[{op.op_type}]", *lines]) + "\n")
    return "".join(sections)


def json_text(ops: Sequence[OpDef], soc: str) -> str:
    """The json. OpDefError for an operator that is not registered for the SoC."""
    data: dict[str, Any] = {}
    for op in _sorted(ops):
        groups = data.setdefault(op.op_type, {})
        for group, key, value in _entries(op, op.for_soc(soc)):
            groups.setdefault(group, {})[key] = value
    return json.dumps(data, indent=4, sort_keys=True, ensure_ascii=False) + "\n"


def _sorted(ops: Iterable[OpDef]) -> list[OpDef]:
    return sorted(ops, key=lambda op: op.op_type)


def _entries(op: OpDef, on_soc: SocOp) -> Iterator[tuple[str, str, str]]:
    """(group, key, value) of every line."""
    for side, params in (("input", on_soc.inputs), ("output", on_soc.outputs)):
        for index, param in enumerate(params):
            yield from _of_param(f"{side}{index}", param)
    if on_soc.attrs:
        yield "attr", "list", ",".join(attr.name for attr in on_soc.attrs)
    for attr in on_soc.attrs:
        yield from _of_attr(attr)
    yield from ((*flag.rsplit(".", 1), value) for flag, value in sorted(on_soc.flags.items()))
    fixed = {"prebuildPattern.value": "Opaque", "coreType.value": "AiCore"}
    if op.fallback:
        fixed["aclnnSupport.value"] = "support_aclnn"
    fixed |= {"opFile.value": on_soc.op_file, "opInterface.value": on_soc.op_interface}
    yield from ((*key.rsplit(".", 1), value) for key, value in (fixed | dict(on_soc.extended)).items())


def _of_param(group: str, param: Param) -> Iterator[tuple[str, str, str]]:
    yield group, "name", param.name
    yield group, "dtype", ",".join(_DTYPE_NAMES.get(dtype, dtype) for dtype in param.dtypes)
    yield group, "format", ",".join(param.format(index) for index in range(len(param.dtypes)))
    if param.unknown_shape_formats:
        yield group, "unknownshape_format", ",".join(param.unknown_shape_formats)
    yield group, "shape", "all"
    yield group, "paramType", param.param_type
    if param.value_depend:
        yield group, "valueDepend", param.value_depend
    if param.init_value is not None:
        yield group, "initValue", f"{param.init_value:g}"
    if param.shape_depends_on_compute:
        yield group, "outputShapeDependOnCompute", "true"


def _of_attr(attr: Attr) -> Iterator[tuple[str, str, str]]:
    group = f"attr_{attr.name}"
    yield group, "type", _ATTR_TYPES.get(attr.type, attr.type)
    yield group, "value", "all"
    yield group, "paramType", "required" if attr.required else "optional"
    if attr.default is not None:
        text = attr.default if isinstance(attr.default, str) else json.dumps(attr.default, separators=(",", ":"))
        yield group, "defaultValue", text
