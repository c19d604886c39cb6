"""Packages of the CANN backend: what package_check finds in them without CANN."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pypto_rules.tools.package_check import __main__ as tool
from tests.tools.package.cann_packages import CannInputs
from tests.tools.package.packages import write_json
from toolchains.cann.link.table import Column

COMPILER = shutil.which("gcc", path="/usr/bin:/bin:/usr/local/bin") or "gcc"


@dataclass
class Compiled(CannInputs):
    """Binaries are objects of this machine, which have the symbols of those for an NPU."""

    # Of this binary the entries have another name.
    misnamed: str = ""

    def object_code(self, column: Column) -> bytes:
        entries = [variant.entry for variant in column.variants]
        if self.misnamed and column.binary.startswith(self.misnamed):
            entries[-1] += "_x"
        return compiled(self.root, entries, "-c")


def compiled(directory: Path, functions: list[str], *options: str) -> bytes:
    """An object or library that defines functions."""
    text = "".join(f"int {name}(void) {{ return 0; }}\n" for name in functions)
    command = [COMPILER, "-x", "c", "-", "-fPIC", "-nostartfiles", "-o", str(directory / "out"), *options]
    subprocess.run(command, input=text, text=True, check=True)
    return (directory / "out").read_bytes()


def problems(inputs: Compiled, change: Callable[[Path], None] = lambda _: None) -> list[str]:
    """What the check says of the package of these inputs; `change` is done to its vendor directory."""
    inputs.root.mkdir()
    inputs.write()
    library = inputs.root / "libcust_opmaster_rt2.0.so"
    library.write_bytes(compiled(inputs.root, [], "-shared", f"-Wl,-soname,{library.name}"))
    inputs.spec["host"] = {"backend": "cann", "libraries": {"op_master": library.name}}
    inputs.write_spec()
    out = inputs.root / "package"
    assert inputs.run_tool(out) == 0
    run = inputs.root / "package.run"
    run.write_bytes(b"")
    vendor = out / "tree/vendors/acme"
    change(vendor)
    # A library that the check must not load: host libraries of CANN need CANN.
    arguments = ["--vendor", str(vendor), "--run", str(run), "--run-time", str(out / "libnone.so")]
    return tool.problems(tool.parse(arguments))


def test_a_package_that_is_right(tmp_path: Path) -> None:
    """A vector kernel and a mixed one, columns of equal dtypes: forms, keys, digests, entries."""
    assert problems(Compiled(tmp_path / "in")) == []


@pytest.mark.parametrize(("op_type", "suffix"), [("AddExample", ""), ("MatmulExample", "_mix_aiv")])
def test_entries(op_type: str, suffix: str, tmp_path: Path) -> None:
    """Section 4.7: `<kernel>_<key>`, of a mixed kernel one for each core."""
    found = problems(Compiled(tmp_path / "in", misnamed=op_type))
    assert len(found) == 3
    for text in found:
        name = text.partition(".o does not define ")[0].rpartition("/")[2]
        assert text.endswith(f" does not define {name}_2{suffix}, the entry of a TilingKey")


def test_a_binary_that_is_no_elf_file(tmp_path: Path) -> None:
    found = problems(Compiled(tmp_path / "in"), lambda vendor: min(vendor.rglob("*.o")).write_bytes(b"text"))
    assert any(".o is no ELF file: " in text for text in found)
    assert any(".o is not what manifest.json says" in text for text in found)


def update(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.update(changes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (update(magic="RT_DEV_BINARY_MAGIC_ELF_X"), "binary.magic must be one of"),
        (update(binFileSuffix=".so"), "binary.binFileSuffix must be same as const definition: .o"),
        (update(kernelList=[{"kernelName": "x", "tilingKey": 0}]), "missing dependency kernelType for tilingKey"),
        (lambda data: data["pypto"].pop("soc"), "binary.pypto must contain"),
        (lambda data: data["pypto"].update(backend="twin"), "pypto.backend must be same as const definition: cann"),
        (lambda data: data.pop("supportInfo"), "binary must contain"),
        (lambda data: data["supportInfo"].update(simplifiedKey=[]), "must contain at least 1 items"),
        # Without our member it is read as a binary of the twin.
        (lambda data: data.pop("pypto"), "binary must contain ['backend', 'dtypes'] properties"),
    ],
)
def test_the_form_of_a_binary_json(change: Callable[[dict[str, Any]], Any], said: str, tmp_path: Path) -> None:
    """Section 4.10."""

    def spoil(vendor: Path) -> None:
        path = min(path for path in (vendor / "op_impl/ai_core/tbe/kernel/ascend950").rglob("*.json"))
        data = json.loads(path.read_text())
        change(data)
        write_json(path, data)

    (found,) = problems(Compiled(tmp_path / "in"), spoil)
    assert said in found and found.endswith("(docs/schemas/binary.schema.json)")


def test_no_host_library(tmp_path: Path) -> None:
    found = problems(Compiled(tmp_path / "in"), lambda vendor: min(vendor.rglob("libcust_opmaster*")).unlink())
    assert any(text.startswith("AddExample has a binary but there is no ") for text in found)
