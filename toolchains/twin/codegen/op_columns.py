"""Which dtype columns are generated: those of the OpDef, or those of the BUILD file, which the OpDef must have."""

from __future__ import annotations

from pypto_rules.tools.codegen import columns
from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.contract import manifest
from pypto_rules.tools.opdef import binding
from toolchains.twin.codegen import dtypes


def chosen(given: str | None, op_def: str | None, soc: str, kernel: manifest.Kernel) -> list[columns.Column]:
    """The columns to generate; `given` and `op_def` are paths, at least one is given."""
    if op_def is None:
        if given is None:
            raise InputError("neither dtype columns nor an OpDef are given; fix: --columns or --op-def")
        return columns.read(given, kernel, dtypes.BY_CANN)
    op = columns.operator(op_def, soc)
    declared = binding.bindings(op, kernel.datatype)
    if given is None:
        columns.check_supported(op, declared, kernel, dtypes.BY_CANN, "the CPU twin")
        return declared
    explicit = columns.read(given, kernel, dtypes.BY_CANN)
    columns.check_declared(explicit, op, soc, declared)
    return explicit
