"""manifest.json: what the package is, every file with its digest, every variant with the key it answers to."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pypto_rules.tools.package.binaries import Binary
from pypto_rules.tools.package.spec import Op, SocBinaries, Spec
from pypto_rules.tools.package.tree import Tree

SCHEMA_VERSION = 1
MANIFEST_FILE = "manifest.json"


def variants_of(op: Op, built: SocBinaries, directory: str, binaries: list[Binary]) -> list[dict[str, Any]]:
    """The variants of one operator for one SoC."""
    return [
        {
            "op_type": op.op_type,
            "op_file": op.op_file,
            "soc": built.soc,
            "dtypes": dict(sorted(binary.dtypes.items())),
            "tiling_key": entry.tiling_key,
            "combo": entry.combo,
            "symbol": entry.symbol,
            "binary": f"{directory}/{binary.path.name}",
            "options": list(built.options),
        }
        for binary in binaries
        for entry in binary.entries
    ]


def manifest_of(spec: Spec, tree: Tree, variants: list[dict[str, Any]]) -> dict[str, Any]:
    """The manifest of a tree that has all files but the manifest itself. Paths are relative to the vendor directory."""
    return {
        "schema_version": SCHEMA_VERSION,
        "vendor_name": spec.vendor_name,
        "version": spec.version,
        "backend": spec.backend,
        "toolkit": spec.toolkit,
        "arch": spec.arch,
        "kernel_arch": spec.kernel_arch,
        "socs": list(spec.socs),
        "partial": [asdict(partial) for partial in spec.partial],
        "root": f"vendors/{spec.vendor_name}",
        "files": [
            {"path": path, "sha256": file.sha256, "size": len(file.content), "mode": f"{file.mode:04o}"}
            for path, file in sorted(tree.files.items())
        ],
        "links": [{"path": path, "target": target} for path, target in sorted(tree.links.items())],
        "variants": sorted(variants, key=_variant_order),
    }


def _variant_order(variant: dict[str, Any]) -> tuple[Any, ...]:
    return variant["op_file"], variant["soc"], sorted(variant["dtypes"].items()), variant["tiling_key"]
