"""What a user sees of a mistake: the text of the error, and that nothing was built after it."""

import json
from pathlib import Path

import pytest

from tests.e2e.workspace import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("errors"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def restored(workspace):
    kept = {path: path.read_text() for path in (workspace.kernel, workspace.op / "BUILD.bazel")}
    yield
    for path, text in kept.items():
        path.write_text(text)


def refused(workspace, *args):
    result = workspace.bazel("build", "//ops/leaky_scale:pkg", *args)
    assert result.code != 0, result.text
    assert result.ran("CppCompile") == []
    assert result.ran("PyptoPackage") == []
    return result.text


def test_unknown_soc(workspace):
    text = refused(workspace, "--@pypto_rules//pypto_rules/settings:soc=ascand950")
    assert "SoC 'ascand950' is unknown; nearest is 'ascend950'; known are: ascend031" in text
    assert "supported are: ascend910_93, ascend910b, ascend950" in text


def test_unsupported_soc(workspace):
    text = refused(workspace, "--config=ascend310p")
    assert "SoC 'ascend310p' is known, but PyPTO Pro kernels cannot be built for it" in text


def test_vendor_name(workspace):
    text = refused(workspace, "--@pypto_rules//pypto_rules/settings:vendor_name=a-b")
    assert "vendor_name 'a-b' is not usable" in text


def test_default_soc_is_said(workspace):
    result = workspace.bazel("build", "--nobuild", "//ops/leaky_scale:pkg")
    assert result.code == 0, result.text
    assert "no SoC given, building for ascend910b. Choose with --config=<soc>." in result.text


def test_contract_violation_names_file_and_line(workspace):
    workspace.edit(workspace.kernel, "def leaky_scale(", "def leaky_scale_kernel(")
    line = workspace.kernel.read_text().split("def leaky_scale_kernel")[0].count("\n") + 1
    text = refused(workspace)
    assert f"ops/leaky_scale/op_kernel/leaky_scale.py:{line}:" in text
    assert "PYPTO-E" in text
    assert "leaky_scale_kernel" in text
    assert "Traceback" not in text


def test_unsupported_operation_is_refused_before_any_compile(workspace):
    workspace.edit(workspace.kernel, "pl.mul(tile_y, tile_x, tiling.alpha)", "pl.sort32(tile_y, tile_x, tile_x)")
    line = workspace.kernel.read_text().split("pl.sort32")[0].count("\n") + 1
    text = refused(workspace)
    assert f"leaky_scale.py:{line}:" in text
    assert "sort32" in text
    assert "Traceback" not in text


def test_fault_in_one_branch_names_the_variant(workspace):
    workspace.edit(
        workspace.kernel,
        "    tensor_x =",
        "    wide = pl.make_tile(pl.TileType(shape=[1, 2 * tile], dtype=io_t), addr=0x8000, size=2048)\n    tensor_x =",
    )
    workspace.edit(workspace.kernel, "pl.set_validshape(tile_x, [1, count])", "pl.add(tile_x, tile_x, wide)")
    line = workspace.kernel.read_text().split("pl.add(")[0].count("\n") + 1
    text = refused(workspace)
    assert f"leaky_scale.py:{line}:" in text
    assert "tail=1" in text
    assert "io_t=float16" in text
    assert "Traceback" not in text


def test_dtype_variable_that_the_kernel_does_not_have(workspace):
    workspace.edit(workspace.op / "BUILD.bazel", '"io_t"', '"data_t"')
    text = refused(workspace)
    assert "data_t" in text
    assert "io_t" in text
    assert "Traceback" not in text


def test_missing_kernel_file(workspace):
    workspace.edit(workspace.op / "BUILD.bazel", 'name = "leaky_scale"', 'name = "leaky_scal"')
    text = refused(workspace)
    assert "there is no op_kernel/leaky_scal.py in this package, which has op_kernel/leaky_scale.py" in text


def test_too_many_tiling_keys(workspace):
    text = refused(workspace, "--@pypto_rules//pypto_rules/settings:max_variants=4")
    assert "max_variants" in text
    assert "Traceback" not in text


def add_first(workspace, line):
    """Put a line of module code into the kernel file, below its imports; its number."""
    text = workspace.kernel.read_text()
    place = text.index("\n@")
    workspace.kernel.write_text(f"{text[:place]}\n{line}\n{text[place:]}")
    return text[:place].count("\n") + 2


def test_all_problems_of_a_file_are_shown_together_as_the_tool_writes_them(workspace):
    workspace.edit(workspace.kernel, "def leaky_scale(", "def leaky_scale_kernel(")
    workspace.edit(workspace.kernel, "    alpha: float\n", "    alpha: str\n")
    workspace.edit(workspace.kernel, "tail = TilingKeyField(bits=1", "tail = TilingKeyField(bits=0")
    text = refused(workspace)
    path = "ops/leaky_scale/op_kernel/leaky_scale.py"
    heads = [line for line in text.splitlines() if line.startswith(path)]
    assert [head.split("error[")[1][:10] for head in heads] == ["PYPTO-E307", "PYPTO-E205", "PYPTO-E103"]
    found = f"{path}:10:5: error[PYPTO-E307]: TilingData field 'alpha': found type str; allowed are int, float, bool, "
    assert f"{found}or an array of one of them such as int[4]; fix: use int (64 bits), float (32 bits) or bool;" in text
    assert "one field for each\n        alpha: str\n        ^\n" in text
    assert "Traceback" not in text


def test_a_kernel_file_writes_nothing(workspace):
    line = add_first(workspace, "open('/tmp/made_by_a_kernel_file', 'w')")
    text = refused(workspace)
    assert f"leaky_scale.py:{line}:1: error[PYPTO-E010]: the file writes '/tmp/made_by_a_kernel_file'" in text
    assert not Path("/tmp/made_by_a_kernel_file").exists()
    assert "Traceback" not in text


@pytest.mark.parametrize("sandbox", [[], ["--spawn_strategy=local"]], ids=["sandboxed", "local"])
def test_a_kernel_file_reads_declared_files_only(workspace, sandbox):
    beside = workspace.kernel.with_name("table.json")
    beside.write_text("[1]")
    line = add_first(workspace, f"TABLE = open({str(beside)!r}).read()")
    text = refused(workspace, *sandbox)
    assert f"leaky_scale.py:{line}:9: error[PYPTO-E011]: the file reads {str(beside)!r} while it loads" in text
    assert "Traceback" not in text


def test_an_undeclared_module_is_refused_without_a_sandbox_too(workspace):
    workspace.kernel.with_name("shapes.py").write_text("TILE = 64\n")
    line = add_first(workspace, "import shapes")
    text = refused(workspace, "--spawn_strategy=local")
    assert f"leaky_scale.py:{line}:1: error[PYPTO-E0" in text and "deps of the operator" in text


def test_exceptions_show_the_users_frames_only(workspace):
    line = add_first(workspace, "def table(n): return [1, 2][n]\nTABLE = table(3)")
    text = refused(workspace)
    assert f"leaky_scale.py:{line}:" in text and "IndexError: list index out of range" in text
    assert f"  called from ops/leaky_scale/op_kernel/leaky_scale.py:{line + 1}:9\n    TABLE = table(3)\n" in text
    assert "Traceback" not in text and "load.py" not in text


def test_a_kernel_file_that_ends_the_process(workspace):
    line = add_first(workspace, "import os; os._exit(0)")
    text = refused(workspace)
    assert f"leaky_scale.py:{line}:12: error[PYPTO-E007]: the process that loads the file ended itself" in text


def test_parameters_are_checked_against_the_op_def(workspace):
    described = {"op_type": "LeakyScale", "inputs": [{"name": "self"}], "outputs": [{"name": "y"}]}
    (workspace.op / "op.json").write_text(json.dumps(described))
    workspace.edit(workspace.op / "BUILD.bazel", "    dtypes", '    op_def = "op.json",\n    dtypes')
    text = refused(workspace)
    assert "leaky_scale.py:24:5: error[PYPTO-E601]: parameter 'x' is not an input or output of LeakyScale" in text
    assert "fix: rename it to 'self'\n    " in text
