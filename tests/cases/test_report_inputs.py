"""Inputs made from public reports: what upstream got wrong or said too late."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pypto_rules.tools.contract import opdef

from tests.tools.contract.support import check_file, codes, run_tool

REPORTS = Path("tests/cases/reports")
BASE_KEYS = [((0, 64), 0), ((0, 128), 2), ((0, 256), 4), ((1, 64), 1), ((1, 128), 3)]


def place(name: str, directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(REPORTS / name / "leaky_scale.py", directory / "leaky_scale.py"))


def kernel_of(name: str, directory: Path):
    result = check_file(place(name, directory))
    assert result.texts == ()
    return result.kernel


def offsets(kernel):
    return {field.name: field.offset for field in kernel.tiling.fields}, kernel.tiling.sizeof


@pytest.mark.parametrize(
    "name",
    ["base", "comment_only_edit", "future_annotations", "host_wrapper_beside", "import_torch_npu", "debug_print"],
)
def test_keys_and_layout_of_the_base_operator(name, tmp_path):
    kernel = kernel_of(name, tmp_path)
    assert sorted((key.combo, key.packed) for key in kernel.tiling_key.valid) == BASE_KEYS
    assert offsets(kernel) == ({"total": 0, "per_core": 8, "alpha": 16}, 24)
    assert kernel.datatype == {"x": "io_t", "y": "io_t"}


def test_layout_with_bools_and_floats(tmp_path):
    fields = {"has_tail": 0, "alpha": 4, "total": 8, "flags": 16, "beta": 24}
    assert offsets(kernel_of("layout_bool_float", tmp_path)) == (fields, 32)


def test_layout_of_the_same_fields_in_another_order(tmp_path):
    fields = {"total": 0, "alpha": 8, "has_tail": 12, "flags": 13, "beta": 20}
    assert offsets(kernel_of("layout_reordered", tmp_path)) == (fields, 24)


def test_function_with_a_suffix_is_refused_with_both_names(tmp_path):
    result = check_file(place("kernel_name_suffix", tmp_path))
    assert codes(result) == ["E103"]
    problem = result.problems[0]
    assert "'leaky_scale_kernel'" in problem.message and "'leaky_scale.py'" in problem.message
    assert "leaky_scale" in problem.fix and problem.line == 23


def test_two_kernels_in_a_file_are_listed(tmp_path):
    result = check_file(place("many_variants_one_file", tmp_path))
    assert codes(result) == ["E102"]
    assert "leaky_scale_m16 (leaky_scale.py:23)" in result.problems[0].message
    assert "leaky_scale_m32 (leaky_scale.py:39)" in result.problems[0].message


def test_missing_tiling_key_is_refused(tmp_path):
    assert codes(check_file(place("no_key_no_datatype", tmp_path))) == ["E201"]


def test_dense_explosion_says_count_and_formula(tmp_path):
    result = check_file(place("key_explosion_dense", tmp_path))
    assert codes(result) == ["E215"]
    message = result.problems[0].message
    assert "10 (f0) x 10 (f1) x 10 (f2) x 10 (f3) = 10000" in message and "4096" in message
    assert check_file(tmp_path / "leaky_scale.py", max_variants=10000).kernel is not None


def test_sparse_explosion_finds_the_hundred_of_a_hundred_million(tmp_path):
    kernel = kernel_of("key_explosion_sparse", tmp_path)
    assert kernel.tiling_key.total_combos == 10**8
    assert [key.combo for key in kernel.tiling_key.valid] == [(a, b, *[0] * 6) for a in range(10) for b in range(10)]


def test_directory_with_a_space_and_chinese_characters(tmp_path):
    path = place("spaces_unicode", tmp_path / "算子 目录")
    assert sorted((key.combo, key.packed) for key in check_file(path).kernel.tiling_key.valid) == BASE_KEYS
    run = run_tool("emit", "--kernel", "算子 目录/leaky_scale.py", "--out", "out put.json", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert "算子" not in (tmp_path / "out put.json").read_text(encoding="utf-8")


def test_side_effects_of_the_module_leave_no_trace(tmp_path):
    place("module_side_effects", tmp_path / "src")
    (tmp_path / "work").mkdir()
    run = run_tool("check", "../src/leaky_scale.py", cwd=tmp_path / "work")
    assert (run.returncode, run.stderr) == (0, "")
    assert [path.name for path in tmp_path.glob("*/*")] == ["leaky_scale.py"]


def test_pinned_arch_is_in_the_manifest(tmp_path):
    assert kernel_of("arch_pinned", tmp_path).arch == "a3"


def test_a_key_field_that_repeats_the_dtype_loads(tmp_path):
    assert kernel_of("dtype_in_key", tmp_path).kernel_name == "leaky_scale"


LEAKY_SCALE = opdef.OpDef(
    "LeakyScale",
    (
        opdef.Tensor("x", "input", ("float16", "float")),
        opdef.Tensor("y", "output", ("float16", "float")),
    ),
    op_file="leaky_scale",
    op_interface="leaky_scale",
)


def test_the_base_operator_agrees_with_its_op_def(tmp_path):
    assert check_file(place("base", tmp_path), op_def=LEAKY_SCALE).texts == ()


def test_parameters_of_other_names_than_the_op_def_are_refused(tmp_path):
    result = check_file(place("param_names", tmp_path), op_def=LEAKY_SCALE)
    assert codes(result) == ["E601", "E601"]
    assert "parameter 'x_ptr' is not an input or output of LeakyScale; allowed are x, y" in result.texts[0]
    assert [problem.fix for problem in result.problems] == ["rename it to 'x'", "rename it to 'y'"]


def test_outputs_before_inputs_are_refused(tmp_path):
    result = check_file(place("output_first", tmp_path), op_def=LEAKY_SCALE)
    assert codes(result) == ["E602"]
    assert result.problems[0].fix == "write the parameters as (x, y, workspace, tiling)"
