"""The config jsons by which the run time finds a binary (cann-flow, section 4.11).

Upstream drops an operator whose binaries disagree with a warning; here that is an error which names what disagrees.
"""

from __future__ import annotations

from typing import Any

from pypto_rules.tools.package.binaries import Binary
from pypto_rules.tools.package.errors import PackageError
from pypto_rules.tools.package.spec import Op

CORE_TYPES = {"MIX": 0, "AiCore": 1, "VectorCore": 2, "MIX_AICORE": 3, "MIX_VECTOR_CORE": 4, "MIX_AIV": 4}
_FORMAT_MODES = {"FormatAgnostic": "static_nd_agnostic", "FormatDefault": "nd_agnostic", "FormatFixed": "normal"}
_DTYPE_MODES = {"DtypeByte": "bit"}
_SHARED_MODES = ("simplifiedKeyMode", "optionalInputMode", "optionalOutputMode")


def op_config(soc: str, op: Op, binaries: list[Binary]) -> dict[str, Any]:
    """`kernel/config/<soc>/<op_file>.json`."""
    return {
        "binList": [
            {
                **binary.support,
                "binInfo": {"jsonFilePath": f"{soc}/{op.op_file}/{binary.json_path.name}"},
            }
            for binary in binaries
        ]
    }


def binary_info_config(soc: str, ops: list[tuple[Op, list[Binary]]]) -> dict[str, Any]:
    """`kernel/config/<soc>/binary_info_config.json`, over all operators of the SoC."""
    return {op.op_type: _op_entry(soc, op, binaries) for op, binaries in sorted(ops, key=lambda item: item[0].op_type)}


def _op_entry(soc: str, op: Op, binaries: list[Binary]) -> dict[str, Any]:
    where = f"operator {op.op_file} for {soc}"
    entry: dict[str, Any] = {"dynamicRankSupport": True}
    for mode in _SHARED_MODES:
        value = _agreed(where, mode, [(b, b.support.get(mode)) for b in binaries])
        if value is not None:
            entry[mode] = value
    params = _agreed(where, "params", [(b, _params(b)) for b in binaries])
    if params is not None:
        entry["params"] = params
    _check_simplified_keys(where, op, binaries)
    listed = [_listed(where, f"{soc}/{op.op_file}", binary) for binary in binaries]
    entry["binaryList"] = sorted(listed, key=lambda item: item["binPath"])
    return entry


def _agreed(where: str, what: str, values: list[tuple[Binary, Any]]) -> Any:
    """The value all binaries have; an error that names the first that has another."""
    first, value = values[0]
    for binary, other in values[1:]:
        if other != value:
            raise PackageError(
                f"{where}: its binaries disagree in {what}: {first.path.name} has {value!r}, "
                f"{binary.path.name} has {other!r}; they cannot be one operator. Rebuild the kernel."
            )
    return value


def _params(binary: Binary) -> dict[str, Any] | None:
    if not binary.support:
        return None
    return {
        "inputs": [_param(p) for p in binary.support.get("inputs", [])],
        "outputs": [_param(p) for p in binary.support.get("outputs", [])],
        "attrs": [{"name": attr["name"]} for attr in binary.support.get("attrs", [])],
    }


def _param(param: Any) -> Any:
    """One parameter; a dynamic one is a list, of which the first member stands for all."""
    if isinstance(param, list):
        return [_param(param[0])]
    if param is None:
        return None
    dtype_mode, format_mode = param.get("dtype_match_mode"), param.get("format_match_mode")
    described = {
        "name": param.get("name"),
        "index": param.get("index"),
        "paramType": param.get("paramType"),
        "dtypeMode": _DTYPE_MODES.get(dtype_mode, dtype_mode),
        "formatMode": _FORMAT_MODES.get(format_mode, format_mode),
    }
    return {key: value for key, value in described.items() if value is not None}


def _check_simplified_keys(where: str, op: Op, binaries: list[Binary]) -> None:
    """No two binaries share a simplified key; of CANN's each has some, since the run time finds it by nothing else."""
    owners: dict[str, Binary] = {}
    for binary in binaries:
        if binary.backend == "cann" and not binary.support.get("simplifiedKey"):
            raise PackageError(
                f"{where}: {binary.json_path.name} has no supportInfo.simplifiedKey, by which the run time finds a "
                f"binary. It comes from the OpDef: add op_host/{op.op_file}_def.cpp to the pypto_op, or set op_def of "
                "the pypto_kernel"
            )
        for key in binary.support.get("simplifiedKey", []):
            other = owners.setdefault(key, binary)
            if other is not binary:
                raise PackageError(
                    f"{where}: {other.path.name} and {binary.path.name} both answer to simplified key {key}"
                )


def _listed(where: str, directory: str, binary: Binary) -> dict[str, Any]:
    core_type = binary.data.get("coreType")
    if core_type not in CORE_TYPES:
        raise PackageError(
            f"{where}: {binary.json_path.name}: coreType is {core_type!r}; known are {', '.join(CORE_TYPES)}"
        )
    listed: dict[str, Any] = {"coreType": CORE_TYPES[core_type]}
    if "simplifiedKey" in binary.support:
        listed["simplifiedKey"] = binary.support["simplifiedKey"]
    if listed["coreType"] == 0 and binary.data.get("taskRation") == "tilingKey":
        listed["multiKernelType"] = 1
    return {
        **listed,
        "binPath": f"{directory}/{binary.path.name}",
        "jsonPath": f"{directory}/{binary.json_path.name}",
    }
