"""The kernel against the operator's OpDef: parameters, their order, their dtypes, the names it is found by."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pypto_rules.tools.contract.problems import Location, Problems
from pypto_rules.tools.opdef import model
from pypto_rules.tools.opdef.model import OpDefError

__all__ = ["OpDef", "OpDefCheck", "OpDefError", "Tensor", "read"]


@dataclass(frozen=True)
class Tensor:
    """An input or output: the kernel's parameter for it, and its dtype in each column."""

    name: str
    role: str
    dtypes: tuple[str, ...]


@dataclass(frozen=True)
class OpDef:
    """An OpDef as far as a kernel depends on it; `op_file` and `op_interface` are None where nothing says them."""

    op_type: str
    tensors: tuple[Tensor, ...]
    op_file: str | None
    op_interface: str | None


def read(path: Path, shown: str, soc: str | None = None) -> OpDef:
    """Read `op.json`, for a SoC when one is given; `shown` is what errors call it.

    Raises:
        OpDefError: the file is no OpDef, or the OpDef does not register the SoC.
    """
    op = model.read(path, shown)
    by_hand = op.socs is None
    if soc is None and not by_hand:
        soc = next(iter(op.socs))
    found = op.for_soc(soc or "")
    inputs = [Tensor(param.name, "input", param.dtypes) for param in found.inputs]
    # The framework exports an output that is also an input under a name of its own.
    names = {tensor.name for tensor in inputs}
    outputs = [Tensor(p.name + "_ref" if p.name in names else p.name, "output", p.dtypes) for p in found.outputs]
    return OpDef(
        found.op_type,
        (*inputs, *outputs),
        op.op_file if by_hand else found.op_file,
        op.op_interface if by_hand else found.op_interface,
    )


class OpDefCheck:
    """Checks one kernel against its OpDef."""

    def __init__(self, op: OpDef, kernel_at: Location, problems: Problems) -> None:
        self._op = op
        self._at = kernel_at
        self._problems = problems
        self._known = {tensor.name: tensor for tensor in op.tensors}

    def check_names(self, op_file: str, function: str) -> None:
        """The operator is found by the names of the file and of the function."""
        for what, setting, found, wanted in (
            ("kernel file", "opFile.value", op_file, self._op.op_file),
            ("kernel function", "opInterface.value", function, self._op.op_interface),
        ):
            if wanted is not None and found != wanted:
                self._problems.add(
                    "PYPTO-E604",
                    self._at,
                    f"the {what} is called '{found}', the OpDef of {self._op.op_type} says {setting} '{wanted}'",
                    f"rename the {what} to {wanted}, or set {setting} to {found} in the OpDef",
                )

    def check_parameters(self, parameters: Mapping[str, Location]) -> None:
        """Names, number and order; `parameters` are the kernel's inputs and outputs in its order, with their places."""
        wanted = list(self._known)
        missing = [name for name in wanted if name not in parameters]
        unknown = [name for name in parameters if name not in self._known]
        in_order = len(unknown) == len(missing)  # then each one is most likely a wrong name of its counterpart
        for name in unknown:
            self._report_unknown(name, parameters[name], missing, in_order)
        for name in missing:
            role, place = self._known[name].role, ", ".join(wanted)
            self._problems.add(
                "PYPTO-E601",
                self._at,
                f"the OpDef of {self._op.op_type} has the {role} '{name}', which is not a parameter of the kernel; "
                f"found {', '.join(parameters) or 'none'}; allowed are {place}",
                f"add {name}: pl.Ptr[...], so that the parameters are ({place}, workspace, tiling)",
            )
        if set(parameters) == set(wanted):
            self._check_order(parameters, wanted)

    def _report_unknown(self, name: str, at: Location, missing: list[str], in_order: bool) -> None:
        close = difflib.get_close_matches(name, missing, n=1) or (missing[:1] if in_order else [])
        if close:
            missing.remove(close[0])  # one edit mends both
        self._problems.add(
            "PYPTO-E601",
            at,
            f"parameter '{name}' is not an input or output of {self._op.op_type}; "
            f"allowed are {', '.join(self._known)}, as in the OpDef",
            f"rename it to '{close[0]}'" if close else f"remove '{name}', or add it to the OpDef",
        )

    def _check_order(self, parameters: Mapping[str, Location], wanted: list[str]) -> None:
        for found, name in zip(parameters, wanted, strict=True):
            if found != name:
                self._problems.add(
                    "PYPTO-E602",
                    parameters[found],
                    f"parameter '{found}' is where the OpDef of {self._op.op_type} has '{name}'; "
                    f"found {', '.join(parameters)}; allowed is {', '.join(wanted)}: all inputs, then all outputs",
                    f"write the parameters as ({', '.join(wanted)}, workspace, tiling)",
                )
                return

    def check_datatype(self, datatype: Mapping[str, str], at: Location) -> None:
        """Parameters that share a dtype variable have the same dtype in every column."""
        first: dict[str, Tensor] = {}
        for name, variable in datatype.items():
            tensor = self._known.get(name)
            if tensor is None or not tensor.dtypes:
                continue
            other = first.setdefault(variable, tensor)
            if other.dtypes != tensor.dtypes:
                self._problems.add(
                    "PYPTO-E603",
                    at,
                    f"datatype gives '{other.name}' and '{name}' one variable, '{variable}'; their dtypes differ in "
                    f"the OpDef of {self._op.op_type}: {', '.join(other.dtypes)} and {', '.join(tensor.dtypes)}",
                    f'give \'{name}\' a variable of its own: datatype={{"{name}": "{name}_dtype"}}',
                )
