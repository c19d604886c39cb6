"""What a test gives an operator, by the names of its OpDef: tensors and attributes, checked and in its order."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pypto_rules.testing.dtypes import NUMPY_DTYPES, cann_dtype
from pypto_rules.testing.errors import KernelCallError
from pypto_rules.tools.opdef.model import Attr, OpDef, OpDefError, Param, SocOp

_ATTR_KINDS: dict[str, type | tuple[type, ...]] = {"int": int, "float": (int, float), "bool": bool, "str": str}


@dataclass(frozen=True)
class Tensor:
    """A tensor without elements: its shape, dtype (as the OpDef spells it) and format."""

    shape: tuple[int, ...]
    dtype: str
    format: str = "ND"

    def __post_init__(self) -> None:
        if any(dim < 0 for dim in self.shape):
            raise KernelCallError(f"Tensor has the shape {self.shape}; dimensions are 0 or more")


def on_soc(op: OpDef, soc: str) -> SocOp:
    """The operator on a SoC."""
    try:
        return op.for_soc(soc)
    except OpDefError as error:
        raise KernelCallError(str(error)) from error


def by_name(given: Mapping[str, Any], params: Iterable[Param | Attr], what: str) -> dict[str, Any]:
    """The given values, every name of which is known."""
    names = [param.name for param in params]
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            raise KernelCallError(f"'{name}' is no {what} of the operator{hint}; it has {', '.join(names) or 'none'}")
    return dict(given)


def tensors_of(param: Param, value: Any) -> list[Tensor | np.ndarray]:
    """The tensors given for a parameter: one, none for an optional one, a list for a dynamic one."""
    if value is None:
        if param.param_type == "optional":
            return []
        raise KernelCallError(f"'{param.name}' is missing; it is {param.param_type}")
    if param.param_type == "dynamic":
        if not isinstance(value, list):
            raise KernelCallError(f"'{param.name}' is a list of tensors; give a list, found {type(value).__name__}")
        return [as_tensor(param.name, item) for item in value]
    return [as_tensor(param.name, value)]


def as_tensor(name: str, value: Any) -> Tensor | np.ndarray:
    """A Tensor, a numpy array, or (shape, dtype)."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
        value = Tensor(tuple(value[0]), value[1])
    if isinstance(value, Tensor):
        if value.dtype not in NUMPY_DTYPES:
            raise KernelCallError(
                f"'{name}' has the dtype '{value.dtype}'; known are {', '.join(sorted(NUMPY_DTYPES))}"
            )
        return value
    if isinstance(value, np.ndarray | np.generic):
        cann_dtype(value.dtype, name)
        return np.asarray(value)
    raise KernelCallError(f"'{name}' is {value!r:.60}; give a Tensor, (shape, dtype) or a numpy array")


def described(value: Tensor | np.ndarray) -> dict[str, Any]:
    """A tensor as the run time's questions have it; arrays bring their elements along."""
    if isinstance(value, Tensor):
        return {"shape": list(value.shape), "dtype": value.dtype, "format": value.format}
    data = np.ascontiguousarray(value).tobytes().hex()
    return {"shape": list(value.shape), "dtype": cann_dtype(value.dtype, "array"), "data": data}


def params_of(params: Sequence[Param], given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Parameters in the OpDef's order, each with its tensors."""
    return [
        {
            "name": param.name,
            "kind": param.param_type,
            "tensors": [described(value) for value in tensors_of(param, given.get(param.name))],
        }
        for param in params
    ]


def output_dtypes(op: SocOp, inputs: Sequence[Mapping[str, Any]], inferred: Sequence[str]) -> list[str]:
    """The dtype of every output: as inferred, else as the OpDef's column of these inputs has it."""
    given = {param["name"]: param["tensors"][0]["dtype"] for param in inputs if param["tensors"]}
    columns = [c for c in op.columns if all(c.tensors[name][0] == dtype for name, dtype in given.items())]
    dtypes = []
    for param, dtype in zip(op.outputs, inferred, strict=True):
        if dtype == "undefined" and not columns:
            shown = ", ".join(f"{name}: {dtype}" for name, dtype in given.items())
            raise KernelCallError(f"the OpDef of {op.op_type} has no column for ({shown}); give the outputs")
        dtypes.append(columns[0].tensors[param.name][0] if dtype == "undefined" else dtype)
    return dtypes


def attr_values(op: SocOp, given: Mapping[str, Any]) -> list[tuple[Attr, Any]]:
    """Every attribute with its value, defaults filled in."""
    values = by_name(given, op.attrs, "attribute")
    return [(attr, _attr_value(attr, values)) for attr in op.attrs]


def _attr_value(attr: Attr, given: Mapping[str, Any]) -> Any:
    value = given.get(attr.name, attr.default)
    if value is None:
        raise KernelCallError(f"attribute '{attr.name}' ({attr.type}) is missing, and has no default")
    element = attr.type.removeprefix("list_")
    wanted = _ATTR_KINDS.get(element, list)
    items = value if attr.type.startswith("list_") else [value]
    if not isinstance(items, list | tuple) or not all(_is(item, wanted) for item in items):
        raise KernelCallError(f"attribute '{attr.name}' is {value!r}; its type is {attr.type}")
    return list(value) if attr.type.startswith("list_") else value


def _is(value: Any, wanted: type | tuple[type, ...]) -> bool:
    return isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
