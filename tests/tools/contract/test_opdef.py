"""A kernel against its OpDef: names, number and order of parameters, dtypes, the names it is found by."""

from __future__ import annotations

import json

import pytest

from pypto_rules.tools.contract import opdef
from tests.tools.contract.support import JIT, PARAMS, check_text, codes, kernel_text, run_tool

OP = {
    "op_type": "Op",
    "op_file": "op",
    "op_interface": "op",
    "inputs": [{"name": "x", "dtypes": ["float16", "float"]}],
    "outputs": [{"name": "y", "dtypes": ["float16", "float"]}],
}
TYPED = JIT.replace("OpKey)", 'OpKey, datatype={"x": "io_t", "y": "io_t"})')


def described(directory, **changes) -> opdef.OpDef:
    path = directory / "op.json"
    path.write_text(json.dumps({**OP, **changes}))
    return opdef.read(path, "op.json")


def checked(directory, params=PARAMS, jit=JIT, name="op.py", **changes):
    return check_text(directory, kernel_text(params=params, jit=jit), name, op_def=described(directory, **changes))


def tensors(*names):
    return [{"name": name} for name in names]


def test_a_kernel_that_agrees(tmp_path):
    assert checked(tmp_path, jit=TYPED).problems == ()
    assert checked(tmp_path, op_file=None, op_interface=None).problems == ()


def test_a_misspelt_parameter_is_one_problem_with_the_right_name(tmp_path):
    result = checked(tmp_path, inputs=tensors("x_input"), params=PARAMS.replace("x:", "x_inptu:"))
    (problem,) = result.problems
    assert (problem.code, problem.col) == ("PYPTO-E601", 8)
    assert problem.fix == "rename it to 'x_input'" and "allowed are x_input, y" in problem.message


def test_a_missing_input_says_where_it_belongs(tmp_path):
    (problem,) = checked(tmp_path, inputs=tensors("x", "weight")).problems
    assert problem.code == "PYPTO-E601" and "the input 'weight'" in problem.message
    assert problem.fix.endswith("(x, weight, y, workspace, tiling)")


def test_a_parameter_too_many(tmp_path):
    (problem,) = checked(tmp_path, outputs=[]).problems
    assert (problem.code, problem.fix) == ("PYPTO-E601", "remove 'y', or add it to the OpDef")


@pytest.mark.parametrize(("inputs", "outputs"), [(["y"], ["x"]), (["y", "x"], [])])
def test_order_is_inputs_then_outputs(inputs, outputs, tmp_path):
    (problem,) = checked(tmp_path, inputs=tensors(*inputs), outputs=tensors(*outputs)).problems
    assert (problem.code, problem.col) == ("PYPTO-E602", 8)
    assert problem.fix == "write the parameters as (y, x, workspace, tiling)"


def test_an_output_of_the_name_of_an_input_is_a_ref(tmp_path):
    same = {"inputs": tensors("x"), "outputs": tensors("x")}
    assert checked(tmp_path, params=PARAMS.replace("y:", "x_ref:"), **same).problems == ()
    assert [problem.fix for problem in checked(tmp_path, **same).problems] == ["rename it to 'x_ref'"]


def test_one_variable_for_different_dtypes(tmp_path):
    (problem,) = checked(tmp_path, jit=TYPED, outputs=[{"name": "y", "dtypes": ["float", "float"]}]).problems
    assert problem.code == "PYPTO-E603" and "float16, float and float, float" in problem.message


def test_names_the_operator_is_found_by(tmp_path):
    result = checked(tmp_path, op_file="add", op_interface="add")
    assert codes(result) == ["E604", "E604"]
    assert {problem.fix for problem in result.problems} == {
        "rename the kernel file to add, or set opFile.value to op in the OpDef",
        "rename the kernel function to add, or set opInterface.value to op in the OpDef",
    }


def test_other_problems_are_reported_with_those_of_the_op_def(tmp_path):
    text = kernel_text(params=PARAMS.replace("x:", "a:")).replace("bits=1", "bits=0")
    assert codes(check_text(tmp_path, text, op_def=described(tmp_path))) == ["E205", "E601"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"op_type": "Op", "inputs": [1], "outputs": []}', '{"inputs": 1}'])
def test_a_file_that_is_no_op_def_is_said(text, tmp_path):
    (tmp_path / "op.py").write_text(kernel_text())
    (tmp_path / "op.json").write_text(text)
    run = run_tool("check", "op.py", "--op-def", "op.json", cwd=tmp_path)
    assert run.returncode == 2 and run.stderr.startswith("contract: the OpDef description op.json is not ")


def test_the_tool_reads_it(tmp_path):
    (tmp_path / "op.py").write_text(kernel_text())
    (tmp_path / "op.json").write_text(json.dumps({**OP, "inputs": tensors("x1")}))
    run = run_tool("emit", "--kernel", "op.py", "--op-def", "op.json", "--out", "kernel.json", cwd=tmp_path)
    assert run.returncode == 1 and "error[PYPTO-E601]" in run.stderr
    run = run_tool("emit", "--kernel", "op.py", "--op-def", "nothing.json", "--out", "kernel.json", cwd=tmp_path)
    assert run.returncode == 2 and "cannot read the OpDef description nothing.json" in run.stderr


# What a SoC's configuration says is checked for that SoC.
def test_the_soc_asked_for(tmp_path):
    (tmp_path / "op.py").write_text(kernel_text())
    renamed = {"extended": {"opFile.value": "other", "opInterface.value": "call"}}
    more = {"inputs": tensors("more"), "outputs": tensors("most")}
    socs = {"ascend910b": {}, "ascend950": renamed, "mc62": more}
    (tmp_path / "op.json").write_text(json.dumps({**OP, "at": "op_host/op_def.cpp:21", "socs": socs}))

    def emit(soc):
        options = ("--kernel", "op.py", "--op-def", "op.json", "--soc", soc, "--out", "kernel.json")
        return run_tool("emit", *options, cwd=tmp_path)

    assert emit("ascend910b").returncode == 0
    other = emit("ascend950")
    assert other.returncode == 1 and other.stderr.count("error[PYPTO-E604]") == 2
    assert "opFile.value 'other'" in other.stderr and "opInterface.value 'call'" in other.stderr
    own = emit("mc62")
    assert own.returncode == 1 and own.stderr.count("error[PYPTO-E601]") == 2
    assert "the input 'more'" in own.stderr and "the output 'most'" in own.stderr
    missing = emit("ascend910_93")
    assert missing.returncode == 2 and "Traceback" not in missing.stderr
    assert (
        "Op is not registered for ascend910_93; its OpDef (op_host/op_def.cpp:21) has AddConfig for ascend910b, "
        'ascend950, mc62. Add this->AICore().AddConfig("ascend910_93") to it, or build for one of those'
    ) in missing.stderr


def test_without_a_soc_the_first_one_counts(tmp_path):
    (tmp_path / "op.py").write_text(kernel_text())
    socs = {"ascend910b": {"extended": {"opFile.value": "other"}}, "ascend950": {}}
    (tmp_path / "op.json").write_text(json.dumps({**OP, "socs": socs}))
    run = run_tool("check", "op.py", "--op-def", "op.json", cwd=tmp_path)
    assert run.returncode == 1 and "opFile.value 'other'" in run.stderr
    assert run_tool("check", "op.py", "--op-def", "op.json", "--soc", "ascend950", cwd=tmp_path).returncode == 0
