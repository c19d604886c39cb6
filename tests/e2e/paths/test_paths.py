"""Workspaces and kernels below directories with spaces and Chinese characters."""

import shutil

import pytest

from tests.e2e.workspace import Workspace

# One kernel lies in the package's directory, its copy below a directory that only the label of `src` names.
BUILD = """\
load("@pypto_rules//pypto_rules:defs.bzl", "pypto_kernel")

pypto_kernel(
    name = "leaky_scale",
    src = "算子 目录/leaky_scale.py",
    dtypes = {"io_t": ["float16"]},
)
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("paths"), name="工 程")
    yield made
    made.close()


def test_workspace(workspace):
    workspace.build()
    assert list((workspace.path / "bazel-bin/ops/leaky_scale").glob("cann-ops-acme_linux-*.run"))


def test_kernel_file(workspace):
    (workspace.op / "算子 目录").mkdir()
    shutil.copy(workspace.kernel, workspace.op / "算子 目录/leaky_scale.py")
    (workspace.op / "BUILD.bazel").write_text(BUILD, encoding="utf-8")
    result = workspace.build("//ops/leaky_scale")
    assert len(result.ran("PyptoContract")) == 1
    assert result.ran("CppCompile") == [], "where the kernel file lies is not in the text of its variants"
    workspace.edit(workspace.op / "算子 目录/leaky_scale.py", "pl.mul(tile_y", "pl.mull(tile_y")
    failed = workspace.bazel("build", "//ops/leaky_scale")
    assert failed.code != 0
    assert "ops/leaky_scale/算子 目录/leaky_scale.py:" in failed.text
    assert "pl.mul" in failed.text
