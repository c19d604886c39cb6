"""README's first operator, typed off: it builds, its test passes, and both languages show the same files."""

import re

import pytest

from tests.e2e.workspace import ROOT, Workspace

SNIPPET = re.compile(r"<!-- snippet: (\S+) -->\n```\w+\n(.*?)```\n", re.S)


def snippets(name):
    return dict(SNIPPET.findall((ROOT / name).read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("readme"))
    for name, text in snippets("README.md").items():
        path = made.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    yield made
    made.close()


def test_both_languages_show_the_same_files():
    assert sorted(snippets("README.md")) == [
        "ops/add_one/BUILD.bazel",
        "ops/add_one/op_kernel/add_one.py",
        "ops/add_one/tests/test_add_one.py",
    ]
    assert snippets("README.zh.md") == snippets("README.md")


def test_first_operator_passes_its_test(workspace):
    result = workspace.bazel("test", "//ops/add_one:kernel_test")
    assert result.code == 0, result.text
    assert len(result.ran("CppCompile")) == 4, "2 TilingKeys × 2 dtype columns"


def test_first_operator_is_packaged(workspace):
    result = workspace.bazel("build", "//ops/add_one:pkg", "--config=ascend950")
    assert result.code == 0, result.text
    assert len(list((workspace.path / "bazel-bin/ops/add_one").glob("cann-ops-custom_linux-*.run"))) == 1
