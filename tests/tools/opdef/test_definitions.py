"""What `_def.cpp` sources say, in op.json, and every way one can be wrong, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pypto_rules.tools.opdef import model
from tests.tools.opdef.definitions import CONFIG, FIRST, PLAIN, described, read, source


def refused(capsys: pytest.CaptureFixture[str], directory: Path, text: str, *options: str) -> str:
    status, out = read(directory, text, *options)
    error = capsys.readouterr().err
    assert status == 1 and not out.exists() and "Traceback" not in error
    return error


def test_a_plain_operator(tmp_path: Path) -> None:
    op = described(tmp_path, PLAIN + CONFIG)
    assert (op.op_type, op.at) == ("Scale", f"op_host/scale_def.cpp:{FIRST + 6}")
    (x,), (y,) = op.inputs, op.outputs
    assert (x.name, x.dtypes, x.formats, x.at) == ("x", ("float16", "float"), ("ND", "ND"), "op_host/scale_def.cpp:6")
    assert y.at == "op_host/scale_def.cpp:7"
    on_soc = op.for_soc("ascend910b")
    assert (on_soc.op_file, on_soc.op_interface) == ("scale", "scale")
    assert [dict(column.tensors) for column in on_soc.columns] == [
        {"x": ("float16", "ND"), "y": ("float16", "ND")},
        {"x": ("float", "ND"), "y": ("float", "ND")},
    ]


def test_parameters_of_every_kind(tmp_path: Path) -> None:
    body = """
    this->Input("x").ParamType(DYNAMIC).DataTypeList({ge::DT_BF16, ge::DT_INT8})
        .FormatList({ge::FORMAT_ND, ge::FORMAT_NCHW});
    this->Input("w").ParamType(OPTIONAL).Follow("x").ValueDepend(OPTIONAL).IgnoreContiguous();
    this->Output("y").DataType({ge::DT_BOOL, ge::DT_UINT8, ge::DT_INT64, ge::DT_DOUBLE}).AutoContiguous().InitValue(0)
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND}).OutputShapeDependOnCompute();
    """
    op = described(tmp_path, body + CONFIG)
    x, w = op.inputs
    # Four columns, each with all combinations of the two lists.
    assert (x.param_type, x.dtypes) == ("dynamic", ("bfloat16", "bfloat16", "int8", "int8") * 4)
    assert x.formats == ("ND", "NCHW") * 8
    assert (w.param_type, w.dtypes, w.value_depend, w.ignore_contiguous) == ("optional", x.dtypes, "optional", True)
    (y,) = op.outputs
    assert y.dtypes == ("bool",) * 4 + ("uint8",) * 4 + ("int64",) * 4 + ("double",) * 4
    assert y.formats == ("ND",) * 16
    assert (y.auto_contiguous, y.init_value, y.shape_depends_on_compute) == (True, 0, True)
    assert y.unknown_shape_formats == ("ND",) * 16


def test_lists_of_two_parameters_are_combined(tmp_path: Path) -> None:
    body = """
    this->Input("x").DataTypeList({ge::DT_BF16, ge::DT_FLOAT});
    this->Output("y").DataTypeList({ge::DT_FLOAT, ge::DT_INT32});
    """
    op = described(tmp_path, body + CONFIG)
    assert list(zip(op.inputs[0].dtypes, op.outputs[0].dtypes, strict=True)) == [
        ("bfloat16", "float"), ("bfloat16", "int32"), ("float", "float"), ("float", "int32"),
    ]  # fmt: skip


def test_columns_that_differ_in_optional_parameters_only_are_one(tmp_path: Path) -> None:
    body = PLAIN + 'this->Input("b").ParamType(OPTIONAL).DataType({ge::DT_FLOAT, ge::DT_INT32});\n'
    op = described(tmp_path, body.replace("ge::DT_FLOAT16, ge::DT_FLOAT}", "ge::DT_FLOAT, ge::DT_FLOAT}") + CONFIG)
    assert [column.index for column in op.for_soc("ascend910b").columns] == [0]


def test_attributes_of_every_type(tmp_path: Path) -> None:
    body = """
    this->Attr("a").Int();
    this->Attr("b").AttrType(OPTIONAL).Float(0.5);
    this->Attr("c").AttrType(OPTIONAL).Bool(true);
    this->Attr("d").AttrType(OPTIONAL).String("mean");
    this->Attr("e").AttrType(OPTIONAL).ListInt({1, -2});
    this->Attr("f").AttrType(OPTIONAL).ListFloat({1.5f});
    this->Attr("g").AttrType(OPTIONAL).ListBool({true, false});
    this->Attr("h").AttrType(OPTIONAL).ListListInt({{1}, {2, 3}});
    this->Attr("i").AttrType(OPTIONAL).Int(-7).Comment("a number");
    """
    op = described(tmp_path, PLAIN + body + CONFIG)
    assert [(attr.name, attr.type, attr.required, attr.default) for attr in op.attrs] == [
        ("a", "int", True, None),
        ("b", "float", False, 0.5),
        ("c", "bool", False, True),
        ("d", "str", False, "mean"),
        ("e", "list_int", False, [1, -2]),
        ("f", "list_float", False, [1.5]),
        ("g", "list_bool", False, [True, False]),
        ("h", "list_list_int", False, [[1], [2, 3]]),
        ("i", "int", False, -7),
    ]


def test_socs_with_configurations_of_their_own(tmp_path: Path) -> None:
    body = """
    OpAICoreConfig special;
    special.DynamicFormatFlag(false).PrecisionReduceFlag(true).ExtendCfgInfo("opFile.value", "scale_apt")
        .ExtendCfgInfo("opInterface.value", "scale_entry");
    special.Input("x").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_ND});
    special.Output("y").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_ND});
    this->AICore().AddConfig("ascend950", special);
    """
    op = described(tmp_path, PLAIN + body + CONFIG)
    assert list(op.socs) == ["ascend950", "ascend910b"]
    special, plain = op.for_soc("ascend950"), op.for_soc("ascend910b")
    assert (special.op_file, special.op_interface) == ("scale_apt", "scale_entry")
    assert special.flags == {"dynamicFormat.flag": "false", "precision_reduce.flag": "true"}
    assert [dict(column.tensors) for column in special.columns] == [{"x": ("bfloat16", "ND"), "y": ("bfloat16", "ND")}]
    assert len(plain.columns) == 2


def test_what_a_configuration_leaves_out_stays_as_it_is(tmp_path: Path) -> None:
    body = """
    this->Input("w").ParamType(OPTIONAL).Follow("x");
    OpAICoreConfig special;
    special.Input("x").ParamType(REQUIRED).DataType({ge::DT_BF16, ge::DT_INT32});
    special.Input("w").ParamType(REQUIRED);
    this->AICore().AddConfig("ascend950", special);
    """
    x, w = described(tmp_path, PLAIN + body + CONFIG).for_soc("ascend950").inputs
    assert (x.dtypes, x.formats) == (("bfloat16", "int32"), ("ND", "ND"))
    assert (w.param_type, w.dtypes) == ("required", x.dtypes)


def test_a_soc_by_its_former_name(tmp_path: Path) -> None:
    op = described(tmp_path, PLAIN + CONFIG.replace("ascend910b", "ascend910_95"))
    assert list(op.socs) == ["ascend950"]


def test_a_soc_that_is_not_configured(tmp_path: Path) -> None:
    op = described(tmp_path, PLAIN + CONFIG)
    with pytest.raises(model.OpDefError) as error:
        op.for_soc("ascend910_93")
    assert "Scale is not registered for ascend910_93; its OpDef (op_host/scale_def.cpp:" in str(error.value)
    assert "has AddConfig for ascend910b. Add this->AICore()" in str(error.value)


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        (PLAIN.replace("{ge::FORMAT_ND, ge::FORMAT_ND}", "{ge::FORMAT_ND}", 1) + CONFIG, 6,
         "'x' has 2 dtypes (float16, float) and 1 formats (ND); the lists are columns read in parallel"),
        (PLAIN.replace(", ge::DT_FLOAT}", "}", 1).replace("ge::FORMAT_ND, ", "", 1) + CONFIG, 7,
         "'y' has 2 dtypes (float16, float) and 'x' has 1 (float16)"),
        (PLAIN.replace("ge::DT_FLOAT16", "ge::DT_UNDEFINED", 1) + CONFIG, 6,
         "DataType 0 of 'x' is none that tensors have"),
        (PLAIN + CONFIG + 'this->Input("w");', 9, "'w' has no DataType; fix: list its dtypes"),
        (PLAIN + CONFIG + 'this->Input("a b").DataType({ge::DT_FLOAT, ge::DT_FLOAT});', 9, "input 'a b' is not a name"),
        (PLAIN + CONFIG + 'this->Attr("x").Int();', 9, "attribute 'x' has the name of an input"),
        (PLAIN + CONFIG + 'this->Attr("n");', 9, "attribute 'n' has no type"),
        (PLAIN + CONFIG + 'this->Attr("n").AttrType(OPTIONAL).Int();', 9,
         "attribute 'n' is OPTIONAL and has no default"),
        (PLAIN + CONFIG + 'this->Input("w").Follow("z");', 9, "'w' follows 'z'; it can follow x, y"),
        (PLAIN + CONFIG + 'this->Input("w").Scalar().Follow("x");', 9,
         "'w' uses Scalar, which PyPTO operators cannot have"),
        (PLAIN + CONFIG + 'this->Input("w").ParamType(IGNORE).Follow("x");', 9,
         "ParamType of 'w' is IGNORE; allowed are REQ"),
        (PLAIN.replace('Output("y")', 'Output("x")').replace("ge::DT_FLOAT}", "ge::DT_BF16}", 1) + CONFIG, 7,
         "output 'x' is the input of that name, and has other dtypes or formats"),
        (PLAIN + CONFIG + CONFIG, 9, "AddConfig for ascend910b is called twice"),
        (PLAIN, 11, "Scale is registered for no SoC; fix: add this->AICore().AddConfig"),
        ('this->Input("x").DataType({ge::DT_FLOAT});\n' + CONFIG, 11, "Scale has no output"),
    ],
)  # fmt: skip
def test_mistakes(body: str, line: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, tmp_path, source(body))
    assert f"op_host/scale_def.cpp:{line}: error: {said}" in error, error
    assert "; fix: " in error


def test_all_mistakes_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, tmp_path, source(PLAIN + 'this->Attr("n");\nthis->Attr("m");'))
    assert len(error.strip().splitlines()) == 3


def test_a_mistake_that_a_soc_has_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    special = 'OpAICoreConfig special;\nspecial.Input("x").Format({ge::FORMAT_NCHW, ge::FORMAT_ND});\n'
    special += 'this->AICore().AddConfig("ascend950", special);\n'
    wrong = PLAIN.replace("ge::FORMAT_ND});\n", "ge::FORMAT_ND, ge::FORMAT_ND});\n")
    error = refused(capsys, tmp_path, source(wrong + CONFIG + special))
    assert error.count("'y' has 2 dtypes (float16, float) and 3 formats") == 1


def test_the_operator_of_another_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, tmp_path, source(PLAIN + CONFIG), "--op-type", "Scales")
    assert "op_host/scale_def.cpp:12: error: the operator is called Scale here, and Scales in the BUILD file" in error
    assert 'fix: op_type = "Scale" there, or OP_ADD(Scales) here' in error


def test_several_operators_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = "class Other : public Scale { public: explicit Other(const char* name) : Scale(name) {} };\nOP_ADD(Other);"
    text = source(PLAIN + CONFIG, "OP_ADD(Scale);\n" + other)
    assert "OP_ADD defines Scale, Other; fix: say which with op_type" in refused(capsys, tmp_path, text)
    status, out = read(tmp_path, text, "--op-type", "Other")
    assert status == 0 and model.read(out, "op.json").op_type == "Other"


def test_no_operator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no OP_ADD is in this file" in refused(capsys, tmp_path, source(PLAIN, ""))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("int* none = nullptr; *static_cast<volatile int*>(none) = 1;", "crashed while it was constructed (SIGSEGV)"),
        ("std::abort();", "crashed while it was constructed (SIGABRT)"),
        ('throw std::string("no");', "crashed while it was constructed (SIGABRT): terminate called"),
    ],
)
def test_a_definition_that_crashes(body: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "#include <cstdlib>\n#include <string>\n" + source(PLAIN + body)
    assert said in refused(capsys, tmp_path, text)


def test_a_definition_that_calls_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "void Elsewhere();\n" + source(PLAIN + CONFIG + "Elsewhere();")
    error = refused(capsys, tmp_path, text)
    assert "the OpDef cannot be loaded" in error and "Elsewhere" in error


def test_written_by_hand(tmp_path: Path) -> None:
    (tmp_path / "op.json").write_text('{"op_type": "FFTScale", "inputs": [{"name": "x"}], "outputs": []}')
    op = model.read(tmp_path / "op.json", "op.json").for_soc("ascend950")
    assert (op.op_file, op.columns, op.inputs[0].param_type) == ("fft_scale", [], "required")


@pytest.mark.parametrize(
    ("op_type", "name"),
    [("AddExample", "add_example"), ("BNInfer", "bn_infer"), ("AvgPool3D", "avg_pool3_d"), ("MatMulV2", "mat_mul_v2")],
)
def test_snake_case(op_type: str, name: str) -> None:
    assert model.snake_case(op_type) == name
