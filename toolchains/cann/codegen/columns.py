"""The columns of a CANN kernel: one binary for each combination of dtypes and formats that the OpDef lists."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from pypto_rules.tools.codegen import columns
from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.contract import manifest
from pypto_rules.tools.opdef import binding, model
from toolchains.cann.binary.naming import IMPL_MODE, binary_names
from toolchains.cann.codegen import dfx
from toolchains.cann.codegen.socs import Soc
from toolchains.cann.codegen.source import DTYPES, Tensor

_BYTES = {"bool": 1, "bfloat16": 2, "float16": 2, "float": 4}
_BYTES |= {f"{sign}int{bits}": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)}


@dataclass(frozen=True)
class Column:
    """One binary. `op_column` counts the OpDef's columns, None without one; `arguments` are for the DFX section."""

    dtypes: columns.Column
    binary: str
    op_column: int | None
    tensors: tuple[Tensor, ...]
    arguments: tuple[dfx.Argument, ...]


def chosen(given: str | None, op_def: str | None, op_type: str, soc: Soc, kernel: manifest.Kernel) -> list[Column]:
    """The columns to generate; `given` and `op_def` are paths, at least one is given."""
    explicit = columns.read(given, kernel, DTYPES) if given else None
    if op_def is None:
        if explicit is None:
            raise InputError("neither dtype columns nor an OpDef are given; fix: --columns or --op-def")
        return [_without_op_def(column, op_type, kernel) for column in explicit]
    op = columns.operator(op_def, soc.name)
    declared = binding.bindings(op, kernel.datatype)
    if explicit is None:
        columns.check_supported(op, declared, kernel, DTYPES, "CANN kernels")
    else:
        columns.check_declared(explicit, op, soc.name, declared)
        if not op.columns:
            return [_without_op_def(column, op_type, kernel) for column in explicit]
    names = binary_names(op, op.columns)
    found = [_of_op_def(op, column, name, soc, kernel) for column, name in zip(op.columns, names, strict=True)]
    return [column for column in found if explicit is None or column.dtypes in explicit]


def _of_op_def(op: model.SocOp, column: model.Column, binary: str, soc: Soc, kernel: manifest.Kernel) -> Column:
    tensors = [(binding.kernel_name(op, p.name), p, dfx.Kind.OUTPUT) for p in op.outputs]
    tensors = [*((p.name, p, dfx.Kind.INPUT) for p in op.inputs), *tensors]
    for _, param, _ in tensors:
        dtype = column.tensors.get(param.name, ("float16",))[0]
        if dtype not in DTYPES:
            at = param.at + ": " if param.at else ""
            raise InputError(
                f"{at}dtype {dtype} of '{param.name}' is not supported by CANN kernels; allowed {', '.join(DTYPES)}; "
                "fix: remove the column"
            )
    arguments = [_argument(kind, param, column, soc) for _, param, kind in tensors]
    return Column(
        dtypes=binding.dtypes_of(op, column, kernel.datatype),
        binary=binary,
        op_column=column.index,
        tensors=tuple(
            Tensor(name, *column.tensors[param.name]) for name, param, _ in tensors if param.name in column.tensors
        ),
        arguments=(*arguments, *_ENDING),
    )


_ENDING = (dfx.Argument(dfx.Kind.WORKSPACE), dfx.Argument(dfx.Kind.TILING))


def _argument(kind: dfx.Kind, param: model.Param, column: model.Column, soc: Soc) -> dfx.Argument:
    if param.param_type != "dynamic":
        return dfx.Argument(kind)
    return dfx.Argument(kind, _BYTES[column.tensors[param.name][0]] * soc.dtype_unit)


def _without_op_def(dtypes: columns.Column, op_type: str, kernel: manifest.Kernel) -> Column:
    """A binary of a kernel alone: nobody says which of its parameters are outputs, so all count as inputs."""
    text = json.dumps({"op_type": op_type, "dtypes": dtypes}, sort_keys=True)
    digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
    arguments = (dfx.Argument(dfx.Kind.INPUT),) * len(kernel.business_params)
    return Column(dtypes, f"{op_type}_{digest}_{IMPL_MODE}", None, (), (*arguments, *_ENDING))
