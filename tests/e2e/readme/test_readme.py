"""README's first operator, typed off: its kernel, then its host side; both languages show the same files."""

import re

import pytest

from tests.e2e.workspace import ROOT, Workspace

SNIPPET = re.compile(r"<!-- snippet: (\S+) -->\n```\w+\n(.*?)```\n", re.S)
HEADING = {"README.md": "## Its host side", "README.zh.md": "## 它的 Host 侧"}


def snippets(name):
    """The files of the kernel, and those that the host side adds or changes."""
    before, _, after = (ROOT / name).read_text(encoding="utf-8").partition(HEADING[name])
    return dict(SNIPPET.findall(before)), dict(SNIPPET.findall(after))


def write(workspace, files):
    for name, text in files.items():
        path = workspace.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("readme"))
    write(made, snippets("README.md")[0])
    yield made
    made.close()


def test_both_languages_show_the_same_files():
    kernel, host = snippets("README.md")
    assert sorted(kernel) == [
        "ops/add_one/BUILD.bazel",
        "ops/add_one/op_kernel/add_one.py",
        "ops/add_one/tests/test_add_one.py",
    ]
    assert sorted(host) == [
        "ops/add_one/BUILD.bazel",
        "ops/add_one/op_host/add_one_def.cpp",
        "ops/add_one/op_host/add_one_infershape.cpp",
        "ops/add_one/op_host/add_one_tiling.cpp",
        "ops/add_one/tests/test_add_one_op.py",
        "ops/add_one/tests/test_add_one_tiling.py",
    ]
    assert snippets("README.zh.md") == (kernel, host)


def test_first_operator_passes_its_test(workspace):
    result = workspace.bazel("test", "//ops/add_one:kernel_test")
    assert result.code == 0, result.text
    assert len(result.ran("CppCompile")) == 4, "2 TilingKeys × 2 dtype columns"


def test_first_operator_is_packaged(workspace):
    result = workspace.bazel("build", "//ops/add_one:pkg", "--config=ascend950")
    assert result.code == 0, result.text
    assert len(list((workspace.path / "bazel-bin/ops/add_one").glob("cann-ops-custom_linux-*.run"))) == 1


def test_its_host_side_passes_its_tests(workspace):
    write(workspace, snippets("README.md")[1])
    result = workspace.bazel("test", "//ops/add_one:all", "--test_output=errors")
    assert result.code == 0, result.text
    assert "3 tests pass" in result.text
