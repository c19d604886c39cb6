"""op_build as the tools of a host toolchain: what they make of a `_def.cpp`, and what they say of a wrong one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pypto_rules.tools.op_info import ops_info
from pypto_rules.tools.opdef import model
from tests.cann.host.definitions import COMPILER, Definition, compiled, toolkit
from tests.tools.opdef.definitions import CONFIG, PLAIN, source

RICH = """
this->Input("x").ParamType(DYNAMIC).DataTypeList({ge::DT_BF16, ge::DT_INT8})
    .FormatList({ge::FORMAT_ND, ge::FORMAT_NCHW});
this->Input("w").ParamType(OPTIONAL).Follow("x").ValueDepend(OPTIONAL);
this->Input("v").ParamType(VIRTUAL).DataType({ge::DT_FLOAT, ge::DT_FLOAT});
this->Output("y").DataType({ge::DT_BOOL, ge::DT_DOUBLE}).InitValue(0)
    .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND}).OutputShapeDependOnCompute();
this->Attr("a").Int();
this->Attr("b").AttrType(OPTIONAL).Float(0.1);
this->Attr("c").AttrType(OPTIONAL).Bool(true);
this->Attr("d").AttrType(OPTIONAL).String("mean");
this->Attr("e").AttrType(OPTIONAL).ListInt({1, -2});
this->Attr("f").AttrType(OPTIONAL).ListFloat({1.5f, 0.1f});
this->Attr("g").AttrType(OPTIONAL).ListBool({true, false});
this->EnableFallBack();
"""
FURTHER_ATTRS = """
this->Attr("h").AttrType(OPTIONAL).ListListInt({{1}, {2, 3}});
this->Attr("i").AttrType(OPTIONAL).ListString({"p", "q"});
"""
OWN = """
OpAICoreConfig special;
special.DynamicFormatFlag(false).ExtendCfgInfo("opFile.value", "scale_apt");
special.Input("x").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_NCHW});
special.Input("extra").ParamType(OPTIONAL).DataType({ge::DT_INT8});
special.Output("y").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_ND})
    .OutputShapeDependOnCompute().InitValue(0);
this->AICore().AddConfig("ascend910_93", special);
"""


def read(directory: Path, text: str) -> model.OpDef:
    definition = compiled(directory, text)
    assert definition.read() == 0
    return model.read(definition.op_json, "op.json")


def ini_of(definition: Definition, soc: str) -> dict[str, set[str]]:
    """The lines of what op_build itself writes, by section."""
    text = (definition.directory / f"aic-{soc}-ops-info.ini").read_text()
    return {part.partition("]")[0]: set(part.splitlines()[1:]) for part in text.split("[")[1:] if "]\n" in part}


def op_build(definition: Definition, *arguments: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Starts op_build by hand."""
    variables = {
        "HOME": "/", "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": f"{toolkit()}/lib64", "OPS_ACLNN_GEN": "0",
        "OPS_PRODUCT_NAME": "ascend910b", "OPS_PROJECT_NAME": "aclnnExc", "OPS_PROTO_SEPARATE": "1", "PATH": "/bin",
    }  # fmt: skip
    environment = {name: value for name, value in (variables | changes).items() if value is not None}
    command = [f"{toolkit()}/tools/opbuild/op_build", *(arguments or (str(definition.library), "."))]
    return subprocess.run(
        command, cwd=definition.directory, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Definition:
    definition = compiled(tmp_path_factory.mktemp("plain"), source(PLAIN + CONFIG))
    assert definition.read() == 0
    return definition


@pytest.mark.parametrize("body", [PLAIN + CONFIG, RICH + FURTHER_ATTRS + CONFIG, PLAIN + CONFIG + OWN])
def test_nothing_of_the_operator_information_is_lost(tmp_path: Path, body: str) -> None:
    definition = compiled(tmp_path, source(body))
    assert definition.read() == 0
    op = model.read(definition.op_json, "op.json")
    assert op_build(definition).stderr == ""
    assert sorted(op.socs) == sorted(p.name[4:-13] for p in tmp_path.glob("aic-*-ops-info.ini"))
    for soc in op.socs:
        written = ops_info.ini_text([op], soc).splitlines()[1:]
        # op.json has no virtual parameters in the sense of the ini, and says ND where the OpDef says nothing.
        expected = {line.replace("=virtual", "=optional") for line in written}
        lost = ini_of(definition, soc)["Scale"] - expected
        assert {line for line in lost if ".virtual=" not in line and "defaultValue" not in line} == set()


def test_parameters_of_every_kind(tmp_path: Path) -> None:
    op = read(tmp_path, source(RICH + CONFIG))
    x, w, v = op.inputs
    assert (x.param_type, x.dtypes) == ("dynamic", ("bfloat16", "bfloat16", "int8", "int8") * 2)
    assert x.formats == ("ND", "NCHW") * 4
    assert (w.param_type, w.dtypes, w.formats, w.value_depend) == ("optional", x.dtypes, x.formats, "optional")
    assert (v.param_type, v.dtypes) == ("virtual", ("float",) * 8)
    (y,) = op.outputs
    assert y.dtypes == ("bool",) * 4 + ("double",) * 4
    assert (y.init_value, y.shape_depends_on_compute, y.unknown_shape_formats) == (0, True, ("ND",) * 8)
    tenth = 0.10000000149011612
    assert [(attr.type, attr.required, attr.default) for attr in op.attrs] == [
        ("int", True, None), ("float", False, tenth), ("bool", False, True), ("str", False, "mean"),
        ("list_int", False, [1, -2]), ("list_float", False, [1.5, tenth]), ("list_bool", False, [True, False]),
    ]  # fmt: skip
    assert op.fallback


def test_a_configuration_changes_what_it_says_and_no_more(tmp_path: Path) -> None:
    op = read(tmp_path, source(PLAIN + CONFIG + OWN))
    general, special = op.for_soc("ascend910b"), op.for_soc("ascend910_93")
    assert [param.name for param in general.params] == ["x", "y"]
    assert [param.dtypes for param in general.params] == [("float16", "float")] * 2
    assert (general.outputs[0].shape_depends_on_compute, general.outputs[0].init_value) == (False, None)
    assert [param.name for param in special.params] == ["x", "extra", "y"]
    assert [(param.dtypes, param.formats) for param in special.params] == [
        (("bfloat16",), ("NCHW",)), (("int8",), ("ND",)), (("bfloat16",), ("ND",)),
    ]  # fmt: skip
    assert (special.outputs[0].shape_depends_on_compute, special.outputs[0].init_value) == (True, 0)
    assert (special.op_file, general.op_file) == ("scale_apt", "scale")
    assert (special.flags["dynamicFormat.flag"], general.flags["dynamicFormat.flag"]) == ("false", "true")


@pytest.mark.parametrize(("kind", "name"), [("aclnn", "aclnn_scale"), ("aclnn_inner", "aclnnInner_scale")])
def test_the_aclnn_interface_is_op_builds(plain: Definition, kind: str, name: str) -> None:
    assert plain.generate("aclnn", "--type", kind) == 0
    header = (plain.directory / "headers" / f"{name}.h").read_text()
    assert f"{name.partition('_')[0]}ScaleGetWorkspaceSize" in header
    generated = plain.directory / "generated.cpp"
    assert f'#include "{name}.h"' in generated.read_text()
    include = [f"-I{plain.directory}/headers", f"-I{toolkit()}/include"]
    subprocess.run([COMPILER, "-c", *include, generated, "-o", "/dev/null"], check=True)


def test_the_prototype_is_op_builds(plain: Definition) -> None:
    assert plain.generate("proto") == 0
    assert "REG_OP(Scale)" in (plain.directory / "headers/scale_proto.h").read_text()
    assert '#include "scale_proto.h"' in (plain.directory / "generated.cpp").read_text()


def test_outputs_say_nothing_of_where_they_were_made(tmp_path: Path) -> None:
    made = []
    for name in ("one", "another"):
        (tmp_path / name).mkdir()
        definition = compiled(tmp_path / name, source(RICH + CONFIG))
        assert (definition.read(), definition.generate("aclnn")) == (0, 0)
        files = [
            definition.op_json,
            definition.directory / "headers/aclnn_scale.h",
            definition.directory / "generated.cpp",
        ]
        made.append([path.read_bytes() for path in files])
    assert made[0] == made[1]
    assert str(tmp_path).encode() not in b"".join(made[0])


def test_nothing_of_the_environment_reaches_op_build(plain: Definition, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LD_PRELOAD", "ASCEND_OPP_PATH", "ENABLE_SOURCE_PACKAGE", "OPS_DIRECT_ACCESS_PREFIX"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    assert plain.generate("proto") == 0


@pytest.mark.parametrize(
    ("arguments", "changes", "message"),
    [
        ((), {"LD_PRELOAD": ""}, "the environment variable LD_PRELOAD is set"),
        ((), {"OPS_PROTO_SEPARATE": None}, "the environment variable OPS_PROTO_SEPARATE is not set"),
        ((), {"OPS_PROJECT_NAME": "custom"}, "OPS_PROJECT_NAME is 'custom', not aclnn or aclnnExc or aclnnInner"),
        ((), {"OPS_ACLNN_GEN": "1"}, "OPS_ACLNN_GEN is 0 for aclnnExc and 1 for others"),
        (("library.so", "."), {}, "argument 1 'library.so' is no absolute path"),
        (("/library.so",), {}, "expected 2 arguments, the library and the output directory, not 1"),
    ],
)
def test_the_stand_in_is_strict(plain: Definition, arguments: tuple[str, ...], changes: dict, message: str) -> None:
    done = op_build(plain, *arguments, **changes)
    assert (done.returncode, message in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (source(PLAIN + CONFIG, after=""), (), "no OP_ADD is in this file; fix: end it with OP_ADD(<OpType>);"),
        (source(PLAIN), (), 'no SoC is registered; fix: add this->AICore().AddConfig("ascend910b")'),
        (source(PLAIN + CONFIG), ("--op-type", "Scales"), 'in the BUILD file; fix: op_type = "Scale" there'),
        (source('throw "no";'), (), "crashed while op_build constructed it (SIGABRT)"),
        (source(PLAIN.replace("DT_FLOAT}", "DT_FLOAT, ge::DT_INT8}", 1) + CONFIG), (), "has 3 dtypes"),
        ("extern int missing(); int used = missing();", (), "the OpDef cannot be loaded: op_build ended with status 1"),
    ],
)
def test_a_wrong_definition(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str, options: tuple[str, ...], message: str
) -> None:
    definition = compiled(tmp_path, text)
    assert definition.read(*options) == 1
    error = capfd.readouterr().err
    assert error.startswith("op_host/scale_def.cpp") and message in error and "Traceback" not in error, error
    assert not definition.op_json.exists()


def test_a_toolkit_without_the_libraries_of_op_build(plain: Definition, tmp_path: Path, capsys) -> None:
    arguments = plain.arguments("dump", "--out", str(tmp_path / "raw.json"))
    arguments[arguments.index("--lib64") + 1] = str(tmp_path)
    from toolchains.cann.host.op_build import cli

    assert cli.main(arguments) == 1
    assert "op_build of the CANN toolkit cannot be started" in capsys.readouterr().err


def test_no_file_for_the_operator(plain: Definition, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "op.json"
    other.write_text('{"op_type": "Other", "inputs": [], "outputs": []}')
    definition = Definition(plain.source, tmp_path / "library.so")
    os.symlink(plain.library, definition.library)
    assert definition.generate("aclnn") == 1
    assert "op_build wrote no aclnn_other.h and .cpp for Other; it wrote aclnn_scale.cpp" in capsys.readouterr().err
