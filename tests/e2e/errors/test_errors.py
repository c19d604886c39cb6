"""What a user sees of a mistake: the text of the error, and that nothing was built after it."""

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
    text = refused(workspace, "--@pypto_rules//pypto_rules/settings:soc=ascend910x")
    assert "SoC 'ascend910x' is unknown; known are: ascend031" in text
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
