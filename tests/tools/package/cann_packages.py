"""Inputs of the package tool as the CANN backend makes them: binaries described by its own link tool."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.opdef import model
from tests.tools.package.packages import KEYS, Inputs, write_json
from toolchains.cann.binary.kernel_types import KernelType
from toolchains.cann.binary.naming import binary_names, entry_symbol
from toolchains.cann.link import table as tables
from toolchains.cann.link.describe import describe

# Three columns; the first and the last have the same dtypes and other formats.
DTYPES = ("float16", "float", "float16")
FORMATS = ("ND", "ND", "NCHW")
TOOLKIT = {"pypto_pro": "0.2.0", "cann": "9.2.0"}
MIXED = KernelType.MIX_AIC_1_2


@dataclass
class CannInputs(Inputs):
    """A vector kernel and a mixed one for ascend950."""

    ops: tuple[str, ...] = ("add_example", "matmul_example")
    socs: tuple[str, ...] = ("ascend950",)
    backend: str = "cann"
    kernel_types: dict[str, KernelType] = field(
        default_factory=lambda: {"add_example": KernelType.AIV_ONLY, "matmul_example": MIXED}
    )

    def write(self) -> CannInputs:
        """Write all inputs, the OpDefs among them."""
        super().write()
        self.spec["toolkit"] = dict(TOOLKIT)
        for op in self.spec["ops"]:
            op["op_def"] = self.op_def(op["op_file"]).name
        self.write_spec()
        return self

    def write_built(self, op: str, op_type: str, soc: str) -> None:
        """As code generation and link leave it: .o and .json per column of the OpDef."""
        op_def = self.op_def(op)
        write_json(op_def, op_def_json(op_type))
        described = model.read(op_def, op_def.name).for_soc(soc)
        names = binary_names(described, described.columns)
        write_json(self.variants(op, soc), variants_json(op, soc, self.kernel_types[op], names))
        self.binaries(op, soc).mkdir()
        self.link(op, soc)

    def link(self, op: str, soc: str) -> None:
        """Binaries that are no code, and the jsons that the link tool writes to them."""
        kernel = manifest.read(self.root / f"{op}_kernel.json")
        table = tables.read(self.variants(op, soc))
        described = model.read(self.op_def(op), op).for_soc(soc)
        for column in table.columns:
            content = f"\x7fELF {column.binary} {self.content}".encode()
            (self.binaries(op, soc) / f"{column.binary}.o").write_bytes(content)
            described_json = describe(kernel, table, column, described, hashlib.sha256(content).hexdigest(), oom=False)
            # The form of the link tool, which is not that of our other files.
            text = json.dumps(described_json, indent=2) + "\n"
            (self.binaries(op, soc) / f"{column.binary}.json").write_text(text)

    def names(self, op: str) -> list[str]:
        """The binaries of an operator in the order of its columns."""
        return [column["binary"] for column in json.loads(self.variants(op, self.socs[0]).read_text())["columns"]]

    def op_def(self, op: str) -> Path:
        """op.json of an operator."""
        return self.root / f"{op}.op.json"


def op_def_json(op_type: str) -> dict[str, Any]:
    """An operator with an input, an optional input, an output and an attribute."""
    columns = {"dtypes": DTYPES, "formats": FORMATS}
    return {
        "op_type": op_type,
        "inputs": [{"name": "x", **columns}, {"name": "bias", "param_type": "optional", **columns}],
        "outputs": [{"name": "y", **columns}],
        "attrs": [{"name": "alpha", "type": "float"}],
    }


def variants_json(op: str, soc: str, kernel_type: KernelType, names: list[str]) -> dict[str, Any]:
    """variants.json of the CANN code generator: a variant for each core, a column for each column of the OpDef."""
    columns = [
        {"index": index, "dtypes": {"io_t": dtype}, "binary": names[index], "op_column": index}
        for index, dtype in enumerate(DTYPES)
    ]
    return {
        "schema_version": 1,
        "kernel_name": op,
        "op_file": op,
        "backend": "cann",
        "soc": soc,
        "kernel_type": kernel_type.name,
        "narrowed": None,
        "columns": columns,
        "variants": [
            {
                "column": column["index"],
                "tiling_key": key,
                "combo": combo,
                "core": core,
                "source": f"{column['index']}_{key}_{core}.cpp",
                "entry": entry_symbol(column["binary"], key, core, kernel_type),
            }
            for column in columns
            for combo, key in KEYS
            for core in kernel_type.cores
        ],
    }
