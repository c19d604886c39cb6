"""`aic-<soc>-ops-info.ini` as op_build writes it (cann-flow, section 3.4): its sections, and one of them read."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolchains.cann.host.op_build.run import DefinitionWrong, OpBuildError

# "input0" → "dtype" → "float16,float32".
Groups = dict[str, dict[str, str]]

_DTYPES = {"float32": "float"}
_ATTR_TYPES = {"listInt": "list_int", "listFloat": "list_float", "listBool": "list_bool"}
_ATTR_TYPES |= {"listStr": "list_str", "listListInt": "list_list_int"}
_PARAM_KEYS = {"name", "dtype", "format", "unknownshape_format", "shape", "paramType", "virtual", "valueDepend"}
_PARAM_KEYS |= {"initValue", "outputShapeDependOnCompute", "for_bin_dtype", "for_bin_format"}


@dataclass(frozen=True)
class Operator:
    """A section: the operator on one SoC. Parameters and attributes are as the dump of a `_def.cpp` has them."""

    inputs: list[dict[str, Any]]
    outputs: list[dict[str, Any]]
    attrs: list[dict[str, Any]]
    flags: dict[str, str]
    extended: dict[str, str]


def read(path: Path) -> dict[str, Operator]:
    """The operators of a file, by type.

    Raises:
        OpBuildError: a line is none of the format.
        DefinitionWrong: an operator has what PyPTO operators cannot have.
    """
    return {op_type: _operator(op_type, groups) for op_type, groups in _sections(path).items()}


def _sections(path: Path) -> dict[str, Groups]:
    sections: dict[str, Groups] = {}
    section: Groups | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        name, equals, value = line.partition("=")
        group, dot, key = name.rpartition(".")
        if line.startswith("[") and line.endswith("]"):
            section = sections.setdefault(line[1:-1], {})
        elif section is not None and equals and dot:
            section.setdefault(group, {})[key] = value
        elif line.strip():
            raise OpBuildError(f"{path.name}:{number}: '{line}' is neither [OpType] nor group.key=value")
    return sections


def _operator(op_type: str, groups: Groups) -> Operator:
    groups = dict(groups)
    if "mc2" in groups:
        raise DefinitionWrong(f"{op_type} uses MC2(), which PyPTO operators cannot have; fix: remove it")
    inputs, outputs = _params(groups, "input"), _params(groups, "output")
    names = groups.pop("attr", {}).get("list", "")
    attrs = [_attr(name, groups.pop(f"attr_{name}", {})) for name in names.split(",") if name]
    rest = {f"{group}.{key}": value for group, values in groups.items() for key, value in values.items()}
    flags = {name: value for name, value in rest.items() if name.endswith(".flag")}
    return Operator(inputs, outputs, attrs, flags, {name: rest[name] for name in rest if name not in flags})


def _params(groups: Groups, side: str) -> list[dict[str, Any]]:
    """The parameters of a side, taken out of the groups."""
    params: list[dict[str, Any]] = []
    while f"{side}{len(params)}" in groups:
        params.append(_param(groups.pop(f"{side}{len(params)}")))
    return params


def _param(said: Mapping[str, str]) -> dict[str, Any]:
    """A parameter. op_build has expanded lists and what follows other parameters; there are columns alone."""
    dtypes = _dtypes(said.get("dtype", ""))
    init_value, typed = _init_value(said.get("initValue"))
    unknown = [f"{key} of the operator information" for key in sorted(said.keys() - _PARAM_KEYS)]
    return {
        "name": said.get("name", ""),
        "at": "",
        "param_type": "virtual" if said.get("virtual") == "true" else said.get("paramType", ""),
        "dtypes": dtypes,
        "dtype_list": [],
        "bin_query_dtypes": _dtypes(said.get("for_bin_dtype", "")),
        "formats": _items(said.get("format", "")) or ["ND"] * len(dtypes),
        "format_list": [],
        "bin_query_formats": _items(said.get("for_bin_format", "")),
        "unknown_shape_formats": _items(said.get("unknownshape_format", "")),
        "value_depend": said.get("valueDepend", ""),
        "follows": "",
        "auto_contiguous": False,
        "ignore_contiguous": False,
        "shape_depends_on_compute": said.get("outputShapeDependOnCompute") == "true",
        "init_value": init_value,
        "unsupported": [*unknown, *(["InitValue with a ScalarVar"] if typed else [])],
    }


def _items(text: str) -> list[str]:
    return text.split(",") if text else []


def _dtypes(text: str) -> list[str]:
    return [_DTYPES.get(name, name) for name in _items(text)]


def _init_value(text: str | None) -> tuple[float | None, bool]:
    """The value, and whether it is one with a type of its own, which op.json has no place for."""
    if text is None:
        return None, False
    try:
        return float(text), False
    except ValueError:
        return None, True


def _attr(name: str, said: Mapping[str, str]) -> dict[str, Any]:
    kind = _ATTR_TYPES.get(said.get("type", ""), said.get("type", ""))
    required = said.get("paramType") == "required"
    default = None if required or "defaultValue" not in said else _default(name, kind, said["defaultValue"])
    return {"name": name, "at": "", "type": kind, "required": required, "default": default}


def _default(name: str, kind: str, text: str) -> Any:
    """The default value of an attribute; floats are those of C++."""
    try:
        if kind == "str":
            return text
        if kind == "float":
            return _float(float(text))
        value = json.loads(text)
    except ValueError as error:
        raise OpBuildError(f"the default value of attribute '{name}' is '{text}', which is no {kind}") from error
    return [_float(item) for item in value] if kind == "list_float" else value


def _float(value: float) -> float:
    """What a C++ float makes of a number."""
    return struct.unpack("f", struct.pack("f", value))[0]
