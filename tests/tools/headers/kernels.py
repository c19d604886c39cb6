"""Kernels for the header tests, from short descriptions; layout and packing are worked out here, not by the tools."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract import manifest

_TYPES = {"int": ("int64_t", 8, "index"), "float": ("float", 4, "fp32"), "bool": ("bool", 1, "bool")}

# What each kernel stresses: padding between fields, arrays, one-byte structs, many keys, partial keys, all 64 bits.
KERNELS: dict[str, tuple[dict[str, str], dict[str, tuple[int, list[int]]], Callable[..., bool] | None]] = {
    "plain": ({"total_length": "int", "tile_num": "int"}, {"sch_mode": (1, [0, 1])}, None),
    "mixed": (
        {"has_tail": "bool", "alpha": "float", "total": "int", "flags": "bool[5]", "beta": "float"},
        {"tail": (1, [0, 1]), "tile": (2, [64, 128, 256])},
        lambda tail, tile: not (tail and tile == 256),
    ),
    "one_byte": ({"on": "bool", "also": "bool[2]"}, {"k": (3, [7])}, None),
    "big_array": ({"shape": "int[2048]", "last": "bool"}, {"k": (1, [1, 0])}, None),
    "many_keys": ({"n": "int"}, {"a": (2, [3, 1, 2]), "b": (3, [16, 64, 128, 5]), "c": (4, [9, 0])}, None),
    "all_bits": (
        {"n": "int", "x": "float"},
        {"low": (1, [1, 0]), "high": (63, [0, 2**62, 2**63 - 1])},
        None,
    ),
    "nasty_names": (
        {
            "data_size": "int",
            "x": "bool",
            "x_handler": "float",
            "class_": "int",
            "padding_1": "bool",
            "padding_2": "int",
        },
        {"_k": (1, [0, 1])},
        None,
    ),
}


def kernel(name: str) -> manifest.Kernel:
    """The kernel of this name."""
    fields, key, is_valid = KERNELS[name]
    return manifest.from_json(
        {
            "schema_version": manifest.SCHEMA_VERSION,
            "kernel_name": name,
            "op_file": name,
            "tiling_key": _tiling_key("Key_" + name, key, is_valid),
            "datatype": None,
            "tiling": _tiling("Data_" + name, fields),
            "params": [],
            "entry_params": [],
            "has_cube": False,
            "has_vector": True,
        }
    )


def truth(directory: Path) -> manifest.Kernel:
    """The kernel of a contract case, as the real front end described it in truth.json."""
    data = json.loads((directory / "truth.json").read_text(encoding="utf-8"))
    kept = {key: value for key, value in data.items() if key not in ("case", "generated_files")}
    tiling = {key: value for key, value in data["tiling"].items() if key != "gpp_check"}
    return manifest.from_json({"schema_version": 1, "op_file": data["kernel_name"], **kept, "tiling": tiling})


def own(directory: Path) -> manifest.Kernel:
    """The kernel of one of our valid contract cases, as its expected.json describes it by hand."""
    data = json.loads((directory / "expected.json").read_text(encoding="utf-8"))
    name = data["kernel"].removesuffix(".py")
    key = data["tiling_key"]
    fields = [dict(zip(("name", "bits", "offset", "values"), field, strict=True)) for field in key["fields"]]
    valid = [{"combo": combo, "packed": int(packed, 16), "packed_hex": packed[2:]} for combo, packed in key["valid"]]
    described = {
        "name": key["name"],
        "fields": fields,
        "total_bits": sum(field["bits"] for field in fields),
        "has_is_valid": len(valid) < key["combinations"],
        "total_combos": key["combinations"],
        "valid": valid,
    }
    tiling = {**data["tiling"], "param": "tiling", "fields": [_field(*field) for field in data["tiling"]["fields"]]}
    return manifest.from_json(
        {
            "schema_version": manifest.SCHEMA_VERSION,
            "kernel_name": name,
            "op_file": name,
            "tiling_key": described,
            "datatype": None,
            "tiling": tiling,
            "params": [],
            "entry_params": [],
            "has_cube": False,
            "has_vector": True,
        }
    )


def _field(name: str, ctype: str, offset: int) -> dict[str, Any]:
    element, _, bound = ctype.rstrip("]").partition("[")
    py, (_, width, dtype) = next((py, kind) for py, kind in _TYPES.items() if kind[0] == element)
    count = int(bound) if bound else None
    size = width * (count or 1)
    annotation = py if count is None else f"{py}[{count}]"
    return {
        "name": name,
        "py": annotation,
        "dtype": dtype,
        "count": count,
        "offset": offset,
        "size": size,
        "ctype": ctype,
    }


def _tiling(name: str, fields: dict[str, str]) -> dict[str, Any]:
    offset, align, described = 0, 1, []
    for field, annotation in fields.items():
        base, _, bound = annotation.rstrip("]").partition("[")
        ctype, width, dtype = _TYPES[base]
        count = int(bound) if bound else None
        offset = -(-offset // width) * width
        align = max(align, width)
        size = width * (count or 1)
        described.append(
            {
                "name": field,
                "py": annotation,
                "dtype": dtype,
                "count": count,
                "offset": offset,
                "size": size,
                "ctype": ctype if count is None else f"{ctype}[{count}]",
            }
        )
        offset += size
    return {"param": "tiling", "name": name, "sizeof": -(-offset // align) * align, "align": align, "fields": described}


def _tiling_key(
    name: str, fields: dict[str, tuple[int, list[int]]], is_valid: Callable[..., bool] | None
) -> dict[str, Any]:
    offset, described = 0, []
    for field, (bits, values) in fields.items():
        described.append({"name": field, "bits": bits, "offset": offset, "values": values})
        offset += bits
    valid = []
    for combo in itertools.product(*(values for _, values in fields.values())):
        if is_valid is None or is_valid(*combo):
            packed = sum(f["values"].index(v) << f["offset"] for f, v in zip(described, combo, strict=True))
            valid.append({"combo": list(combo), "packed": packed, "packed_hex": format(packed, "x")})
    total = 1
    for field in described:
        total *= len(field["values"])
    return {
        "name": name,
        "fields": described,
        "total_bits": offset,
        "has_is_valid": is_valid is not None,
        "total_combos": total,
        "valid": valid,
    }


# What upstream writes for `mixed`, whole.
UPSTREAM_TILING_KEY = """\
#include "ascendc/host_api/tiling/template_argument.h"

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2

ASCENDC_TPL_ARGS_DECL(mixed,
    // bit:0-0
    ASCENDC_TPL_UINT_DECL(tail, ASCENDC_TPL_1_BW, ASCENDC_TPL_UI_LIST, 0, 1),
    // bit:2-1
    ASCENDC_TPL_UINT_DECL(tile, ASCENDC_TPL_2_BW, ASCENDC_TPL_UI_LIST, 64, 128, 256),
);

ASCENDC_TPL_SEL(
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_UINT_SEL(tail, ASCENDC_TPL_UI_LIST, 0),
        ASCENDC_TPL_UINT_SEL(tile, ASCENDC_TPL_UI_LIST, 64)
    ),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_UINT_SEL(tail, ASCENDC_TPL_UI_LIST, 0),
        ASCENDC_TPL_UINT_SEL(tile, ASCENDC_TPL_UI_LIST, 128)
    ),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_UINT_SEL(tail, ASCENDC_TPL_UI_LIST, 0),
        ASCENDC_TPL_UINT_SEL(tile, ASCENDC_TPL_UI_LIST, 256)
    ),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_UINT_SEL(tail, ASCENDC_TPL_UI_LIST, 1),
        ASCENDC_TPL_UINT_SEL(tile, ASCENDC_TPL_UI_LIST, 64)
    ),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_UINT_SEL(tail, ASCENDC_TPL_UI_LIST, 1),
        ASCENDC_TPL_UINT_SEL(tile, ASCENDC_TPL_UI_LIST, 128)
    )
);
"""
