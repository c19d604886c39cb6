"""The host side of an operator with a CANN toolkit, the stand-in: a real build, from `_def.cpp` to libraries."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pypto_rules.tools.package_check.abi import read
from tests.cann.toolkit import assemble
from tests.e2e.host import project
from tests.e2e.workspace import ROOT, Workspace

HERE = ROOT / "tests/cann/host/workspace"
MODULE = """
bazel_dep(name = "rules_cc", version = "0.0.11")

local_repository = use_repo_rule("@bazel_tools//tools/build_defs/repo:local.bzl", "local_repository")

local_repository(name = "cann", path = "{path}")

register_toolchains("@cann//:host_toolchain")
"""
TARGETS = [f"//ops/leaky_scale:leaky_scale_{part}" for part in ("op_def", "host", "aclnn", "op_api")]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    directory = tmp_path_factory.mktemp("cann_host")
    cann = assemble.make(directory / "cann", host=True)
    shutil.copy(HERE / "toolkit.BUILD", cann / "BUILD.bazel")
    (cann / "REPO.bazel").touch()
    made = project.make(directory)
    with (made.path / "MODULE.bazel").open("a") as module:
        module.write(MODULE.format(path=cann))
    shutil.copy(HERE / "op_api.bzl", made.op)
    with (made.op / "BUILD.bazel").open("a") as build:
        build.write('load(":op_api.bzl", "op_api")\nop_api(name = "leaky_scale_op_api", aclnn = "leaky_scale_aclnn")\n')
    yield made
    made.close()


@pytest.fixture(scope="module")
def built(workspace: Workspace) -> Path:
    """The directory of the outputs, and the libraries below it."""
    workspace.build(*TARGETS)
    return workspace.path / "bazel-bin/ops/leaky_scale"


def test_op_json(built: Path) -> None:
    op = json.loads((built / "leaky_scale.op.json").read_text())
    assert (op["op_type"], sorted(op["socs"])) == ("LeakyScale", ["ascend910b", "ascend950"])
    assert op["at"] == "ops/leaky_scale/op_host/leaky_scale_def.cpp"
    assert [param["name"] for param in op["inputs"]] == ["x"]


@pytest.mark.parametrize(
    ("path", "needed", "absent"),
    [
        ("leaky_scale.host/libcust_opmaster_rt2.0.so", {"libexe_graph.so", "libregister.so"}, "libge_compiler.so"),
        ("leaky_scale.host/libcust_opsproto_rt2.0.so", {"libexe_graph.so", "libregister.so"}, "libplatform.so"),
        ("leaky_scale_op_api/libcust_opapi.so", {"libnnopbase.so"}, "libregister.so"),
    ],
)
def test_libraries_need_what_they_use_of_cann(built: Path, path: str, needed: set[str], absent: str) -> None:
    library = read(built / path)
    assert needed <= set(library.needed) and absent not in library.needed
    assert library.search_path is None
    assert "libpypto_twin_host.so" not in library.needed


def test_the_api_is_op_builds(built: Path) -> None:
    header = (built / "leaky_scale.aclnn/aclnn_leaky_scale.h").read_text()
    assert "aclnnLeakyScaleGetWorkspaceSize" in header
    exported = read(built / "leaky_scale_op_api/libcust_opapi.so").exported
    assert exported == ("aclnnLeakyScale", "aclnnLeakyScaleGetWorkspaceSize")


def test_archives_are_whole(built: Path) -> None:
    """The marks of the archives, which nothing refers to, are local functions of the libraries."""
    master = (built / "leaky_scale.host/libcust_opmaster_rt2.0.so").read_bytes()
    proto = (built / "leaky_scale.host/libcust_opsproto_rt2.0.so").read_bytes()
    assert (b"standin_rt2_registry" in master, b"standin_tiling_api" in master) == (True, True)
    assert (b"standin_rt2_registry" in proto, b"standin_tiling_api" in proto) == (True, False)


def test_sources_are_compiled_as_cann_does(workspace: Workspace) -> None:
    result = workspace.bazel("aquery", 'mnemonic("CppCompile", //ops/leaky_scale:leaky_scale_host)')
    assert result.code == 0, result.text
    for define in ("_GLIBCXX_USE_CXX11_ABI=0", "DISABLE_COMPILE_V1", "google=ascend_private"):
        assert result.text.count(f"-D{define}") == 4, define
    assert "-fvisibility=hidden" in result.text


def test_a_second_build_does_nothing(workspace: Workspace, built: Path) -> None:
    assert not workspace.build(*TARGETS).counts


def test_a_mistake_in_the_definition(workspace: Workspace, built: Path) -> None:
    definition = project.definition(workspace)
    kept = definition.read_text()
    definition.write_text("\n".join(line for line in kept.splitlines() if "AddConfig" not in line))
    result = workspace.bazel("build", TARGETS[0])
    definition.write_text(kept)
    assert result.code != 0
    assert "ops/leaky_scale/op_host/leaky_scale_def.cpp: error: no SoC is registered; fix: add" in result.text
    assert "Traceback" not in result.text


def test_a_toolkit_that_lacks_a_part(workspace: Workspace, built: Path) -> None:
    cann = workspace.path.parent / "cann"
    library = cann / "lib64/libregister.so"
    content = library.read_bytes()
    library.unlink()
    result = workspace.bazel("build", TARGETS[1])
    library.write_bytes(content)
    assert result.code != 0
    assert "in /opt/cann; it lacks lib64/libregister.so\n  fix: install the whole toolkit" in result.text
