"""Inputs of the package tool, made up here: operators, SoCs, binaries with jsons, and the spec that names them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto_rules.tools.package import __main__ as package

SOCS = ("ascend910b", "ascend950")
DTYPES = ("float16", "float")
# (combo, packed key): two fields, one combination illegal.
KEYS = (({"tail": 0, "tile": 64}, 0), ({"tail": 0, "tile": 128}, 2), ({"tail": 1, "tile": 64}, 1))


def makeself() -> Path:
    """The makeself script: PYPTO_MAKESELF else the machine's.

    The variable holds its path, the root of an unpacked Debian package or, under Bazel, all paths of its target.
    """
    given = (os.environ.get("PYPTO_MAKESELF") or shutil.which("makeself") or "").split()
    assert given, "set PYPTO_MAKESELF to the makeself script, or install makeself"
    named = [path for path in given if path.endswith("makeself.sh")]
    path = Path((named or given)[0]).resolve()
    return path / "usr/bin/makeself" if path.is_dir() else path


@dataclass
class Inputs:
    """A directory with everything a package is made of."""

    root: Path
    vendor_name: str = "acme"
    version: str = "1.2.3"
    arch: str = os.uname().machine
    ops: tuple[str, ...] = ("add_example", "other_op")
    socs: tuple[str, ...] = SOCS
    content: str = "first"
    backend: str = "twin"
    spec: dict[str, Any] = field(default_factory=dict)

    def write(self) -> Inputs:
        """Write all inputs."""
        self.spec = {
            "vendor_name": self.vendor_name,
            "version": self.version,
            "arch": self.arch,
            "backend": self.backend,
            "ops": [self._op(op) for op in self.ops],
        }
        self.write_spec()
        return self

    def write_spec(self) -> None:
        """Write spec.json again, after a change of it."""
        write_json(self.root / "spec.json", self.spec)

    def run_tool(self, out: Path, *, run: bool = False, tree: bool = True) -> int:
        """The package tool on these inputs, in their directory; outputs go to `out`."""
        arguments = ["--spec", "spec.json", "--manifest", str(out / "manifest.json")]
        arguments += ["--tree", str(out / "tree")] if tree else []
        arguments += ["--run", str(out / "package.run"), "--makeself", str(makeself())] if run else []
        out.mkdir(parents=True, exist_ok=True)
        before = Path.cwd()
        os.chdir(self.root)
        try:
            return package.main(arguments)
        finally:
            os.chdir(before)

    def binaries(self, op: str, soc: str) -> Path:
        """The directory of binaries of an operator for a SoC."""
        return self.root / f"{op}_{soc}_binaries"

    def variants(self, op: str, soc: str) -> Path:
        """variants.json of an operator for a SoC."""
        return self.root / f"{op}_{soc}_variants.json"

    def write_built(self, op: str, op_type: str, soc: str) -> None:
        """Binaries and variants.json of an operator for a SoC."""
        write_json(self.variants(op, soc), variants_json(op, soc))
        for dtype in DTYPES:
            write_binary(self.binaries(op, soc), op_type, op, dtype, f"{op} {soc} {dtype} {self.content}")

    def _op(self, op: str) -> dict[str, Any]:
        op_type = "".join(part.title() for part in op.split("_"))
        write_json(self.root / f"{op}_kernel.json", kernel_json(op))
        write_text(self.root / op / f"{op}.py", f"# kernel {op}, {self.content}\n")
        write_text(self.root / op / "helper.py", "# helper\n")
        write_text(self.root / f"{op}_headers" / f"{op_type}TilingData_tiling.h", "#pragma once\n")
        socs = []
        for soc in self.socs:
            self.write_built(op, op_type, soc)
            files = {"binaries": self.binaries(op, soc).name, "variants": self.variants(op, soc).name}
            socs.append({"soc": soc, "options": [f"-DSOC={soc}"], **files})
        return {
            "op_type": op_type,
            "op_file": op,
            "kernel_name": op,
            "kernel_json": f"{op}_kernel.json",
            "sources": [
                {"path": f"{op}/{op}.py", "short": f"{op}.py"},
                {"path": f"{op}/helper.py", "short": "lib/helper.py"},
            ],
            "headers": f"{op}_headers",
            "socs": socs,
        }


def write_binary(directory: Path, op_type: str, op: str, dtype: str, content: str) -> Path:
    """A binary and its json, as the link action leaves them; the json's path."""
    name = f"{op_type}_{hashlib.md5(dtype.encode(), usedforsecurity=False).hexdigest()}"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{name}.so").write_text(content)
    path = directory / f"{name}.json"
    write_json(
        path,
        {
            "backend": "twin",
            "coreType": "VectorCore",
            "kernelName": name,
            "binFileSuffix": ".so",
            "binFileName": name,
            "sha256": hashlib.sha256(content.encode()).hexdigest(),
            "kernelList": [{"kernelName": f"{name}_{key}", "tilingKey": key, "combo": combo} for combo, key in KEYS],
            "dtypes": {"io_t": dtype},
            "opKernel": op,
        },
    )
    return path


def variants_json(op: str, soc: str) -> dict[str, Any]:
    """variants.json for `DTYPES` and `KEYS`."""
    return {
        "schema_version": 1,
        "kernel_name": op,
        "op_file": op,
        "backend": "twin",
        "soc": soc,
        "columns": [{"index": index, "dtypes": {"io_t": dtype}} for index, dtype in enumerate(DTYPES)],
        "variants": [
            {
                "column": index,
                "tiling_key": key,
                "combo": combo,
                "core": "vector",
                "source": "a.cpp",
                "entry": "pypto_0",
            }
            for index in range(len(DTYPES))
            for combo, key in sorted(KEYS, key=lambda item: item[1])
        ],
    }


def kernel_json(op: str) -> dict[str, Any]:
    """kernel.json with `KEYS`."""
    return {
        "schema_version": 1,
        "kernel_name": op,
        "op_file": op,
        "tiling_key": {
            "name": "Key",
            "fields": [
                {"name": "tail", "bits": 1, "offset": 0, "values": [0, 1]},
                {"name": "tile", "bits": 1, "offset": 1, "values": [64, 128]},
            ],
            "total_bits": 2,
            "has_is_valid": True,
            "total_combos": 4,
            "valid": [{"combo": list(combo.values()), "packed": key, "packed_hex": f"{key:x}"} for combo, key in KEYS],
        },
        "datatype": {"x": "io_t"},
        "tiling": {"param": "tiling", "name": "Data", "sizeof": 0, "align": 1, "fields": []},
        "params": [],
        "entry_params": [],
        "has_cube": False,
        "has_vector": True,
    }


def write_json(path: Path, data: Any) -> None:
    """JSON to a file, directories made."""
    write_text(path, json.dumps(data, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Text to a file, directories made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
