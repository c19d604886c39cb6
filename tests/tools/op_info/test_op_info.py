"""ops-info, prototypes, and the comparison of lists of binaries that are kept by hand."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pypto_rules.tools.op_info import __main__ as tool
from pypto_rules.tools.op_info import ops_info, proto
from pypto_rules.tools.opdef import model

INCLUDE = Path("toolchains/twin/host_sdk/include").resolve()
GXX = shutil.which("g++", path="/usr/bin:/bin:/usr/local/bin") or "g++"

DATA = {
    "op_type": "LeakyScale",
    "at": "op_host/leaky_scale_def.cpp:20",
    "inputs": [
        {"name": "x", "dtypes": ["float16", "float"], "formats": ["ND", "ND"], "unknown_shape_formats": ["ND", "ND"]},
        {"name": "w", "param_type": "optional", "dtypes": ["bfloat16", "int32"], "value_depend": "required"},
    ],
    "outputs": [{"name": "y", "dtypes": ["float16", "float"], "init_value": 0}],
    "attrs": [
        {"name": "alpha", "type": "float", "required": False, "default": 0.5},
        {"name": "axes", "type": "list_int", "required": False, "default": [1, 2]},
        {"name": "name", "type": "str", "required": True},
    ],
    "socs": {
        "ascend910b": {"flags": {"dynamicShapeSupport.flag": "true"}, "extended": {"opFile.value": "leaky"}},
        "ascend950": {},
    },
}
OP = model.from_json(DATA)
OTHER = model.from_json({"op_type": "Add", "inputs": [], "outputs": [{"name": "z", "dtypes": ["int8"]}]})


def test_the_whole_ini() -> None:
    assert (
        ops_info.ini_text([OP, OTHER], "ascend910b")
        == """\
[Add]
output0.name=z
output0.dtype=int8
output0.format=ND
output0.shape=all
output0.paramType=required
prebuildPattern.value=Opaque
coreType.value=AiCore
opFile.value=add
opInterface.value=add
[LeakyScale]
input0.name=x
input0.dtype=float16,float32
input0.format=ND,ND
input0.unknownshape_format=ND,ND
input0.shape=all
input0.paramType=required
input1.name=w
input1.dtype=bfloat16,int32
input1.format=ND,ND
input1.shape=all
input1.paramType=optional
input1.valueDepend=required
output0.name=y
output0.dtype=float16,float32
output0.format=ND,ND
output0.shape=all
output0.paramType=required
output0.initValue=0
attr.list=alpha,axes,name
attr_alpha.type=float
attr_alpha.value=all
attr_alpha.paramType=optional
attr_alpha.defaultValue=0.5
attr_axes.type=listInt
attr_axes.value=all
attr_axes.paramType=optional
attr_axes.defaultValue=[1,2]
attr_name.type=str
attr_name.value=all
attr_name.paramType=required
dynamicShapeSupport.flag=true
prebuildPattern.value=Opaque
coreType.value=AiCore
opFile.value=leaky
opInterface.value=leaky_scale
"""
    )


def test_the_json_says_the_same() -> None:
    data = json.loads(ops_info.json_text([OP, OTHER], "ascend910b"))
    lines = [line for line in ops_info.ini_text([OP], "ascend910b").splitlines() if "=" in line]
    said = {f"{group}.{key}={value}" for group, keys in data["LeakyScale"].items() for key, value in keys.items()}
    assert said == set(lines)
    assert list(data) == ["Add", "LeakyScale"]


def test_a_soc_that_is_not_registered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "op.json").write_text(json.dumps(DATA))
    arguments = ["--op", str(tmp_path / "op.json"), "--soc", "ascend910_93", "--ini", str(tmp_path / "out.ini")]
    assert tool.main(arguments) == 1
    assert "LeakyScale is not registered for ascend910_93; its OpDef (op_host/leaky" in capsys.readouterr().err


def test_the_prototype_compiles_and_says_what_the_op_def_says(tmp_path: Path) -> None:
    text = proto.text(OP)
    assert ".INPUT(x, TensorType({DT_FLOAT16, DT_FLOAT}))" in text
    assert ".OPTIONAL_INPUT(w, TensorType({DT_BF16, DT_INT32}))" in text
    assert ".ATTR(alpha, Float, 0.5)" in text and ".ATTR(axes, ListInt, {1, 2})" in text
    assert ".REQUIRED_ATTR(name, String)" in text
    assert proto.file_name(OP) == "leaky_scale_proto.h"
    (tmp_path / "user.cpp").write_text(text + text)
    options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}"]
    subprocess.run([GXX, *options, str(tmp_path / "user.cpp")], check=True)


COLUMNS = [
    [("x", "float16", "ND"), ("w", "bfloat16", "ND"), ("y", "float16", "ND")],
    [("x", "float32", "ND"), ("w", "int32", "ND"), ("y", "float", "ND")],
]


def compared(directory: Path, columns: list, *options: str) -> int:
    (directory / "op.json").write_text(json.dumps(DATA))
    entries = []
    for column in columns:
        tensors = [{"name": name, "dtype": dtype, "format": layout} for name, dtype, layout in column]
        entries.append({"bin_filename": "a", "inputs": tensors[:-1], "outputs": tensors[-1:]})
    (directory / "binary.json").write_text(json.dumps({"op_type": "LeakyScale", "op_list": entries}))
    files = ["--op", str(directory / "op.json"), "--soc", "ascend950", "--binary-json", str(directory / "binary.json")]
    return tool.main([*files, *options])


def test_a_list_that_agrees(tmp_path: Path) -> None:
    assert compared(tmp_path, COLUMNS, "--checked", str(tmp_path / "ok")) == 0
    assert (tmp_path / "ok").exists()


def test_a_list_that_lacks_a_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(tmp_path, COLUMNS[:1]) == 1
    error = capsys.readouterr().err
    assert "it has no column for (x: float ND, w: int32 ND, y: float ND), which the OpDef has" in error
    assert "fix: remove the file: the OpDef (op_host/leaky_scale_def.cpp:20) says what is built" in error


def test_a_list_with_another_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = [[("x", "float16", "NHWC"), *COLUMNS[0][1:]], COLUMNS[1]]
    assert compared(tmp_path, changed, "--checked", str(tmp_path / "ok")) == 1
    assert "column 0 has float16 NHWC for 'x', where the OpDef has float16 ND" in capsys.readouterr().err
    assert not (tmp_path / "ok").exists()


def test_a_list_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compared(tmp_path, COLUMNS)
    (tmp_path / "binary.json").write_text("[]")
    files = ["--op", str(tmp_path / "op.json"), "--soc", "ascend950", "--binary-json", str(tmp_path / "binary.json")]
    assert tool.main(files) == 1
    assert "is no list of binaries" in capsys.readouterr().err
