"""Small kernels for the generator's tests: written, generated, compiled, run."""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import re
import subprocess
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pypto_rules.testing.abi import Launch
from toolchains.twin.codegen import driver

RUNTIME = Path("toolchains/twin/runtime/include").resolve()
COPTS = ["-std=c++17", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
_SIZES = {"int": 8, "float": 4, "bool": 1}
_CTYPES = {"int": "int64_t", "float": "float", "bool": "bool"}
_FORMATS = {"int": np.int64, "float": np.float32, "bool": np.bool_}


@dataclass
class Case:
    """A kernel: its body and what surrounds it."""

    body: str
    params: tuple[str, ...] = ("x", "y", "z")
    tiling: dict[str, str] = field(default_factory=lambda: {"n": "int"})
    keys: dict[str, list[int]] = field(default_factory=lambda: {"mode": [0]})
    datatype: str | None = None
    head: str = ""
    annotations: dict[str, str] = field(default_factory=dict)
    valid: Any = None
    helpers: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The kernel file; the body begins on line `first_line`."""
        names = "".join(f"    {name}: {self.annotations.get(name, 'pl.Ptr[pl.DT_UINT8]')},\n" for name in self.params)
        fields = "".join(f"    {name}: {kind}\n" for name, kind in self.tiling.items())
        return (
            "from __future__ import annotations\nimport pypto_pro.language as pl\n"
            f"{self.head}\nclass T:\n{fields}\n@pl.jit(tiling_key=K)\n"
            f"def case(\n{names}    workspace: pl.Ptr[pl.DT_UINT8],\n    tiling: T,\n):\n"
            + textwrap.indent(textwrap.dedent(self.body).strip("\n"), "    ")
            + "\n"
        )

    @property
    def first_line(self) -> int:
        """The line of the body's first statement."""
        return self.text().split("):\n")[0].count("\n") + 2

    def manifest(self) -> dict[str, Any]:
        """kernel.json of the case, laid out as ctypes would."""
        params = [self._param(name) for name in (*self.params, "workspace")]
        params.append({"name": "tiling", "kind": "tiling", "dtype": None, "shape": None})
        datatype = None if self.datatype is None else dict.fromkeys(self.params, self.datatype)
        return {
            "schema_version": 1, "kernel_name": "case", "op_file": "case", "tiling_key": self._keys(),
            "datatype": datatype, "tiling": self._tiling(), "params": params,
            "entry_params": [{"ctype": "uint8_t", "name": param["name"], "pointer": True} for param in params],
            "has_cube": False, "has_vector": True,
        }  # fmt: skip

    def _param(self, name: str) -> dict[str, Any]:
        found = re.fullmatch(r"pl\.Tensor\[\[(.*)\], pl\.DT_(\w+)\]", self.annotations.get(name, ""))
        if found is None:
            return {"name": name, "kind": "ptr", "dtype": "uint8", "shape": None}
        return {
            "name": name,
            "kind": "tensor",
            "dtype": found[2].lower(),
            "shape": [int(d) for d in found[1].split(",")],
        }

    def _keys(self) -> dict[str, Any]:
        fields, offset = [], 0
        for name, values in self.keys.items():
            bits = max(1, (len(values) - 1).bit_length())
            fields.append({"name": name, "bits": bits, "offset": offset, "values": values})
            offset += bits
        valid = []
        for combo in itertools.product(*self.keys.values()):
            packed = sum(f["values"].index(value) << f["offset"] for f, value in zip(fields, combo, strict=True))
            if self.valid is None or self.valid(*combo):
                valid.append({"combo": list(combo), "packed": packed, "packed_hex": f"{packed:x}"})
        return {"name": "K", "fields": fields, "total_bits": offset, "has_is_valid": self.valid is not None,
                "total_combos": len(valid), "valid": valid}  # fmt: skip

    def _tiling(self) -> dict[str, Any]:
        fields, offset, align = [], 0, 1
        for name, kind in self.tiling.items():
            base, _, rest = kind.partition("[")
            count = int(rest[:-1]) if rest else None
            size = _SIZES[base]
            offset, align = -(-offset // size) * size, max(align, size)
            total = size * (count or 1)
            suffix = "" if count is None else f"[{count}]"
            fields.append({"name": name, "py": kind, "dtype": base, "count": count, "offset": offset, "size": total,
                           "ctype": _CTYPES[base] + suffix})  # fmt: skip
            offset += total
        return {"param": "tiling", "name": "T", "sizeof": -(-offset // align) * align, "align": align, "fields": fields}

    def pack(self, values: dict[str, Any]) -> bytes:
        """TilingData bytes."""
        layout = self._tiling()
        data = bytearray(layout["sizeof"])
        for item in layout["fields"]:
            raw = np.asarray(values[item["name"]], _FORMATS[item["py"].partition("[")[0]]).tobytes()
            assert len(raw) == item["size"]
            data[item["offset"] : item["offset"] + item["size"]] = raw
        return bytes(data)


class Built:
    """A generated case in a directory."""

    def __init__(
        self,
        case: Case,
        directory: Path,
        columns: list[dict[str, str]] | None = None,
        soc: str = "ascend910b",
        level: str = "-O2",
    ):
        self.case, self.directory, self.level = case, directory, level
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "case.py").write_text(case.text(), encoding="utf-8")
        for name, text in case.helpers.items():
            (directory / name).write_text(textwrap.dedent(text), encoding="utf-8")
        (directory / "kernel.json").write_text(json.dumps(case.manifest()), encoding="utf-8")
        (directory / "columns.json").write_text(json.dumps(columns or [{}]), encoding="utf-8")
        helpers = [str(directory / name) for name in case.helpers]
        paths = (str(directory / name) for name in ("case.py", "kernel.json", "columns.json"))
        self.request = driver.Request(*paths, soc, "Case", helpers)
        self.result = driver.generate(self.request)
        self._libraries: dict[str, ctypes.CDLL] = {}

    @property
    def errors(self) -> list[str]:
        """The errors, without the directory."""
        return [line.replace(str(self.directory) + os.sep, "") for line in self.result.errors]

    def again(self) -> list[str]:
        """Generate once more, after the kernel file changed; the errors."""
        self.result = driver.generate(self.request)
        return self.errors

    @property
    def texts(self) -> list[str]:
        """Texts in the order of variants.json."""
        assert not self.errors, "\n".join(self.errors)
        return [self.result.texts[variant["source"]] for variant in self.result.variants["variants"]]

    def run(
        self, arrays: list[np.ndarray], tiling: dict[str, Any], block_dim: int = 1, variant: int = 0
    ) -> tuple[int, str, int]:
        """Run a variant; (result, message, site)."""
        assert not self.errors, "\n".join(self.errors)
        entry = self.result.variants["variants"][variant]
        function = getattr(self._library(self.result.texts[entry["source"]]), entry["entry"])
        workspace = np.zeros(4096, np.uint8)
        buffers = [*arrays, workspace]
        message = ctypes.create_string_buffer(4096)
        packed = self.case.pack(tiling)
        launch = Launch(
            ctypes.sizeof(Launch), block_dim, len(buffers), 0,
            (ctypes.c_void_p * len(buffers))(*[buffer.ctypes.data for buffer in buffers]),
            (ctypes.c_uint64 * len(buffers))(*[buffer.nbytes for buffer in buffers]),
            packed, len(packed), ctypes.cast(message, ctypes.c_char_p), len(message), -1,
        )  # fmt: skip
        return function(ctypes.byref(launch)), message.value.decode(), launch.site

    def ok(self, arrays: list[np.ndarray], tiling: dict[str, Any], block_dim: int = 1, variant: int = 0) -> None:
        """Run a variant that must succeed."""
        assert self.run(arrays, tiling, block_dim, variant) == (0, "", -1)

    def _library(self, text: str) -> ctypes.CDLL:
        if text not in self._libraries:
            stem = self.directory / f"v{len(self._libraries)}"
            stem.with_suffix(".cpp").write_text(text, encoding="utf-8")
            command = [
                "g++",
                self.level,
                *COPTS,
                "-shared",
                "-I",
                str(RUNTIME),
                str(stem) + ".cpp",
                "-o",
                str(stem) + ".so",
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr + text
            self._libraries[text] = ctypes.CDLL(str(stem) + ".so")
        return self._libraries[text]


SCALARS_HEAD = """
tt = pl.TileType(shape=[1, 8], dtype=pl.DT_INT64)
out = pl.make_tile(tt, addr=0, size=64)
gz = pl.make_tensor(z, [1, 64], [64, 1], dtype=pl.DT_INT64)
"""


def scalar_case(expressions: list[str], setup: str = "", **kwargs: Any) -> Case:
    """A kernel that stores integer expressions to z, one after the other, each from its own one-element tile."""
    lines = [SCALARS_HEAD, textwrap.dedent(setup), "with pl.section_vector():", "    pl.set_validshape(out, [1, 1])"]
    for index, expression in enumerate(expressions):
        lines += [f"    pl.expands(out, {expression})", f"    pl.store(gz, out, [0, {index}])"]
    return Case("\n".join(lines), params=("z",), **kwargs)


def scalars(
    directory: Path, expressions: list[str], values: dict[str, Any], setup: str = "", **kwargs: Any
) -> list[int]:
    """The values of integer expressions, as the compiled kernel computes them."""
    built = Built(scalar_case(expressions, setup, **kwargs), directory)
    z = np.zeros(64, np.int64)
    built.ok([z], values)
    return z[: len(expressions)].tolist()
