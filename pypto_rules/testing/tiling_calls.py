"""`load_tiling`: the host tiling function and InferShape of an operator as Python callables."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypto_rules.testing.errors import HostSideError, KernelCallError
from pypto_rules.testing.kernel import Kernel, load_kernel
from pypto_rules.testing.operands import Tensor, attr_values, by_name, on_soc, output_dtypes, params_of
from pypto_rules.testing.runtime import Runtime, load_runtime, runfile, variable
from pypto_rules.tools.opdef import model

_RULE = "pypto_tiling_test"


@dataclass(frozen=True)
class TilingResult:
    """What the tiling function decided.

    `tiling_data` is an object of the generated class, `tiling_key` the value of each field, `packed_key` all
    of them in 64 bits, `workspace` the sizes asked for in bytes, `outputs` shape and dtype of each output tensor.
    """

    tiling_data: Any
    tiling_key: dict[str, int]
    packed_key: int
    block_dim: int
    workspace: list[int]
    outputs: list[Tensor]


class Tiling:
    """The host side of one operator."""

    def __init__(
        self, runtime: Runtime, op: model.OpDef, kernel: Kernel, libraries: Mapping[str, Path], soc: str
    ) -> None:
        """`libraries` has `tiling` and `proto`."""
        self._runtime = runtime
        self._op = op
        self._kernel = kernel
        self._libraries = libraries
        self._soc = soc

    def __call__(
        self,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
        soc: str | None = None,
    ) -> TilingResult:
        """Run the tiling function.

        Args:
            inputs: by name: a `Tensor`, a tuple (shape, dtype), or a numpy array, whose elements the function may read.
            outputs: by name; left out, InferShape says what they are.
            attrs: by name; those left out have their defaults.
            soc: another SoC than the one the test is built for.

        Raises:
            KernelCallError: the call does not fit the OpDef.
            HostSideError: the function failed, or chose a TilingKey or BlockDim that cannot be.
        """
        request = self._request(inputs, attrs or {}, soc)
        op = on_soc(self._op, soc or self._soc)
        if outputs is None:
            request["outputs"] = self._inferred_outputs(op, request)
        else:
            request["outputs"] = params_of(op.outputs, by_name(outputs, op.outputs, "output"))
        answer = self._runtime.ask("pypto_twin_tiling", request | self._kernel_request())
        return self._result(answer, request)

    def infer_shape(
        self, inputs: Mapping[str, Any], attrs: Mapping[str, Any] | None = None, soc: str | None = None
    ) -> list[Tensor]:
        """Shape and dtype of every output tensor, as InferShape and InferDataType give them."""
        request = self._request(inputs, attrs or {}, soc)
        op = on_soc(self._op, soc or self._soc)
        # Their number is known, their shapes are what is asked for.
        request["outputs"] = [_unknown(param) for param in op.outputs]
        return self._infer(request)

    def _request(self, inputs: Mapping[str, Any], attrs: Mapping[str, Any], soc: str | None) -> dict[str, Any]:
        op = on_soc(self._op, soc or self._soc)
        values = attr_values(op, attrs)
        return {
            "op_type": op.op_type,
            "soc": op.soc,
            "inputs": params_of(op.inputs, by_name(inputs, op.inputs, "input")),
            "attrs": [{"name": attr.name, "type": attr.type, "value": value} for attr, value in values],
        }

    def _infer(self, request: Mapping[str, Any]) -> list[Tensor]:
        answer = self._runtime.ask("pypto_twin_infer_shape", {**request, "library": str(self._libraries["proto"])})
        return [_inferred(output) for output in answer["outputs"]]

    def _inferred_outputs(self, op: model.SocOp, request: dict[str, Any]) -> list[dict[str, Any]]:
        request["outputs"] = [_unknown(param) for param in op.outputs]
        found = self._infer(request)
        dtypes = output_dtypes(op, request["inputs"], [tensor.dtype for tensor in found])
        return [
            {"name": p.name, "kind": p.param_type, "tensors": [{"shape": list(tensor.shape), "dtype": dtype}]}
            for p, tensor, dtype in zip(op.outputs, found, dtypes, strict=True)
        ]

    def _kernel_request(self) -> dict[str, Any]:
        schema = self._kernel.contract.tiling_key
        built = {tuple(key.values()) for key in self._kernel.keys}
        return {
            "library": str(self._libraries["tiling"]),
            "tiling_bytes": self._kernel.contract.tiling.sizeof,
            "kernel": {
                "name": self._kernel.contract.kernel_name,
                "fields": [{"name": f.name, "bits": f.bits, "values": list(f.values)} for f in schema.fields],
                "keys": [{"packed": v.packed, "values": list(v.combo)} for v in schema.valid if v.combo in built],
                "cores": self._kernel.binaries[0].json["coreType"],
            },
        }

    def _result(self, answer: Mapping[str, Any], request: Mapping[str, Any]) -> TilingResult:
        function = f"the tiling function of {request['op_type']}"
        if answer["key_problem"]:
            raise HostSideError(f"{function} chose a TilingKey without a kernel: {answer['key_problem']}")
        if not 1 <= answer["block_dim"] <= answer["most_blocks"]:
            raise HostSideError(
                f"{function} set BlockDim {answer['block_dim']}; allowed are 1 to {answer['most_blocks']}, "
                f"the cores of {request['soc']}"
            )
        contract = self._kernel.contract
        packed = int(answer["tiling_key"])
        combo = next(valid.combo for valid in contract.tiling_key.valid if valid.packed == packed)
        module = importlib.import_module(f"pypto_tiling.{contract.kernel_name}")
        tensors = [tensor for param in request["outputs"] for tensor in param["tensors"]]
        return TilingResult(
            tiling_data=getattr(module, contract.tiling.name).from_bytes(bytes.fromhex(answer["tiling_data"])),
            tiling_key=contract.tiling_key.as_dict(combo),
            packed_key=packed,
            block_dim=answer["block_dim"],
            workspace=answer["workspaces"],
            outputs=[Tensor(tuple(t["shape"]), t["dtype"]) for t in tensors],
        )


def _unknown(param: model.Param) -> dict[str, Any]:
    return {
        "name": param.name,
        "kind": param.param_type,
        "tensors": [{"shape": [], "dtype": param.dtypes[0] if param.dtypes else "undefined"}],
    }


def _inferred(output: Mapping[str, Any]) -> Tensor:
    if any(dim < 0 for dim in output["shape"]):
        raise HostSideError(f"InferShape gives the shape {output['shape']} for inputs that are known")
    return Tensor(tuple(output["shape"]), output["dtype"])


def load_tiling() -> Tiling:
    """The host side of this pypto_tiling_test's operator."""
    runtime = load_runtime(runfile("PYPTO_TWIN_HOST", _RULE))
    path = runfile("PYPTO_OP_DEF", _RULE)
    try:
        op = model.read(path, path.name)
    except model.OpDefError as error:
        raise KernelCallError(str(error)) from error
    libraries = {
        "tiling": runfile("PYPTO_TILING_LIBRARY", _RULE),
        "proto": runfile("PYPTO_PROTO_LIBRARY", _RULE),
    }
    return Tiling(runtime, op, load_kernel(), libraries, variable("PYPTO_SOC", _RULE))
