"""`load_op`: an operator of a package as a Python function, called through its aclnn library."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pypto_rules.testing.acl import Acl
from pypto_rules.testing.dtypes import NUMPY_DTYPES
from pypto_rules.testing.errors import HostSideError, KernelCallError
from pypto_rules.testing.kernel import Kernel, load_kernel
from pypto_rules.testing.operands import attr_values, by_name, on_soc, output_dtypes, params_of, tensors_of
from pypto_rules.testing.runtime import Runtime, load_runtime, runfile, variable
from pypto_rules.tools.aclnn.signature import api_name, parameters
from pypto_rules.tools.opdef import model

_RULE = "pypto_op_test"
_ARRAYS = {"list_int": "Int", "list_float": "Float", "list_bool": "Bool"}


@dataclass(frozen=True)
class Launch:
    """The variant a call reached: dtype column, TilingKey by field, BlockDim, bytes of workspace."""

    dtypes: dict[str, str]
    tiling_key: dict[str, int]
    block_dim: int
    workspace: int


class Op:
    """One operator of an installed package."""

    def __init__(
        self, runtime: Runtime, op: model.OpDef, kernel: Kernel, package: Path, soc: str, aclnn_type: str = "aclnn"
    ) -> None:
        """`package` is the vendor directory; it alone is installed for this process."""
        os.environ["ASCEND_CUSTOM_OPP_PATH"] = str(package)
        os.environ.pop("ASCEND_OPP_PATH", None)
        os.environ["PYPTO_TWIN_SOC"] = soc
        self._runtime = runtime
        self._op = op
        self._api = api_name(op, aclnn_type)
        self._on_soc = on_soc(op, soc)
        self._kernel = kernel
        self._proto = package / f"op_proto/lib/linux/{os.uname().machine}/libcust_opsproto_rt2.0.so"
        self._library = ctypes.CDLL(str(package / "op_api/lib/libcust_opapi.so"))
        self._reached: set[int] = set()
        self.last: Launch | None = None

    def __call__(
        self, *inputs: Any, out: np.ndarray | tuple[np.ndarray, ...] | None = None, **named: Any
    ) -> np.ndarray | tuple[np.ndarray, ...]:
        """Call the operator.

        Args:
            inputs: numpy arrays in the OpDef's order; None for an absent optional one, a list for a dynamic one.
            out: arrays for the outputs; left out, they are made as InferShape says.
            named: inputs and attributes by name.

        Returns:
            The output, or a tuple of several.

        Raises:
            KernelCallError: the call does not fit the OpDef.
            HostSideError: the run time refused the call, or the kernel broke a rule; `last` says which variant ran.
        """
        tensors, attrs = self._sorted(inputs, named)
        outputs = self._outputs(tensors, attrs, out)
        results = self._call(tensors, attrs, outputs)
        return results[0] if len(results) == 1 else tuple(results)

    def unreached_keys(self) -> list[dict[str, int]]:
        """The TilingKeys of the package that no call has reached."""
        schema = self._kernel.contract.tiling_key
        reached = {valid.combo for valid in schema.valid if valid.packed in self._reached}
        return [key for key in self._kernel.keys if tuple(key.values()) not in reached]

    def _sorted(self, inputs: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        params = [param for param in self._on_soc.inputs if param.param_type != "virtual"]
        if len(inputs) > len(params):
            names = ", ".join(param.name for param in params)
            raise KernelCallError(f"{self._op.op_type} takes {len(params)} inputs ({names}), {len(inputs)} given")
        known = {attr.name for attr in self._on_soc.attrs}
        attrs = {name: value for name, value in named.items() if name in known}
        rest = by_name({n: v for n, v in named.items() if n not in known}, params, "input or attribute")
        return dict(zip((param.name for param in params), inputs, strict=False)) | rest, attrs

    def _outputs(self, tensors: Mapping[str, Any], attrs: Mapping[str, Any], out: Any) -> list[np.ndarray]:
        if out is not None:
            given = list(out) if isinstance(out, tuple) else [out]
            if len(given) != len(self._on_soc.outputs):
                raise KernelCallError(f"{self._op.op_type} has {len(self._on_soc.outputs)} outputs, {len(given)} given")
            return given
        inputs = params_of(self._on_soc.inputs, tensors)
        unknown = [{"shape": [], "dtype": "undefined"}]
        request = {
            "library": str(self._proto),
            "op_type": self._op.op_type,
            "soc": self._on_soc.soc,
            "inputs": inputs,
            "outputs": [{"name": p.name, "kind": p.param_type, "tensors": unknown} for p in self._on_soc.outputs],
            "attrs": [{"name": a.name, "type": a.type, "value": v} for a, v in attr_values(self._on_soc, attrs)],
        }
        found = self._runtime.ask("pypto_twin_infer_shape", request)["outputs"]
        dtypes = output_dtypes(self._on_soc, inputs, [tensor["dtype"] for tensor in found])
        return [np.zeros(t["shape"], NUMPY_DTYPES[dtype]) for t, dtype in zip(found, dtypes, strict=True)]

    def _call(
        self, tensors: Mapping[str, Any], attrs: Mapping[str, Any], outputs: list[np.ndarray]
    ) -> list[np.ndarray]:
        acl = Acl(self._runtime)
        try:
            values = {attr.name: value for attr, value in attr_values(self._on_soc, attrs)}
            addresses: list[int] = []
            arguments: list[Any] = []
            remaining = iter(outputs)
            for parameter in parameters(self._op):
                if parameter.role == "attr":
                    arguments.append(_attribute(acl, parameter.source, values[parameter.source.name]))
                elif parameter.role == "input":
                    arguments.append(_input(acl, parameter.source, tensors.get(parameter.source.name)))
                else:
                    tensor, address = acl.tensor(next(remaining))
                    arguments.append(ctypes.c_void_p(tensor))
                    addresses.append(address)
            self._run(acl, arguments)
            results = [np.empty(array.shape, array.dtype) for array in outputs]
            for address, result in zip(addresses, results, strict=True):
                acl.read(address, result)
        finally:
            acl.close()
        return results

    def _run(self, acl: Acl, arguments: list[Any]) -> None:
        """Both phases, with exactly the workspace that phase one asks for."""
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        phase_one = getattr(self._library, f"{self._api}GetWorkspaceSize")
        acl.check(phase_one(*arguments, ctypes.byref(size), ctypes.byref(executor)))
        workspace = ctypes.c_void_p(acl.allocate(size.value))
        status = getattr(self._library, self._api)(workspace, size, executor, None)
        self._note_launch()
        try:
            acl.check(status)
        except HostSideError as error:
            raise HostSideError(self._with_line(str(error))) from None

    def _note_launch(self) -> None:
        answer = self._runtime.ask("pypto_twin_last_launch")
        packed = int(answer["tiling_key"])
        schema = self._kernel.contract.tiling_key
        combo = next((valid.combo for valid in schema.valid if valid.packed == packed), None)
        self._site = (answer["dtypes"], packed, answer["site"])
        if combo is not None:
            self._reached.add(packed)
            key = schema.as_dict(combo)
            self.last = Launch(answer["dtypes"], key, answer["block_dim"], answer["workspace_bytes"])

    def _with_line(self, text: str) -> str:
        """The text with the kernel's line in front, when it is about an operation of the kernel."""
        where = self._kernel.line_of(*self._site)
        return f"{where}: {text}" if where else text


def _attribute(acl: Acl, attr: model.Attr, value: Any) -> Any:
    if attr.type in _ARRAYS:
        return ctypes.c_void_p(acl.array(_ARRAYS[attr.type], value))
    if attr.type == "str":
        return ctypes.c_char_p(value.encode())
    return {"int": ctypes.c_int64, "float": ctypes.c_double, "bool": ctypes.c_bool}[attr.type](value)


def _input(acl: Acl, param: model.Param, value: Any) -> Any:
    arrays = tensors_of(param, value)
    for array in arrays:
        if not isinstance(array, np.ndarray):
            raise KernelCallError(f"'{param.name}' is {array}; a call needs a numpy array")
    made = [acl.tensor(array)[0] for array in arrays]
    if param.param_type == "dynamic":
        return ctypes.c_void_p(acl.tensor_list(made))
    return ctypes.c_void_p(made[0] if made else None)


def load_op() -> Op:
    """The operator of this pypto_op_test, in its package."""
    runtime = load_runtime(runfile("PYPTO_TWIN_HOST", _RULE))
    path = runfile("PYPTO_OP_DEF", _RULE)
    try:
        op = model.read(path, path.name)
    except model.OpDefError as error:
        raise KernelCallError(str(error)) from error
    package, soc = runfile("PYPTO_PACKAGE", _RULE), variable("PYPTO_SOC", _RULE)
    return Op(runtime, op, load_kernel(), package, soc, variable("PYPTO_ACLNN_TYPE", _RULE))
