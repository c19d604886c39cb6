"""Parameters of an operator's aclnn functions, by position: inputs, attributes, outputs (cann-flow, section 8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract import cxx_names
from pypto_rules.tools.opdef.model import Attr, OpDef, Param

# Parameters that phase one has of its own.
_TAKEN = frozenset({"workspaceSize", "executor", "call"})

_ATTR_TYPES = {
    "int": "int64_t",
    "float": "double",
    "bool": "bool",
    "str": "const char*",
    "list_int": "const aclIntArray*",
    "list_float": "const aclFloatArray*",
    "list_bool": "const aclBoolArray*",
}


class AclnnError(ValueError):
    """The operator can have no aclnn interface; the text names the line of the OpDef and the fix."""


@dataclass(frozen=True)
class Parameter:
    """One parameter: `role` is input, attr or output; `source` what the OpDef says of it."""

    name: str
    ctype: str
    role: str
    source: Param | Attr

    @property
    def default(self) -> Any:
        """The value of an attribute that the caller leaves out, None when he cannot."""
        return self.source.default if isinstance(self.source, Attr) and not self.source.required else None


def api_name(op: OpDef, aclnn_type: str) -> str:
    """`aclnnAddExample`, or `aclnnInnerAddExample`."""
    return ("aclnnInner" if aclnn_type == "aclnn_inner" else "aclnn") + op.op_type


def parameters(op: OpDef) -> list[Parameter]:
    """The parameters of phase one before `workspaceSize` and `executor`.

    Raises:
        AclnnError: an attribute has a type that aclnn cannot pass.
    """
    found = [_tensor(param, "input") for param in op.inputs if param.param_type != "virtual"]
    found += [_attr(attr) for attr in op.attrs]
    found += [_tensor(param, "output") for param in op.outputs if param.param_type != "virtual"]
    names: set[str] = set()
    result = []
    for parameter in found:
        name = parameter.name
        while name in names or name in _TAKEN or (cxx_names.why_not(name) and not cxx_names.why_not(name + "_")):
            name += "_"
        names.add(name)
        result.append(Parameter(name, parameter.ctype, parameter.role, parameter.source))
    return result


def _tensor(param: Param, role: str) -> Parameter:
    ctype = "const aclTensorList*" if param.param_type == "dynamic" else "const aclTensor*"
    name = param.name + ("Optional" if param.param_type == "optional" else "")
    return Parameter(name + ("Out" if role == "output" else ""), ctype, role, param)


def _attr(attr: Attr) -> Parameter:
    if attr.type not in _ATTR_TYPES:
        raise AclnnError(
            f"{attr.at + ': ' if attr.at else ''}error: attribute '{attr.name}' is a {attr.type}, which aclnn cannot "
            f'pass; allowed are {", ".join(_ATTR_TYPES)}; fix: use one of them, or aclnn_type = "aclnn_exclude"'
        )
    optional = not attr.required and attr.type not in ("int", "float", "bool")
    return Parameter(attr.name + ("Optional" if optional else ""), _ATTR_TYPES[attr.type], "attr", attr)
