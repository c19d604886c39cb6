"""The JSON files that the run time reads: what they name exists, and they agree with each other."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from pypto_rules.tools.opdef.numbers import DTYPES, FORMATS
from pypto_rules.tools.package_check.vendor import TBE, Vendor

_KEY = re.compile(r"(\w+)/d=[01],p=[01](?:/(.*))?")
_DTYPE_NAMES = {str(number): name for name, number in DTYPES.items()}
_FORMAT_NAMES = {str(number): name for name, number in FORMATS.items()}


def problems(vendor: Vendor) -> list[str]:
    """What is wrong with the configurations of every SoC."""
    found = []
    for soc in vendor.manifest["socs"]:
        path = f"{TBE}/kernel/config/{soc}/binary_info_config.json"
        if path not in vendor.paths:
            found.append(f"there is no {path}: the run time finds no operator on {soc}")
            continue
        for op_type, op in vendor.load(path).items():
            for binary in op["binaryList"]:
                found += [f"{path}: {op_type}: {text}" for text in _binary_problems(vendor, op_type, binary)]
    return found


def _binary_problems(vendor: Vendor, op_type: str, binary: dict[str, Any]) -> list[str]:
    missing = [binary[key] for key in ("binPath", "jsonPath") if f"{TBE}/kernel/{binary[key]}" not in vendor.paths]
    if missing:
        return [f"{name} is not there" for name in missing]
    data = vendor.load(f"{TBE}/kernel/{binary['jsonPath']}")
    digest = hashlib.sha256(vendor.paths[f"{TBE}/kernel/{binary['binPath']}"].read_bytes()).hexdigest()
    problems = [] if data.get("sha256") == digest else [f"{binary['jsonPath']} has the sha256 of another binary"]
    tensors = _tensors(data.get("supportInfo"))
    for key in binary.get("simplifiedKey", []):
        problems += _key_problems(key, op_type, tensors)
    return problems


def _tensors(support: dict[str, Any] | None) -> list[tuple[str, str]] | None:
    """Dtype and format of every parameter, as a simplified key has them."""
    if support is None:
        return None
    described = [item[0] if isinstance(item, list) else item for item in support["inputs"] + support["outputs"]]
    return [(item["dtype"], item["format"]) for item in described]


def _key_problems(key: str, op_type: str, tensors: list[tuple[str, str]] | None) -> list[str]:
    found = _KEY.fullmatch(key)
    if not found or found[1] != op_type:
        return [f"the simplified key {key} is not <OpType>/d=<0|1>,p=<0|1>/<dtype>,<format>/…"]
    pairs = [pair.partition(",") for pair in found[2].split("/")] if found[2] else []
    decoded = [(_DTYPE_NAMES.get(dtype, dtype), _FORMAT_NAMES.get(form, form)) for dtype, _, form in pairs]
    if tensors is not None and decoded != [(dtype or "", form) for dtype, form in tensors]:
        return [f"the simplified key {key} decodes to {decoded}, supportInfo says {tensors}"]
    return []
