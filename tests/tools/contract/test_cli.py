"""The command line: exit codes, streams, JSON, and where relative names point."""

from __future__ import annotations

import json
import re

import pytest

from pypto_rules.tools.contract import manifest
from tests.tools.contract.support import HEAD, kernel_text, run_tool

GOOD = kernel_text()
BAD = kernel_text().replace("bits=1", "bits=0").replace("def op(x", "def op(n: int, x")


@pytest.fixture
def place(tmp_path):
    def write(text, name="op.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_check_of_a_good_file(place):
    run = run_tool("check", "op.py", cwd=place(GOOD))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "op: ok; 4 parameters, OpTiling 8 B, OpKey 2 TilingKeys\n"


def test_check_json_of_a_good_file(place):
    run = run_tool("check", "op.py", "--json", cwd=place(GOOD))
    result = json.loads(run.stdout)
    assert (run.returncode, result["ok"], result["errors"]) == (0, True, [])
    assert result["kernel"]["kernel_name"] == "op"
    assert result["kernel"]["tiling_key"]["valid"][1] == {"combo": [1], "packed": 1, "packed_hex": "1"}


def test_check_of_a_bad_file_prints_one_line_for_each_problem(place):
    run = run_tool("check", "op.py", cwd=place(BAD))
    assert (run.returncode, run.stdout) == (1, "")
    heads = [line for line in run.stderr.split("\n") if "error[" in line]
    assert len(heads) == 2
    assert all(re.fullmatch(r"op\.py:\d+:\d+: error\[PYPTO-E\d{3}\]: .+; fix: .+", line) for line in heads)


def test_check_json_of_a_bad_file(place):
    run = run_tool("check", "op.py", "--json", cwd=place(BAD))
    result = json.loads(run.stdout)
    assert (run.returncode, result["ok"], result["kernel"]) == (1, False, None)
    assert [set(error) for error in result["errors"]] == [
        {"code", "path", "line", "col", "message", "fix", "callers"}
    ] * 2


def test_emit_writes_the_manifest(place):
    directory = place(GOOD, "ops/op.py")
    run = run_tool("emit", "--kernel", "ops/op.py", "--out", "kernel.json", cwd=directory)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    text = (directory / "kernel.json").read_text(encoding="utf-8")
    assert text.startswith('{\n "schema_version": 1,\n') and text.endswith("}\n")
    assert manifest.read(directory / "kernel.json").op_file == "op"
    assert str(directory) not in text


def test_emit_is_the_same_from_another_place(place, tmp_path):
    directory = place(GOOD, "ops/op.py")
    place(GOOD, "elsewhere/deeper/op.py")
    for kernel, out in (("ops/op.py", "a.json"), ("elsewhere/deeper/op.py", "b.json")):
        assert run_tool("emit", "--kernel", kernel, "--out", out, cwd=directory).returncode == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_emit_of_a_bad_file_writes_nothing(place):
    directory = place(BAD)
    run = run_tool("emit", "--kernel", "op.py", "--out", "kernel.json", cwd=directory)
    assert (run.returncode, run.stdout) == (1, "")
    assert "error[PYPTO-E205]" in run.stderr and not (directory / "kernel.json").exists()


def test_emit_with_helper_and_limit(place):
    directory = place(
        kernel_text(head="from shared import VALUES\n" + GOOD.split("\n\n@")[0] + "\n", tiling=""), "ops/op.py"
    )
    place(
        GOOD.replace("[0, 1]", "VALUES").replace("import pypto", "from shared import VALUES\nimport pypto", 1),
        "ops/op.py",
    )
    place("VALUES = [0, 1]\n", "common/shared.py")
    arguments = ["emit", "--kernel", "ops/op.py", "--src", "common/shared.py", "--out", "k.json"]
    assert run_tool(*arguments, "--max-variants", "2", cwd=directory).returncode == 0
    run = run_tool(*arguments, "--max-variants", "1", cwd=directory)
    assert run.returncode == 1 and "2 (mode) = 2; allowed are 1" in run.stderr


def test_relative_names_under_bazel_run(place, tmp_path):
    directory = place(GOOD)
    (tmp_path / "runfiles").mkdir()
    run = run_tool("check", "op.py", cwd=tmp_path / "runfiles", env={"BUILD_WORKING_DIRECTORY": str(directory)})
    assert run.returncode == 0
    run = run_tool("check", "gone.py", cwd=tmp_path / "runfiles", env={"BUILD_WORKING_DIRECTORY": str(directory)})
    assert run.returncode == 1 and run.stderr.startswith("gone.py:1:1: error[PYPTO-E001]: ")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["check"],
        ["emit", "--kernel", "op.py"],
        ["check", "op.py", "--max-variants", "0"],
        ["check", "op.py", "--max-variants", "many"],
        ["check", "op.py", "--unknown"],
    ],
)
def test_wrong_usage_is_exit_code_two(arguments, place):
    run = run_tool(*arguments, cwd=place(GOOD))
    assert run.returncode == 2
    assert "usage:" in run.stderr and "Traceback" not in run.stderr


def test_unwritable_output_is_exit_code_two(place):
    run = run_tool("emit", "--kernel", "op.py", "--out", "not/there/kernel.json", cwd=place(GOOD))
    assert run.returncode == 2 and run.stderr.startswith("contract: cannot write not/there/kernel.json")


def test_chinese_paths_and_messages_in_any_locale(place):
    directory = place(BAD, "算子 目录/op.py")
    run = run_tool("check", "算子 目录/op.py", cwd=directory, env={"LC_ALL": "POSIX"})
    assert run.returncode == 1 and run.stderr.startswith("算子 目录/op.py:")
    run = run_tool("check", "算子 目录/op.py", "--json", cwd=directory, env={"LC_ALL": "POSIX"})
    assert json.loads(run.stdout)["errors"][0]["path"] == "算子 目录/op.py"


def test_help_names_both_commands(tmp_path):
    run = run_tool("--help", cwd=tmp_path)
    assert run.returncode == 0 and "check" in run.stdout and "emit" in run.stdout


def test_a_kernel_file_may_look_at_its_stack(place):
    directory = place(kernel_text(head=HEAD + "import inspect, traceback\ninspect.stack(), traceback.format_stack()\n"))
    run = run_tool("check", "op.py", cwd=directory)
    assert (run.returncode, run.stderr) == (0, "")


def test_bytecode_kept_elsewhere_is_pythons_own(place, tmp_path):
    directory = place(kernel_text(head=HEAD + "import decimal, shapes\n"))
    (directory / "shapes.py").write_text("TILE = 1\n")
    env = {"PYTHONPYCACHEPREFIX": str(tmp_path / "cache")}
    run = run_tool("check", "op.py", "--src", "shapes.py", cwd=directory, env=env)
    assert (run.returncode, run.stderr) == (0, "")
