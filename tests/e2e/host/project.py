"""An operator project with a host side, as a user keeps it in a workspace, and where its files lie."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.e2e.workspace import ROOT, Result, Workspace

BUILD = """\
load("@pypto_rules//pypto_rules:defs.bzl", "pypto_op", "pypto_op_package", "pypto_op_test", "pypto_tiling_test")

pypto_op(name = "leaky_scale", aclnn_type = "aclnn")

pypto_op_package(name = "pkg", ops = [":leaky_scale"], vendor_name = "acme")

pypto_tiling_test(name = "tiling_test", srcs = ["tests/test_tiling.py"], op = ":leaky_scale")

pypto_op_test(name = "op_test", srcs = ["tests/test_op.py"], op = ":leaky_scale", package = ":pkg")
"""
PACKAGE = "//ops/leaky_scale:pkg"
TILING_TEST = "//ops/leaky_scale:tiling_test"
OP_TEST = "//ops/leaky_scale:op_test"

SOURCES = ROOT / "tests/e2e/host/op"


def make(directory: Path, disk_cache: Path | None = None) -> Workspace:
    """A workspace with the project."""
    made = Workspace(directory, disk_cache)
    (made.op / "BUILD.bazel").write_text(BUILD)
    shutil.copy(ROOT / "tests/cases/reports/base/leaky_scale.py", made.kernel)
    add_host_side(made)
    for name in ("test_tiling.py", "test_op.py"):
        add(made, name, "tests")
    return made


def add_host_side(workspace: Workspace) -> None:
    """Put the sources of op_host beside the kernel."""
    for name in ("leaky_scale_def.cpp", "leaky_scale_infershape.cpp", "leaky_scale_tiling.cpp"):
        add(workspace, name, "op_host")


def add(workspace: Workspace, name: str, directory: str) -> None:
    """Put one of our files into a directory of the project."""
    target = workspace.op / directory
    target.mkdir(exist_ok=True)
    shutil.copy(SOURCES / name, target)


def tiling_source(workspace: Workspace) -> Path:
    """The file of the tiling function."""
    return workspace.op / "op_host/leaky_scale_tiling.cpp"


def definition(workspace: Workspace) -> Path:
    """The file of the OpDef."""
    return workspace.op / "op_host/leaky_scale_def.cpp"


def failing(workspace: Workspace, command: str, target: str, *parts: str) -> Result:
    """Run a command that must fail and say all of `parts`."""
    result = workspace.bazel(command, target, *(["--test_output=all"] if command == "test" else []))
    assert result.code != 0, result.text
    for part in parts:
        assert part in result.text, (part, result.text[-6000:])
    return result
