"""The aclnn interface: names and order of parameters, the text of both files, what cannot be."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pypto_rules.tools.aclnn import __main__ as tool
from pypto_rules.tools.aclnn import render
from pypto_rules.tools.aclnn.signature import AclnnError, parameters
from pypto_rules.tools.opdef import model

INCLUDE = Path("toolchains/twin/host_sdk/include").resolve()
GXX = shutil.which("g++", path="/usr/bin:/bin:/usr/local/bin") or "g++"
GCC = shutil.which("gcc", path="/usr/bin:/bin:/usr/local/bin") or "gcc"

SIMPLE = {
    "op_type": "AddOne",
    "inputs": [{"name": "x", "dtypes": ["float16", "float"]}],
    "outputs": [{"name": "y", "dtypes": ["float16", "float"]}],
}
RICH = {
    "op_type": "BNScale",
    "inputs": [
        {"name": "x", "dtypes": ["float"]},
        {"name": "bias", "param_type": "optional", "dtypes": ["float"]},
        {"name": "parts", "param_type": "dynamic", "dtypes": ["int32"]},
        {"name": "hidden", "param_type": "virtual", "dtypes": ["int32"]},
        {"name": "class", "dtypes": ["int8"]},
    ],
    "outputs": [
        {"name": "y", "dtypes": ["float"]},
        {"name": "stats", "param_type": "optional", "dtypes": ["float"]},
        {"name": "x", "dtypes": ["float"]},
    ],
    "attrs": [
        {"name": "axis", "type": "int", "required": True},
        {"name": "eps", "type": "float", "required": False, "default": 0.5},
        {"name": "executor", "type": "bool", "required": False, "default": True},
        {"name": "mode", "type": "str", "required": False, "default": 'a "b"'},
        {"name": "name", "type": "str", "required": True},
        {"name": "dims", "type": "list_int", "required": False, "default": [1, -2]},
        {"name": "none", "type": "list_float", "required": False, "default": []},
        {"name": "ratios", "type": "list_float", "required": False, "default": [0.5]},
        {"name": "flags", "type": "list_bool", "required": True},
    ],
}


def test_order_names_and_types() -> None:
    found = [(p.name, p.ctype, p.role) for p in parameters(model.from_json(RICH))]
    assert found == [
        ("x", "const aclTensor*", "input"),
        ("biasOptional", "const aclTensor*", "input"),
        ("parts", "const aclTensorList*", "input"),
        ("class_", "const aclTensor*", "input"),
        ("axis", "int64_t", "attr"),
        ("eps", "double", "attr"),
        ("executor_", "bool", "attr"),
        ("modeOptional", "const char*", "attr"),
        ("name", "const char*", "attr"),
        ("dimsOptional", "const aclIntArray*", "attr"),
        ("noneOptional", "const aclFloatArray*", "attr"),
        ("ratiosOptional", "const aclFloatArray*", "attr"),
        ("flags", "const aclBoolArray*", "attr"),
        ("yOut", "const aclTensor*", "output"),
        ("statsOptionalOut", "const aclTensor*", "output"),
        ("xOut", "const aclTensor*", "output"),
    ]


def test_the_whole_source_of_a_simple_operator() -> None:
    assert (
        render.source_text(model.from_json(SIMPLE), "aclnn")
        == """\
// Generated: the aclnn interface of AddOne on the CPU twin.
#include "aclnn_add_one.h"

#include "pypto_twin/host/op_api.h"

using pypto_twin::op_api::Param;

extern "C" {

aclnnStatus aclnnAddOneGetWorkspaceSize(
    const aclTensor* x,
    const aclTensor* yOut,
    uint64_t* workspaceSize,
    aclOpExecutor** executor) {
    pypto_twin::op_api::Call call("AddOne", "aclnnAddOne");
    call.Input("x", Param::required, x);
    call.Output("y", Param::required, yOut);
    return call.Prepare(workspaceSize, executor);
}

aclnnStatus aclnnAddOne(
    void* workspace,
    uint64_t workspaceSize,
    aclOpExecutor* executor,
    aclrtStream stream) {
    return pypto_twin::op_api::Run("aclnnAddOne", workspace, workspaceSize, executor, stream);
}

}  // extern "C"
"""
    )


def test_defaults_of_attributes_are_in_the_source() -> None:
    text = render.source_text(model.from_json(RICH), "aclnn")
    assert 'call.Attr("mode", modeOptional, "a \\"b\\"");' in text
    assert 'call.Attr("name", name, nullptr);' in text
    assert "static const int64_t dimsOptionalDefault[] = {1, -2};" in text
    assert 'call.Attr("dims", dimsOptional, dimsOptionalDefault, 2);' in text
    assert 'call.Attr("none", noneOptional, noneOptionalDefault, 0);' in text
    assert "static const float ratiosOptionalDefault[] = {0.5f};" in text
    assert 'call.Attr("flags", flags, nullptr, 0);' in text


@pytest.mark.parametrize("aclnn_type", ["aclnn", "aclnn_inner"])
@pytest.mark.parametrize("op", [SIMPLE, RICH], ids=["simple", "rich"])
def test_both_files_compile(op: dict, aclnn_type: str, tmp_path: Path) -> None:
    (tmp_path / "op.json").write_text(json.dumps(op))
    header, source = tmp_path / "include", tmp_path / "source.cpp"
    arguments = ["--op", str(tmp_path / "op.json"), "--type", aclnn_type]
    assert tool.main([*arguments, "--header-dir", str(header), "--source", str(source)]) == 0
    (name,) = [path.name for path in header.iterdir()]
    stem = {"AddOne": "add_one", "BNScale": "bn_scale"}[op["op_type"]]
    assert name == {"aclnn": f"aclnn_{stem}.h", "aclnn_inner": f"aclnnInner_{stem}.h"}[aclnn_type]
    options = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", f"-I{header}"]
    subprocess.run([GXX, "-std=c++17", *options, str(source)], check=True)
    (tmp_path / "user.c").write_text(f'#include "{name}"\n#include "{name}"\n')
    subprocess.run([GCC, "-std=c11", *options, str(tmp_path / "user.c")], check=True)
    prefix = "aclnnInner" if aclnn_type == "aclnn_inner" else "aclnn"
    assert f"{prefix}{op['op_type']}GetWorkspaceSize(" in (header / name).read_text()


def test_an_attribute_that_aclnn_cannot_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    op = {**SIMPLE, "attrs": [{"name": "pads", "type": "list_list_int", "at": "op_host/add_one_def.cpp:12"}]}
    with pytest.raises(AclnnError):
        parameters(model.from_json(op))
    (tmp_path / "op.json").write_text(json.dumps(op))
    files = ["--header-dir", str(tmp_path / "h"), "--source", str(tmp_path / "s.cpp")]
    assert tool.main(["--op", str(tmp_path / "op.json"), *files]) == 1
    error = capsys.readouterr().err
    assert error.startswith("op_host/add_one_def.cpp:12: error: attribute 'pads' is a list_list_int")
    assert 'fix: use one of them, or aclnn_type = "aclnn_exclude"' in error


def test_a_file_that_is_no_op_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "op.json").write_text("[]")
    files = ["--header-dir", str(tmp_path / "h"), "--source", str(tmp_path / "s.cpp")]
    assert tool.main(["--op", str(tmp_path / "op.json"), *files]) == 1
    assert "the OpDef description op.json is not an object with op_type" in capsys.readouterr().err
