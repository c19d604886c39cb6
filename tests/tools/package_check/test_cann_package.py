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
from tests.cann.toolkit.assemble import make
from tests.tools.package.cann_packages import CannInputs
from tests.tools.package.packages import write_json
from toolchains.cann.link import __main__ as link

COMPILER = shutil.which("gcc", path="/usr/bin:/bin:/usr/local/bin") or "gcc"


@pytest.fixture(scope="session")
def linker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in for CANN's ld.lld."""
    return make(tmp_path_factory.mktemp("toolkit")) / "tools/bisheng_compiler/bin/ld.lld"


@dataclass
class Linked(CannInputs):
    """Binaries are objects of this machine, linked by the link tool: they have the symbols of those for an NPU."""

    linker: Path = Path()
    # Of the binaries that begin so an entry of TilingKey 2 has another name.
    misnamed: str = "none"

    def link(self, op: str, soc: str) -> None:
        table = json.loads(self.variants(op, soc).read_text())
        objects = self.root / f"{op}_objects"
        objects.mkdir()
        for variant in table["variants"]:
            entry = variant["entry"]
            if entry.startswith(self.misnamed) and entry.endswith(("_2", "_2_mix_aiv")):
                entry += "_x"
            compiled(objects / variant["source"].replace(".cpp", ".pic.o"), [entry], "-c")
        files = ["--manifest", self.root / f"{op}_kernel.json", "--variants", self.variants(op, soc)]
        files += ["--op-def", self.op_def(op), "--objects", objects, "--linker", self.linker]
        assert link.main([str(part) for part in [*files, "--out-dir", self.binaries(op, soc)]]) == 0


def compiled(out: Path, functions: list[str], *options: str) -> None:
    """An object or library that defines functions."""
    text = "".join(f"int {name}(void) {{ return 0; }}\n" for name in functions)
    command = [COMPILER, "-x", "c", "-", "-fPIC", "-nostartfiles", "-o", str(out), *options]
    subprocess.run(command, input=text, text=True, check=True)


def packaged(inputs: Linked) -> Path:
    """The vendor directory that the package tool makes of the inputs."""
    inputs.root.mkdir()
    inputs.write()
    library = inputs.root / "libcust_opmaster_rt2.0.so"
    compiled(library, [], "-shared", f"-Wl,-soname,{library.name}")
    inputs.spec["host"] = {"backend": "cann", "libraries": {"op_master": library.name}}
    inputs.write_spec()
    assert inputs.run_tool(inputs.root / "package") == 0
    return inputs.root / "package/tree/vendors/acme"


@pytest.fixture(scope="session")
def right(tmp_path_factory: pytest.TempPathFactory, linker: Path) -> Path:
    """A package in which nothing is wrong."""
    return packaged(Linked(tmp_path_factory.mktemp("right") / "in", linker=linker))


@pytest.fixture
def vendor(right: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoiled."""
    return shutil.copytree(right, tmp_path / "acme", symlinks=True)


def problems(vendor: Path) -> list[str]:
    """What the check says. Host libraries of CANN need CANN: there is no run time that it could load them into."""
    arguments = ["--vendor", vendor, "--run", vendor / "manifest.json", "--run-time", vendor / "libnone.so"]
    return tool.problems(tool.parse([str(argument) for argument in arguments]))


def test_a_package_that_is_right(right: Path) -> None:
    """A vector kernel and a mixed one, columns of equal dtypes: forms, keys, digests, entries."""
    assert problems(right) == []


@pytest.mark.parametrize(("op_type", "suffix"), [("AddExample", ""), ("MatmulExample", "_mix_aiv")])
def test_entries(op_type: str, suffix: str, tmp_path: Path, linker: Path) -> None:
    """Section 4.7: `<kernel>_<key>`, of a mixed kernel one for each core."""
    found = problems(packaged(Linked(tmp_path / "in", linker=linker, misnamed=op_type)))
    assert len(found) == 3
    for text in found:
        name = text.partition(".o does not define ")[0].rpartition("/")[2]
        assert text.endswith(f" does not define {name}_2{suffix}, the entry of a TilingKey")


def test_a_binary_that_is_no_elf_file(vendor: Path) -> None:
    min(vendor.rglob("*.o")).write_bytes(b"text")
    found = problems(vendor)
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
def test_the_form_of_a_binary_json(change: Callable[[dict[str, Any]], Any], said: str, vendor: Path) -> None:
    """Section 4.10."""
    path = min((vendor / "op_impl/ai_core/tbe/kernel/ascend950").rglob("*.json"))
    data = json.loads(path.read_text())
    change(data)
    write_json(path, data)
    (found,) = problems(vendor)
    assert said in found and found.endswith("(docs/schemas/binary.schema.json)")


def test_no_host_library(vendor: Path) -> None:
    min(vendor.rglob("libcust_opmaster*")).unlink()
    assert any(text.startswith("AddExample has a binary but there is no ") for text in problems(vendor))
