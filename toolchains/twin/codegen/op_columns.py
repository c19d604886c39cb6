"""Which dtype columns are generated: those of the OpDef, or those of the BUILD file, which the OpDef must have."""

from __future__ import annotations

import json
from pathlib import Path

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.opdef import binding, model
from toolchains.twin.codegen import dtypes, variants
from toolchains.twin.codegen.errors import InputError


def chosen(columns: str | None, op_def: str | None, soc: str, kernel: manifest.Kernel) -> list[variants.Column]:
    """The columns to generate; `columns` and `op_def` are paths, at least one is given."""
    if op_def is None:
        if columns is None:
            raise InputError("neither dtype columns nor an OpDef are given; fix: --columns or --op-def")
        return variants.read_columns(columns, kernel)
    op = _operator(op_def, soc)
    declared = binding.bindings(op, kernel.datatype)
    if columns is None:
        _check_supported(op, declared, kernel)
        return declared
    explicit = variants.read_columns(columns, kernel)
    for column in explicit:
        if declared != [{}] and column not in declared:
            raise InputError(
                f"column {json.dumps(column)} of `dtypes` is none of the OpDef of {op.op_type} for {soc}; "
                f"it has {'; '.join(json.dumps(known) for known in declared)}; fix: remove it, or add it to the OpDef"
            )
    return explicit


def _operator(path: str, soc: str) -> model.SocOp:
    try:
        return model.read(Path(path), Path(path).name).for_soc(soc)
    except model.OpDefError as error:
        raise InputError(str(error)) from error


def _check_supported(op: model.SocOp, columns: list[variants.Column], kernel: manifest.Kernel) -> None:
    """The dtypes of the kernel's variables are ones that the twin has."""
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
            if dtype not in dtypes.BY_CANN:
                at = places.get(params[variable], "")
                raise InputError(
                    f"{at + ': ' if at else ''}dtype {dtype} of '{params[variable]}' is not supported by the CPU twin; "
                    f"allowed {', '.join(dtypes.BY_CANN)}; fix: name the columns to build with `dtypes` of the operator"
                )
