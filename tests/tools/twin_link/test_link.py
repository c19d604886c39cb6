"""The twin's link tool on small objects: names, sharing of equal variants, what is exported, what it refuses."""

import ctypes
import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from toolchains.twin.link.__main__ import main

KERNEL_JSON = Path("tests/tools/twin_link/sample_kernel.json")
LINKER = shutil.which("gcc", path="/usr/bin:/bin:/usr/local/bin")


def variant(column, key, source, entry):
    return {
        "column": column,
        "tiling_key": key,
        "combo": {"sch_mode": key},
        "core": "vector",
        "source": source,
        "entry": entry,
    }


# Column float16 has two texts, column float one text for both keys.
VARIANTS = [
    variant(0, 0, "a-float16-0.cpp", "pypto_aa"),
    variant(0, 1, "a-float16-1.cpp", "pypto_bb"),
    variant(1, 0, "a-float-0.cpp", "pypto_cc"),
    variant(1, 1, "a-float-1.cpp", "pypto_cc"),
]
RETURNS = {"pypto_aa": 11, "pypto_bb": 22, "pypto_cc": 33}


@pytest.fixture
def action(tmp_path):
    """A directory as the link action sees it; returns the command line."""
    objects = tmp_path / "objects"
    objects.mkdir()
    for item in VARIANTS:
        text = (
            f'__attribute__((visibility("default"))) int {item["entry"]}(void) {{ return {RETURNS[item["entry"]]}; }}'
        )
        out = objects / (item["source"].removesuffix(".cpp") + ".pic.o")
        subprocess.run([LINKER, "-x", "c", "-fPIC", "-c", "-o", out, "-"], input=text, text=True, check=True)
    table = {
        "schema_version": 1,
        "kernel_name": "add_example",
        "op_file": "add_example",
        "op_type": "AddExample",
        "backend": "twin",
        "soc": "ascend910b",
        "columns": [{"index": 0, "dtypes": {"data_dtype": "float16"}}, {"index": 1, "dtypes": {"data_dtype": "float"}}],
        "variants": VARIANTS,
    }
    (tmp_path / "variants.json").write_text(json.dumps(table))
    return [
        *("--manifest", str(KERNEL_JSON), "--variants", str(tmp_path / "variants.json"), "--objects", str(objects)),
        *("--linker", LINKER, "--out-dir", str(tmp_path / "out")),
    ]


def descriptions(tmp_path):
    found = [json.loads(path.read_text()) for path in sorted((tmp_path / "out").glob("*.json"))]
    return {d["dtypes"]["data_dtype"]: d for d in found}


def test_every_key_has_its_entry(action, tmp_path):
    assert main(action) == 0
    expected = {"float16": [11, 22], "float": [33, 33]}
    for dtype, description in descriptions(tmp_path).items():
        library = ctypes.CDLL(str(tmp_path / "out" / (description["binFileName"] + description["binFileSuffix"])))
        assert [entry["tilingKey"] for entry in description["kernelList"]] == [0, 1]
        assert [getattr(library, entry["kernelName"])() for entry in description["kernelList"]] == expected[dtype]


def test_description(action, tmp_path):
    assert main(action) == 0
    description = descriptions(tmp_path)["float16"]
    binary = tmp_path / "out" / (description["binFileName"] + ".so")
    assert description["sha256"] == hashlib.sha256(binary.read_bytes()).hexdigest()
    assert description["kernelName"].startswith("AddExample_")
    assert description["backend"] == "twin"
    assert description["soc"] == "ascend910b"
    assert description["coreType"] == "VectorCore"
    assert description["opParaSize"] == 16 + 8
    assert description["kernelList"][1]["combo"] == {"sch_mode": 1}


def test_only_the_keys_are_exported(action, tmp_path):
    assert main(action) == 0
    for path in (tmp_path / "out").glob("*.so"):
        listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        names = [line.split()[-1] for line in listed.splitlines()]
        assert names == [f"{path.stem}_0", f"{path.stem}_1"]


def test_same_bytes_from_another_place(action, tmp_path):
    assert main(action) == 0
    moved = tmp_path / "moved to another place"
    shutil.copytree(tmp_path / "objects", moved / "objects")
    shutil.copy(tmp_path / "variants.json", moved)
    again = [a.replace(str(tmp_path), str(moved)) for a in action]
    assert main(again) == 0
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes() == (moved / "out" / path.name).read_bytes()


def test_missing_object(action, tmp_path, capsys):
    (tmp_path / "objects/a-float-1.pic.o").unlink()
    assert main(action) == 1
    assert "a-float-1.cpp, which has no object" in capsys.readouterr().err


def test_linker_that_fails_is_quoted(action, tmp_path, capsys):
    (tmp_path / "objects/a-float16-0.pic.o").write_text("not an object")
    assert main(action) == 1
    error = capsys.readouterr().err
    assert "linking AddExample_" in error
    assert "a-float16-0.pic.o" in error


OP = {
    "op_type": "AddExample",
    "inputs": [
        {"name": "x", "dtypes": ["float16", "float", "float"]},
        {"name": "list", "param_type": "dynamic", "dtypes": ["float16", "float", "float"]},
        {"name": "mask", "param_type": "optional", "dtypes": ["bool", "bool", "bool"]},
    ],
    "outputs": [{"name": "out", "dtypes": ["float16", "float", "int32"], "formats": ["ND", "ND", "NCHW"]}],
    "attrs": [
        {"name": "scale", "type": "float", "required": False, "default": 2.0},
        {"name": "axes", "type": "list_int"},
    ],
    "socs": {"ascend910b": {}},
}


def with_op_def(action, tmp_path, op):
    (tmp_path / "op.json").write_text(json.dumps(op))
    return [*action, "--op-def", str(tmp_path / "op.json")]


# Columns that differ in a parameter without a variable share their code, not their binary.
def test_a_binary_for_each_column_of_the_op_def(action, tmp_path):
    assert main(with_op_def(action, tmp_path, OP)) == 0
    found = [json.loads(path.read_text()) for path in (tmp_path / "out").glob("*.json")]
    by_output = {d["supportInfo"]["outputs"][0]["dtype"]: d for d in found}
    assert sorted(by_output) == ["float", "float16", "int32"]
    assert by_output["float"]["dtypes"] == by_output["int32"]["dtypes"] == {"data_dtype": "float"}
    assert len({d["binFileName"] for d in found}) == 3


def test_what_a_binary_supports(action, tmp_path):
    assert main(with_op_def(action, tmp_path, OP)) == 0
    found = [json.loads(path.read_text()) for path in (tmp_path / "out").glob("*.json")]
    (description,) = (d for d in found if d["supportInfo"]["outputs"][0]["dtype"] == "int32")
    support = description["supportInfo"]
    # Numbers of CANN's types.h: float 0, bool 12, int32 3; ND 2, NCHW 0. First d=deterministic, p=precision.
    tensors = "0,2/0,2/12,2/3,0"
    assert support["simplifiedKey"] == [
        f"AddExample/d={d},p={p}/{tensors}" for d, p in ((0, 1), (0, 0), (1, 1), (1, 0))
    ]
    assert [item if isinstance(item, list) else item["name"] for item in support["inputs"]] == [
        "x", [support["inputs"][1][0]], "mask",
    ]  # fmt: skip
    assert support["inputs"][1][0]["paramType"] == "dynamic"
    assert (support["inputs"][2]["index"], support["inputs"][2]["dtype"]) == (2, "bool")
    assert support["outputs"][0]["format"] == "NCHW"
    assert support["attrs"] == [
        {"name": "scale", "dtype": "float", "value": 0.0},
        {"name": "axes", "dtype": "list_int", "value": []},
    ]
    assert support["optionalInputMode"] == "gen_placeholder" and "optionalOutputMode" not in support
    assert support["dynamicParamMode"] == "folded_with_desc"


def test_what_the_host_needs_to_find_a_key(action, tmp_path):
    assert main(action) == 0
    description = descriptions(tmp_path)["float"]
    assert description["tilingDataSize"] == 16
    assert description["tilingKeyFields"] == [{"name": "sch_mode", "bits": 1, "values": [0, 1]}]
    assert "supportInfo" not in description


def test_a_soc_that_the_op_def_does_not_register(action, tmp_path, capsys):
    assert main(with_op_def(action, tmp_path, OP | {"socs": {"ascend950": {}}})) == 1
    error = capsys.readouterr().err
    assert error.startswith(
        "error: AddExample is not registered for ascend910b; its OpDef has AddConfig for ascend950."
    )


def supports(tmp_path):
    """supportInfo of every binary, by the dtype of its output."""
    found = [json.loads(path.read_text())["supportInfo"] for path in (tmp_path / "out").glob("*.json")]
    return {support["outputs"][0]["dtype"]: support for support in found}


def test_modes_and_a_tensor(action, tmp_path):
    assert main(with_op_def(action, tmp_path, OP)) == 0
    support = supports(tmp_path)["float"]
    fixed = {"implMode": "high_performance", "int64Mode": False, "simplifiedKeyMode": 0, "opMode": "dynamic"}
    assert support | fixed | {"deterministic": "ignore"} == support
    assert support["inputs"][0] == {
        "name": "x", "index": 0, "dtype": "float", "format": "ND", "paramType": "required", "shape": [-2],
        "format_match_mode": "FormatAgnostic",
    }  # fmt: skip


def test_optional_and_dynamic_outputs(action, tmp_path):
    outputs = [{"name": name, "param_type": name, "dtypes": ["float"]} for name in ("optional", "dynamic")]
    op = OP | {"inputs": [{"name": "x", "dtypes": ["float"]}], "outputs": outputs}
    assert main(with_op_def(action, tmp_path, op)) == 0
    support = supports(tmp_path)["float"]
    assert support["optionalOutputMode"] == "gen_placeholder" and "optionalInputMode" not in support
    assert support["dynamicParamMode"] == "folded_with_desc"
    assert support["outputs"][1][0]["index"] == 1


def test_attributes_have_the_value_of_their_type(action, tmp_path):
    values = {"bool": False, "int": 0, "float": 0.0, "str": "", "list_int": [], "list_str": [], "list_list_int": [[]]}
    attrs = [{"name": f"a_{kind}", "type": kind} for kind in values]
    assert main(with_op_def(action, tmp_path, OP | {"attrs": attrs})) == 0
    found = supports(tmp_path)["float"]["attrs"]
    assert found == [{"name": f"a_{kind}", "dtype": kind, "value": value} for kind, value in values.items()]


def test_the_configuration_of_the_soc_counts(action, tmp_path):
    own = {"inputs": [{"name": "x", "dtypes": ["float"]}, {"name": "list", "dtypes": ["int8"]}]}
    own |= {"outputs": [{"name": "out", "dtypes": ["int16"]}]}
    op = OP | {"inputs": OP["inputs"][:2], "socs": {"ascend950": {}, "ascend910b": own}}
    assert main(with_op_def(action, tmp_path, op)) == 0
    assert supports(tmp_path)["int16"]["simplifiedKey"][0] == "AddExample/d=0,p=1/0,2/2,2/6,2"
    assert len(supports(tmp_path)) == 1


# What an op.json written by hand leaves out, the binary does not say.
def test_an_op_def_by_hand(action, tmp_path):
    bare = {"op_type": "AddExample", "inputs": [{"name": "x"}], "outputs": [{"name": "out"}]}
    assert main(with_op_def(action, tmp_path, bare)) == 0
    assert sorted(descriptions(tmp_path)) == ["float", "float16"]
    assert all("supportInfo" not in description for description in descriptions(tmp_path).values())
    shutil.rmtree(tmp_path / "out")
    outputs = [{"name": "out", "dtypes": ["float"]}]
    some = bare | {"inputs": [{"name": "x", "dtypes": ["float"]}, {"name": "mask"}], "outputs": outputs}
    assert main(with_op_def(action, tmp_path, some)) == 0
    support = supports(tmp_path)["float"]
    assert support["simplifiedKey"][0] == "AddExample/d=0,p=1/0,2/,2/0,2" and support["inputs"][1]["dtype"] is None
