"""Everything that package_check finds, each in a package that is right but for it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pypto_rules.tools.package_check import __main__ as tool
from tests.tools.host_sdk.harness import HOST, compile_library, tiling_source

COMPILER = shutil.which("gcc", path="/usr/bin:/bin:/usr/local/bin") or "gcc"
MACHINE = os.uname().machine
TBE = "op_impl/ai_core/tbe"
KERNEL = f"{TBE}/kernel/ascend910b/op/Op_1"
CONFIG = f"{TBE}/kernel/config/ascend910b/binary_info_config.json"
OP_MASTER = f"{TBE}/op_tiling/lib/linux/{MACHINE}/libcust_opmaster_rt2.0.so"
OP_API = "op_api/lib/libcust_opapi.so"


def library(path: Path, *functions: str, options: tuple[str, ...] = ()) -> None:
    """A shared library that exports functions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"int {name}(void) {{ return 0; }}\n" for name in functions)
    command = [COMPILER, "-x", "c", "-", "-x", "none", "-shared", "-fPIC", "-nostartfiles", "-o", str(path), *options]
    subprocess.run(command, input=text, text=True, check=True)


class Package:
    """A vendor directory of one operator `Op` and its installer."""

    def __init__(self, root: Path, tiling: Path) -> None:
        self.root = root / "vendor"
        self.run = root / "package.run"
        self.run.write_bytes(b"x" * 5000)
        library(self.root / f"{KERNEL}.so", "Op_1_0", "Op_1_1")
        library(self.root / OP_API, "aclnnOp", "aclnnOpGetWorkspaceSize", options=("-Wl,-soname,libcust_opapi.so",))
        (self.root / OP_MASTER).parent.mkdir(parents=True)
        shutil.copy(tiling, self.root / OP_MASTER)
        (self.root / f"{TBE}/op_tiling/liboptiling.so").symlink_to(f"lib/linux/{MACHINE}/libcust_opmaster_rt2.0.so")
        tensor = {"index": 0, "paramType": "required"}
        inputs = [{"name": "x", "dtype": "float", "format": "ND", **tensor}]
        outputs = [{"name": "y", "dtype": "int32", "format": "NCHW", **tensor}]
        support = {"inputs": inputs, "outputs": outputs}
        keys = [{"kernelName": f"Op_1_{key}", "tilingKey": key, "combo": {"mode": key}} for key in (0, 1)]
        described = {"backend": "twin", "coreType": "VectorCore", "kernelName": "Op_1", "binFileName": "Op_1",
                     "binFileSuffix": ".so", "sha256": self.digest(f"{KERNEL}.so"), "kernelList": keys, "dtypes": {},
                     "supportInfo": support}  # fmt: skip
        self.write(f"{KERNEL}.json", described)
        binary = {"coreType": 2, "simplifiedKey": ["Op/d=0,p=1/0,2/3,0"], "binPath": "ascend910b/op/Op_1.so",
                  "jsonPath": "ascend910b/op/Op_1.json"}  # fmt: skip
        listed = {**support, "binInfo": {"jsonFilePath": "ascend910b/op/Op_1.json"}}
        self.write(f"{TBE}/kernel/config/ascend910b/op.json", {"binList": [listed]})
        self.write(CONFIG, {"Op": {"binaryList": [binary]}})
        self.write(f"{TBE}/config/ascend910b/aic-ascend910b-ops-info.json", {"Op": {}})
        self.write_manifest()

    def digest(self, path: str) -> str:
        return hashlib.sha256((self.root / path).read_bytes()).hexdigest()

    def load(self, path: str) -> Any:
        return json.loads((self.root / path).read_text())

    def write(self, path: str, data: Any) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(data))

    def change(self, path: str, change: Callable[[Any], None]) -> None:
        """Change a JSON file, and the manifest with it."""
        data = self.load(path)
        change(data)
        self.write(path, data)
        self.write_manifest()

    def write_manifest(self, arch: str = MACHINE) -> None:
        paths = sorted(
            str(p.relative_to(self.root)) for p in self.root.rglob("*") if p.is_file() and not p.is_symlink()
        )
        files = [
            {"path": p, "sha256": self.digest(p), "size": (self.root / p).stat().st_size, "mode": "0644"}
            for p in paths
            if p != "manifest.json"
        ]
        variant = {"op_type": "Op", "op_file": "op", "soc": "ascend910b", "dtypes": {}, "binary": f"{KERNEL}.so",
                   "options": ["-O2"]}  # fmt: skip
        manifest = {
            "schema_version": 1, "vendor_name": "acme", "version": "1.0.0", "backend": "twin", "toolkit": {},
            "arch": arch,
            "kernel_arch": arch, "socs": ["ascend910b"], "partial": [], "root": "vendors/acme", "files": files,
            "links": [{"path": f"{TBE}/op_tiling/liboptiling.so", "target": "there"}],
            "variants": [{**variant, "tiling_key": k, "combo": {"mode": k}, "symbol": f"Op_1_{k}"} for k in (0, 1)],
        }  # fmt: skip
        self.write("manifest.json", manifest)

    def problems(self, *options: str) -> list[str]:
        files = ["--vendor", str(self.root), "--run", str(self.run), "--run-time", str(HOST)]
        return tool.problems(tool.parse([*files, *options]))


@pytest.fixture(scope="session")
def tiling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with a tiling function of `Op`."""
    name = "libcust_opmaster_rt2.0.so"
    return compile_library(tmp_path_factory.mktemp("tiling"), tiling_source(""), flags=[f"-Wl,-soname,{name}"])


@pytest.fixture
def package(tmp_path: Path, tiling: Path) -> Package:
    return Package(tmp_path, tiling)


def test_a_package_that_is_right(package: Package, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--must-contain", "op_api/*", "--must-not-contain", "*.o", "--max-size", "5K"]
    assert package.problems(*options) == []
    arguments = ["--vendor", str(package.root), "--run", str(package.run), "--run-time", str(HOST)]
    assert tool.main(arguments) == 0
    assert tool.main([*arguments, "--max-size", "1K"]) == 1
    assert capsys.readouterr().err.startswith("package_check: error: package.run has 5000 bytes, max_size is 1K (1024)")


def test_files_against_the_manifest(package: Package) -> None:
    (package.root / "stranger").write_text("")
    text = (package.root / f"{KERNEL}.json").read_text()
    (package.root / f"{KERNEL}.json").write_text(text + " ")
    (package.root / f"{TBE}/op_tiling/liboptiling.so").unlink()
    found = package.problems()
    assert "stranger is in the tree and not in manifest.json" in found
    assert f"{KERNEL}.json is not what manifest.json says: its size or sha256 differs" in found
    assert f"the link {TBE}/op_tiling/liboptiling.so leads to there, which is not there" in found
    (package.root / "stranger").unlink()
    (package.root / OP_API).unlink()
    assert f"{OP_API} is in manifest.json and not in the tree" in package.problems()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--must-contain", "op_api/lib/libcust_opap.so"), "matches; nearest is op_api/lib/libcust_opapi.so"),
        (("--must-not-contain", "*.json"), "must_not_contain has '*.json', which manifest.json matches; it has 5"),
        (("--max-size", "4999"), "package.run has 5000 bytes, max_size is 4999 (4999); the largest files are "),
        (("--max-size", "5 MB"), "max_size is '5 MB'; allowed is a number of bytes, or one with K, M or G"),
    ],
)
def test_what_is_asked_for(options: tuple[str, ...], said: str, package: Package) -> None:
    (found,) = package.problems(*options)
    assert said in found


@pytest.mark.parametrize("path", ["/root/x/execroot/_main/a.cpp", "bazel-out/k8-fastbuild/bin/a.h", "/tmp/sandbox/7/b"])
def test_a_path_of_the_build(path: str, package: Package) -> None:
    (package.root / "version.info").write_bytes(b"\0" + path.encode() + b"\0")
    package.write_manifest()
    assert package.problems() == [f"version.info has a path of the build in it: {path}"]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (
            "Op/d=0,p=1/1,2/3,0",
            "decodes to [('float16', 'ND'), ('int32', 'NCHW')], supportInfo says [('float', 'ND'), ",
        ),
        ("Op/d=0,p=1/0,2", "decodes to [('float', 'ND')], supportInfo says"),
        ("Other/d=0,p=1/0,2/3,0", "is not <OpType>/d=<0|1>,p=<0|1>/"),
    ],
)
def test_simplified_keys(key: str, said: str, package: Package) -> None:
    package.change(CONFIG, lambda data: data["Op"]["binaryList"][0].update(simplifiedKey=[key]))
    (found,) = package.problems()
    assert found.startswith(f"{CONFIG}: Op: the simplified key {key} ") and said in found


@pytest.mark.parametrize(
    ("path", "change", "said"),
    [
        ("manifest.json", lambda data: data.update(backend="gpu"), "manifest.json: manifest.backend must be one of "),
        (
            CONFIG,
            lambda data: data["Op"].pop("binaryList"),
            f"{CONFIG}: binary_info_config.Op must contain ['binaryList']",
        ),
        (CONFIG, lambda data: data["Op"]["binaryList"][0].update(simplifiedKey=["Op/0,2/3,0"]), "must match pattern"),
        (
            f"{TBE}/kernel/config/ascend910b/op.json",
            lambda data: data.update(binList=[]),
            "must contain at least 1 items",
        ),
        (
            f"{KERNEL}.json",
            lambda data: data.pop("sha256"),
            f"{KERNEL}.json: binary must contain ['sha256'] properties",
        ),
    ],
)
def test_the_form_of_json_files(path: str, change: Callable[[Any], None], said: str, package: Package) -> None:
    data = package.load(path)
    change(data)
    package.write(path, data)
    (found,) = package.problems()
    assert said in found and found.endswith(".schema.json)")


def test_binaries_of_the_configuration(package: Package) -> None:
    package.change(f"{KERNEL}.json", lambda data: data.update(sha256="0" * 64))
    assert package.problems() == [f"{CONFIG}: Op: ascend910b/op/Op_1.json has the sha256 of another binary"]
    package.change(CONFIG, lambda data: data["Op"]["binaryList"][0].update(binPath="ascend910b/op/Op_2.so"))
    assert package.problems() == [f"{CONFIG}: Op: ascend910b/op/Op_2.so is not there"]
    (package.root / CONFIG).unlink()
    package.write_manifest()
    assert package.problems() == [f"there is no {CONFIG}: the run time finds no operator on ascend910b"]


@pytest.mark.parametrize(
    ("path", "functions", "options", "said"),
    [
        (OP_API, ("aclnnOp", "helper"), (), f"{OP_API} must export aclnn functions and nothing else; found helper"),
        (OP_API, ("aclnnOp",), ("-Wl,-soname,libother.so",), f"{OP_API} calls itself libother.so"),
        (OP_API, ("aclnnOp",), ("-Wl,-rpath,/opt/x",), f"{OP_API} has the run path '/opt/x'; libraries are found"),
        (f"{KERNEL}.so", ("Op_1_0",), (), "must export the entries of its TilingKeys and nothing else; found Op_1_1"),
        ("op_proto/lib/libcust_opsproto_rt2.0.so", ("x",), (), "must export no symbol and nothing else; found x"),
    ],
)
def test_what_libraries_show(
    path: str, functions: tuple[str, ...], options: tuple[str, ...], said: str, package: Package
) -> None:
    library(package.root / path, *functions, options=options)
    package.change(f"{KERNEL}.json", lambda data: data.update(sha256=package.digest(f"{KERNEL}.so")))
    (found,) = package.problems()
    assert said in found


def test_a_library_that_nobody_has(package: Package, tmp_path: Path) -> None:
    library(tmp_path / "libstrange.so", "strange", options=("-Wl,-soname,libstrange.so",))
    needs = ("-Wl,--no-as-needed", str(tmp_path / "libstrange.so"), "-Wl,-soname,libcust_opapi.so")
    library(package.root / OP_API, "aclnnOp", options=needs)
    package.write_manifest()
    (found,) = package.problems()
    assert found == f"{OP_API} needs libstrange.so, which neither the run time nor every machine has"


def test_another_machine(package: Package) -> None:
    package.write_manifest(arch="aarch64" if MACHINE == "x86_64" else "x86_64")
    assert any("is for EM_" in text and "the package is for " in text for text in package.problems())


# A09: registered under a misspelt name, or not linked at all.
def test_host_functions(package: Package, tmp_path: Path) -> None:
    source = tiling_source("").replace("IMPL_OP_OPTILING(Op)", "IMPL_OP_OPTILING(Ops)")
    other = compile_library(tmp_path, source, "other", ["-Wl,-soname,libcust_opmaster_rt2.0.so"])
    shutil.copy(other, package.root / OP_MASTER)
    package.write_manifest()
    assert package.problems() == [
        "Op has a binary but no host tiling; registered: Ops",
        "Ops has host tiling but no binary in this package",
    ]


def test_no_host_library(package: Package) -> None:
    (package.root / OP_MASTER).unlink()
    (package.root / f"{TBE}/op_tiling/liboptiling.so").unlink()
    package.write_manifest()
    assert f"Op has a binary but there is no {OP_MASTER}" in package.problems()
