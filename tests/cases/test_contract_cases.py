"""Every shared contract case: what we describe agrees with truth.json; what must be refused is, at the right line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pypto_rules.tools.contract import manifest

from tests.tools.contract.support import check_file, codes

CASES = Path("tests/cases/contract")
REFUSED = {
    "16_mixed_params": [("E404", "x: pl.Tensor"), ("E403", "count: pl.DT_INT64")],
    "52_bad_bits_negative": [("E205", "bits=-2")],
    "54_bad_values_dup": [("E209", "values=[1, 2, 1]")],
    "56_bad_values_float": [("E207", "1.5")],
    "58_bad_bits_65": [("E211", "bits=25")],
    "60_bad_key_instance": [("E202", "tiling_key=BadKey()")],
    "62_bad_no_valid_combo": [("E214", "def is_valid")],
    "64_bad_key_vs_module_var": [("E217", "LIMIT = TilingKeyField")],
    "66_bad_datatype_unknown_param": [("E502", 'datatype={"q"')],
    "68_bad_datatype_vs_param": [("E505", 'datatype={"x"')],
    "70_bad_datatype_list": [("E501", 'datatype=["x"]')],
    "72_bad_array_2049": [("E308", "s: int[2049]")],
    "74_bad_array_named_len": [("E308", "s: int[LEN]")],
    "76_bad_not_dataclass": [("E304", "class BadTiling")],
    "78_bad_tiling_not_last": [("E303", "tiling: BadTiling")],
    "80_bad_no_tiling_param": [("E301", "def bad_kernel")],
    "82_bad_zero_kernels": [("E101", "def bad_kernel")],
    "84_bad_unknown_kwarg": [("E104", "foo=1")],
    "86_bad_int_array_no_future": [("E311", "s: int[4]")],
    "88_bad_field_undefined_attr": [("E312", "gx = pl.make_tensor")],
    "90_loose_no_workspace": [("E405", "tiling: BadTiling")],
    "92_loose_func_name_vs_file": [("E103", "def some_other_name")],
    "94_loose_values_negative_big": [("E208", "values=[-1")],
    "96_loose_bits_bool": [("E205", "bits=True")],
}
ALL = sorted(path.parent.name for path in CASES.glob("*/truth.json"))


def truth_of(case: str) -> dict:
    return json.loads((CASES / case / "truth.json").read_text(encoding="utf-8"))


def place(case: str, directory: Path) -> Path:
    """The case's files with the kernel under its own name, as the cases' README asks."""
    name = "bad_kernel" if case.startswith("92_") else truth_of(case).get("kernel_name", "bad_kernel")
    shutil.copytree(CASES / case, directory, dirs_exist_ok=True)
    return (directory / "kernel.py").rename(directory / f"{name}.py")


def test_every_case_is_sorted_into_valid_or_refused():
    assert len(ALL) == 38
    assert set(REFUSED) <= set(ALL)


@pytest.mark.parametrize("case", [case for case in ALL if case not in REFUSED])
def test_description_agrees_field_by_field(case, tmp_path):
    path = place(case, tmp_path)
    result = check_file(path)
    assert result.texts == ()
    ours = json.loads(manifest.dumps(manifest.to_json(result.kernel)))
    truth = truth_of(case)
    assert ours["op_file"] == path.stem
    for name in ("kernel_name", "tiling_key", "datatype", "params", "entry_params", "has_cube", "has_vector"):
        assert ours[name] == truth[name], name
    assert ours["tiling"] == {key: value for key, value in truth["tiling"].items() if key != "gpp_check"}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_refused_with_code_line_and_fix(case, tmp_path):
    path = place(case, tmp_path)
    lines = path.read_text(encoding="utf-8").split("\n")
    result = check_file(path, shown="somewhere/" + path.name)
    assert result.kernel is None
    assert codes(result) == [code for code, _ in REFUSED[case]]
    for problem, (_, part) in zip(result.problems, REFUSED[case], strict=True):
        assert problem.path == "somewhere/" + path.name
        assert part in lines[problem.line - 1], problem
        assert problem.fix and problem.message
