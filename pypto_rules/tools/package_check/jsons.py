"""The JSON files that the run time reads: what they name exists, and they agree with each other."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fastjsonschema

from pypto_rules.tools.opdef.numbers import DTYPES, FORMATS
from pypto_rules.tools.package_check.vendor import TBE, Vendor

_KEY = re.compile(r"(\w+)/d=[01],p=[01](?:/(.*))?")
_DTYPE_NAMES = {str(number): name for name, number in DTYPES.items()}
_FORMAT_NAMES = {str(number): name for name, number in FORMATS.items()}

_SCHEMAS = Path(__file__).parents[3] / "docs/schemas"


@functools.cache
def _validator(name: str) -> Callable[[Any], Any]:
    return fastjsonschema.compile(json.loads((_SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))


def schema_problems(vendor: Vendor) -> list[str]:
    """What docs/schemas does not allow."""
    found = []
    for path, name in _described(vendor):
        try:
            _validator(name)(vendor.load(path))
        except fastjsonschema.JsonSchemaValueException as error:
            found.append(f"{path}: {error.message.replace('data', name, 1)} (docs/schemas/{name}.schema.json)")
    return found


def _described(vendor: Vendor) -> Iterator[tuple[str, str]]:
    """The JSON files that have a schema, each with its name."""
    for path in vendor.paths:
        if path == "manifest.json":
            yield path, "manifest"
        elif path.endswith("/binary_info_config.json"):
            yield path, "binary_info_config"
        elif path.startswith(f"{TBE}/kernel/config/"):
            yield path, "op_config"
        elif path.startswith(f"{TBE}/kernel/") and path.endswith(".json"):
            yield path, "binary"


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
