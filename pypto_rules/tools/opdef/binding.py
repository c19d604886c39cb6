"""The dtype variables of a kernel in the columns of its OpDef."""

from __future__ import annotations

from collections.abc import Mapping

from pypto_rules.tools.opdef.model import Column, SocOp


def kernel_name(op: SocOp, output: str) -> str:
    """The kernel's parameter for an output: of one that is also an input it ends in `_ref`, as CANN exports it."""
    return output + "_ref" if any(param.name == output for param in op.inputs) else output


def dtypes_of(op: SocOp, column: Column, datatype: Mapping[str, str] | None) -> dict[str, str]:
    """Dtype variable → dtype in a column; `datatype` is the kernel's, parameter → variable."""
    dtypes = {kernel_name(op, p.name): column.tensors[p.name][0] for p in op.outputs if p.name in column.tensors}
    dtypes |= {p.name: column.tensors[p.name][0] for p in op.inputs if p.name in column.tensors}
    return {variable: dtypes[param] for param, variable in (datatype or {}).items() if param in dtypes}


def bindings(op: SocOp, datatype: Mapping[str, str] | None) -> list[dict[str, str]]:
    """The distinct dtypes of the kernel's variables over all columns, in order; without variables an empty one."""
    found = [dtypes_of(op, column, datatype) for column in op.columns]
    return [binding for index, binding in enumerate(found) if binding not in found[:index]] or [{}]
