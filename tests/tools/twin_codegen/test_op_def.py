"""Dtype columns from the OpDef, and those of the BUILD file against it."""

from __future__ import annotations

import json

import pytest

from tests.tools.twin_codegen.harness import Built, Case
from toolchains.twin.codegen import dtypes
from toolchains.twin.codegen.cli import main

BODY = """
    tt = pl.TileType(shape=[1, 16], dtype=t)
    a = pl.make_tile(tt, addr=0, size=64)
    with pl.section_vector():
        pl.expands(a, mode)
"""
SOC = "ascend910b"
ALLOWED = ", ".join(dtypes.BY_CANN)


def op_json(**changes):
    """An OpDef of `x` and `y`; `y` has no variable in the kernel."""
    return {
        "op_type": "Case",
        "at": "op_host/case_def.cpp:20",
        "inputs": [{"name": "x", "dtypes": ["float16", "float", "float16"], "at": "op_host/case_def.cpp:7"}],
        "outputs": [{"name": "y", "dtypes": ["float", "float", "int32"], "at": "op_host/case_def.cpp:11"}],
        "socs": {SOC: {}, "ascend950": {}},
    } | changes


@pytest.fixture
def generate(tmp_path):
    """Runs the tool on the kernel with an OpDef, and dtype columns if any: exit status, columns of variants.json."""
    Built(Case(BODY, params=("x",), datatype="t"), tmp_path, [{"t": "float16"}])
    kernel = json.loads((tmp_path / "kernel.json").read_text())

    def run(op, columns=None, soc=SOC, *more, datatype=None):
        (tmp_path / "kernel.json").write_text(json.dumps(kernel | ({"datatype": datatype} if datatype else {})))
        (tmp_path / "case.op.json").write_text(json.dumps(op))
        (tmp_path / "columns.json").write_text(json.dumps(columns))
        out = tmp_path / "variants.json"
        out.unlink(missing_ok=True)
        files = {
            "--kernel": tmp_path / "case.py",
            "--manifest": tmp_path / "kernel.json",
            "--op-def": tmp_path / "case.op.json",
            "--out-dir": tmp_path / "out",
            "--variants": out,
            "--source-map": tmp_path / "map.json",
        } | ({"--columns": tmp_path / "columns.json"} if columns is not None else {})
        status = main(
            [*(str(word) for pair in files.items() for word in pair), "--op-type", "Case", "--soc", soc, *more]
        )
        return status, [c["dtypes"] for c in json.loads(out.read_text())["columns"]] if out.exists() else None

    return run


def test_columns_are_those_of_the_op_def_each_once(generate):
    # Column 2 differs from column 0 in `y` alone, which the kernel's text does not depend on.
    assert generate(op_json()) == (0, [{"t": "float16"}, {"t": "float"}])


def test_columns_of_one_soc(generate):
    own = {"inputs": [{"name": "x", "dtypes": ["bfloat16"]}], "outputs": [{"name": "y", "dtypes": ["float"]}]}
    assert generate(op_json(socs={SOC: own})) == (0, [{"t": "bfloat16"}])


def test_a_narrowed_build_keeps_the_numbers_of_the_columns(generate, tmp_path):
    assert generate(op_json(), None, SOC, "--dtypes", "t=float") == (0, [{"t": "float"}])
    assert [c["index"] for c in json.loads((tmp_path / "variants.json").read_text())["columns"]] == [1]


def test_columns_of_the_build_file_come_first(generate):
    assert generate(op_json(), [{"t": "float"}]) == (0, [{"t": "float"}])


def test_an_op_def_by_hand_may_leave_dtypes_out(generate):
    bare = {"op_type": "Case", "inputs": [{"name": "x"}], "outputs": [{"name": "y"}]}
    assert generate(bare, [{"t": "int32"}]) == (0, [{"t": "int32"}])


@pytest.mark.parametrize(
    ("op", "columns", "soc", "said"),
    [
        (
            op_json(), [{"t": "int32"}], SOC,
            'column {"t": "int32"} of `dtypes` is none of the OpDef of Case for ascend910b; it has {"t": "float16"}; '
            '{"t": "float"}; fix: remove it, or add it to the OpDef',
        ),
        (
            op_json(), None, "ascend910_93",
            "Case is not registered for ascend910_93; its OpDef (op_host/case_def.cpp:20) has AddConfig for ascend910b"
            ', ascend950. Add this->AICore().AddConfig("ascend910_93") to it, or build for one of those',
        ),
        (
            op_json(inputs=[{"name": "x", "dtypes": ["complex64"] * 3, "at": "op_host/case_def.cpp:7"}]), None, SOC,
            "op_host/case_def.cpp:7: dtype complex64 of 'x' is not supported by the CPU twin; allowed " + ALLOWED
            + "; fix: name the columns to build with `dtypes` of the operator",
        ),
        (
            op_json(inputs=[{"name": "x"}]), None, SOC,
            "the OpDef of Case has no dtypes for 'x', which the kernel's datatype variable t needs; fix: give it a "
            "DataType there, or `dtypes` in the BUILD file",
        ),
        ({"inputs": []}, None, SOC, "the OpDef description case.op.json is not an object with op_type, inputs and"),
    ],
)  # fmt: skip
def test_what_cannot_be(op, columns, soc, said, generate, capsys):
    assert generate(op, columns, soc) == (1, None)
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error


# An output that is also an input is the kernel's `x_ref`, and stands on the output's line.
def test_the_output_of_the_name_of_an_input(generate, capsys):
    def run(*dtypes):
        sides = {side: [{"name": "x", "dtypes": dtypes, "at": f"{side}:13"}] for side in ("inputs", "outputs")}
        return generate(op_json(**sides), datatype={"x_ref": "t"})

    assert run("float16", "float") == (0, [{"t": "float16"}, {"t": "float"}])
    assert run("complex64") == (1, None)
    said = "outputs:13: dtype complex64 of 'x_ref' is not supported by the CPU twin; allowed "
    assert said in capsys.readouterr().err


# With dtypes for some variables only, `dtypes` of the BUILD file would be refused: the message must not send there.
def test_an_op_def_by_hand_with_dtypes_of_some(generate, capsys):
    some = {"op_type": "Case", "inputs": [{"name": "x", "dtypes": ["float16"]}], "outputs": [{"name": "y"}]}
    datatype = {"x": "t", "y": "u"}
    assert generate(some, datatype=datatype) == (1, None)
    error = capsys.readouterr().err
    assert error.endswith("'y', which the kernel's datatype variable u needs; fix: give it a DataType there\n")


def test_neither_columns_nor_an_op_def(tmp_path, capsys):
    Built(Case(BODY, params=("x",), datatype="t"), tmp_path, [{"t": "float16"}])
    files = {"--kernel": "case.py", "--manifest": "kernel.json", "--out-dir": "out", "--variants": "variants.json"}
    files |= {"--source-map": "map.json"}
    assert (
        main([*(w for o, n in files.items() for w in (o, str(tmp_path / n))), "--op-type", "Case", "--soc", SOC]) == 1
    )
    assert "neither dtype columns nor an OpDef are given; fix: --columns or --op-def" in capsys.readouterr().err
