"""Copies of the TilingData in host sources: which are found, which differ, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.contract.manifest import Kernel, KeyField, TilingData, TilingField, TilingKey, ValidKey
from pypto_rules.tools.host_copies import __main__ as tool
from pypto_rules.tools.host_copies.compare import problems

KEY = TilingKey("Key", (KeyField("tail", 1, 0, (0,)),), 1, False, 1, (ValidKey((0,), 0, "0"),))
# The layout of report A05: has_tail@0 alpha@4 total@8 flags@16 beta@24, 32 bytes.
FIELDS = (
    TilingField("has_tail", "bool", "BOOL", None, 0, 1, "bool"),
    TilingField("alpha", "float", "FP32", None, 4, 4, "float"),
    TilingField("total", "int", "INDEX", None, 8, 8, "int64_t"),
    TilingField("flags", "bool[5]", "BOOL", 5, 16, 5, "bool[5]"),
    TilingField("beta", "float", "FP32", None, 24, 4, "float"),
)
TILING = TilingData("tiling", "LeakyScaleTiling", 32, 8, FIELDS)
KERNEL = Kernel("leaky_scale", "leaky_scale", KEY, None, TILING, (), (), False, True)

SAME = "struct LeakyScaleTiling { bool has_tail; float alpha = 1.0f; int64_t total{0}; bool flags[5]; float beta; };"
OTHER = "struct LeakyScaleTiling {int64_t total; float alpha; bool has_tail; bool flags[5]; float beta;};"


def found(text: str) -> list[str]:
    return problems(KERNEL, "LeakyScale", "op_host/leaky_scale_tiling.cpp", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "auto* tiling = context->GetTilingData<LeakyScaleTiling>();",
        "class LeakyScaleTiling;",
        SAME,
        "namespace optiling {\n" + SAME + "\n}",
        "struct LeakyScaleTilingOther { int64_t total; };",
        "// " + OTHER,
        "/*\n" + OTHER + "\n*/",
        'const char* text = "' + OTHER + '";',
        "class LeakyScaleTiling final { public: " + SAME.partition("{")[2].replace(" int64_t", " std::int64_t"),
        "BEGIN_TILING_DATA_DEF(Other)\nTILING_DATA_FIELD_DEF(int64_t, total)\nEND_TILING_DATA_DEF",
        "BEGIN_TILING_DATA_DEF(Data)\nTILING_DATA_FIELD_DEF(bool, has_tail);\nTILING_DATA_FIELD_DEF(float, alpha);\n"
        "TILING_DATA_FIELD_DEF(int64_t, total);\nTILING_DATA_FIELD_DEF_ARR(bool, 5, flags);\n"
        "TILING_DATA_FIELD_DEF(float, beta);\nEND_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(LeakyScale, Data)",
    ],
)
def test_nothing_to_say(text: str) -> None:
    assert found(text) == []


def test_the_first_field_that_differs_is_named_with_both_offsets() -> None:
    (problem,) = found("// copied\nnamespace optiling {\n" + OTHER + "\n}")
    assert problem.startswith("op_host/leaky_scale_tiling.cpp:3: error: LeakyScaleTiling is a copy of the TilingData")
    assert "first difference: total@0 int64_t here, has_tail@0 bool in the kernel" in problem
    assert "leaky_scale.py" in problem and "fix: remove it" in problem
    assert "    flags@13 bool[5]  flags@16 bool[5]" in problem


def test_a_field_too_few_and_another_type() -> None:
    (problem,) = found(SAME.replace(" float beta;", ""))
    assert "first difference: - here, beta@24 float in the kernel" in problem
    (problem,) = found(SAME.replace("int64_t total{0}", "uint64_t total"))
    assert "first difference: total@8 uint64_t here, total@8 int64_t in the kernel" in problem
    (problem,) = found(SAME.replace("bool flags[5]", "bool flags[4], more"))
    assert "flags@16 bool[4] here, flags@16 bool[5] in the kernel" in problem


def test_a_registered_copy_of_another_name() -> None:
    text = "BEGIN_TILING_DATA_DEF(Data)\nTILING_DATA_FIELD_DEF(int64_t, total)\nEND_TILING_DATA_DEF\n"
    assert found(text + "REGISTER_TILING_DATA_CLASS(Other, Data)") == []
    (problem,) = found(text + "REGISTER_TILING_DATA_CLASS(LeakyScale, Data)")
    assert ":1: error: Data is a copy of the TilingData LeakyScaleTiling" in problem


@pytest.mark.parametrize(
    "member", ["Inner inner;", "int64_t* total;", "int64_t values[SIZE];", "int64_t total : 3;", "void f();"]
)
def test_what_cannot_be_compared_is_refused(member: str) -> None:
    (problem,) = found("struct LeakyScaleTiling { " + member + " };")
    assert "cannot be compared" in problem and "fix: remove it" in problem


def test_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest.write(KERNEL, tmp_path / "kernel.json")
    (tmp_path / "good.cpp").write_text(SAME)
    (tmp_path / "bad.cpp").write_text(OTHER + "\n" + OTHER)
    arguments = ["--manifest", str(tmp_path / "kernel.json"), "--op-type", "LeakyScale", "--out", str(tmp_path / "out")]
    assert tool.main([*arguments, str(tmp_path / "good.cpp")]) == 0
    assert (tmp_path / "out").read_text() == ""
    assert tool.main([*arguments, str(tmp_path / "good.cpp"), str(tmp_path / "bad.cpp")]) == 1
    error = capsys.readouterr().err
    assert "bad.cpp:1: error" in error and "bad.cpp:2: error" in error and "Traceback" not in error
    assert tool.main([*arguments, str(tmp_path / "absent.cpp")]) == 1
    assert "absent.cpp" in capsys.readouterr().err
