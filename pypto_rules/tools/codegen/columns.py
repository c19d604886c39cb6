"""Dtype columns: one dtype for each dtype variable of a kernel. From the BUILD file, or from the OpDef."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.contract import manifest
from pypto_rules.tools.opdef import binding, model

Column = dict[str, str]


def read(path: str, kernel: manifest.Kernel, supported: Collection[str]) -> list[Column]:
    """The columns of a file, checked against the kernel's datatype variables and the backend's dtypes."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the dtype columns {Path(path).name}: {error}") from error
    if not isinstance(data, list) or not data or not all(isinstance(column, dict) for column in data):
        raise InputError(f"{Path(path).name} must be a list of objects, dtype variable to dtype; found {data!r:.80}")
    variables = sorted(set((kernel.datatype or {}).values()))
    for column in data:
        _check(column, variables, kernel.kernel_name, supported)
    return data


def _check(column: dict[str, Any], variables: list[str], name: str, supported: Collection[str]) -> None:
    shown = json.dumps(column)
    for variable in variables:
        if variable not in column:
            have = f'dtypes = {{"{variable}": [...]}}'
            raise InputError(
                f"column {shown} gives no dtype for {variable}, a datatype variable of {name}; fix: {have}"
            )
    for variable, dtype in column.items():
        if variable not in variables:
            allowed = ", ".join(variables) or "none"
            raise InputError(
                f"column {shown}: {variable} is no datatype variable of {name}; allowed {allowed}; fix: remove it"
            )
        if dtype not in supported:
            raise InputError(f"column {shown}: dtype {dtype!r} is not supported; allowed {', '.join(supported)}")


def operator(path: str, soc: str) -> model.SocOp:
    """The operator of an op.json on a SoC."""
    try:
        return model.read(Path(path), Path(path).name).for_soc(soc)
    except model.OpDefError as error:
        raise InputError(str(error)) from error


def check_declared(explicit: list[Column], op: model.SocOp, soc: str, declared: list[Column]) -> None:
    """Every column of the BUILD file is one of the OpDef's."""
    for column in explicit:
        if declared != [{}] and column not in declared:
            raise InputError(
                f"column {json.dumps(column)} of `dtypes` is none of the OpDef of {op.op_type} for {soc}; "
                f"it has {'; '.join(json.dumps(known) for known in declared)}; fix: remove it, or add it to the OpDef"
            )


def check_supported(
    op: model.SocOp, columns: list[Column], kernel: manifest.Kernel, supported: Collection[str], by: str
) -> None:
    """The dtypes that the OpDef gives the kernel's variables are ones that the backend, `by`, has."""
    params = {variable: param for param, variable in (kernel.datatype or {}).items()}
    places = {binding.kernel_name(op, param.name): param.at for param in op.outputs}
    places |= {param.name: param.at for param in op.inputs}
    for column in columns:
        missing = sorted(set(params) - column.keys())
        if missing:
            # A column of the BUILD file has to be one of the OpDef's, if that has any.
            instead = "" if column else ", or `dtypes` in the BUILD file"
            raise InputError(
                f"the OpDef of {op.op_type} has no dtypes for '{params[missing[0]]}', which the kernel's datatype "
                f"variable {missing[0]} needs; fix: give it a DataType there{instead}"
            )
        for variable, dtype in column.items():
            if dtype not in supported:
                at = places.get(params[variable], "")
                raise InputError(
                    f"{at + ': ' if at else ''}dtype {dtype} of '{params[variable]}' is not supported by {by}; "
                    f"allowed {', '.join(supported)}; fix: name the columns to build with `dtypes` of the operator"
                )
