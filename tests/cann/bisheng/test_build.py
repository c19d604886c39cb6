"""bisheng in a real build: its command lines, directories of sources, and what a failed compile says."""

import json
import shutil
import subprocess

import pytest

from tests.cann.bisheng import project
from tests.e2e.workspace import Workspace

HERE = project.HERE
CASES = sorted(path.stem for path in (HERE / "golden").glob("*.txt"))
MODULE = """
bazel_dep(name = "rules_cc", version = "0.0.11")
bazel_dep(name = "rules_python", version = "0.22.0")

local_repository = use_repo_rule("@bazel_tools//tools/build_defs/repo:local.bzl", "local_repository")

local_repository(name = "cann", path = "{path}")
"""
BROKEN = "// cast_op, vec\n#include <cstdint>\n// op_kernel/cast_op.py:7\nstandin_undeclared();\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    directory = tmp_path_factory.mktemp("bisheng")
    cann = project.make_repository(directory / "cann")
    shutil.copy(HERE / "workspace/toolkit.BUILD", cann / "BUILD.bazel")
    (cann / "REPO.bazel").touch()
    made = Workspace(directory)
    with (made.path / "MODULE.bazel").open("a") as module:
        module.write(MODULE.format(path=cann))
    package = made.path / "variants"
    package.mkdir()
    shutil.copy(HERE / "workspace/variants.BUILD", package / "BUILD.bazel")
    shutil.copy(HERE / "workspace/compiled.bzl", package)
    (package / "k.cpp").write_text('// k\n#include <cstdint>\n#include "kernel_operator.h"\nint f;\n')
    (package / "broken.cpp").write_text(BROKEN)
    python = made.path / "python"
    python.mkdir()
    shutil.copy(HERE / "workspace/python.BUILD", python / "BUILD.bazel")
    (python / "python3.sh").write_text('#!/bin/sh\ntest -e "${0%/*}/marker" || exit 9\nexec python3 "$@"\n')
    (python / "python3.sh").chmod(0o755)
    (python / "marker").touch()
    yield made
    made.close()


@pytest.fixture(scope="module")
def actions(workspace):
    """The compiles of the golden files by target."""
    targets = " + ".join(f"//variants:{case}" for case in CASES)
    result = workspace.bazel("aquery", "--output=jsonproto", f'mnemonic("CppCompile", {targets})')
    assert result.code == 0, result.text
    found = json.loads(result.text[result.text.index("\n{") :].rpartition("}")[0] + "}")
    names = {target["id"]: target["label"].rpartition(":")[2] for target in found["targets"]}
    return {names[action["targetId"]]: action for action in found["actions"]}


@pytest.mark.parametrize("case", CASES)
def test_command_line(actions, case):
    tool, *arguments = actions[case]["arguments"]
    assert tool.endswith("/toolchains/cann/bisheng/driver")
    (output,) = [argument for argument in arguments if argument.endswith(".o")]
    variables = {v["key"]: v["value"] for v in actions[case]["environmentVariables"]}
    compiler = variables["PYPTO_BISHENG"]
    toolkit = compiler.removesuffix("/bisheng/bin/bisheng")
    assert toolkit.startswith("external/") and toolkit.count("/") == 1
    values = {"toolkit": toolkit, "source": "variants/k.cpp", "object": output, "depends": output[:-1] + "d"}
    assert arguments == project.golden(case, values)
    assert variables["PATH"] == "/bin:/usr/bin:/usr/local/bin"


def test_every_command_line_compiles(workspace):
    workspace.build(*(f"//variants:{case}" for case in CASES), "--output_groups=+linker")
    for case in CASES:
        assert (workspace.path / f"bazel-bin/variants/_objs/{case}/k.o").read_bytes()[:4] == b"\x7fELF"
        linker = (workspace.path / f"bazel-bin/variants/{case}.linker").read_text()
        assert linker.startswith("external/") and linker.endswith("/bisheng/bin/ld.lld")


def test_one_compile_a_file_of_a_directory(workspace):
    result = workspace.build("//variants:three_cube", "//variants:three_vec")
    assert result.counts["CppCompile"] == 6, (result.counts, result.text)
    for core in ("cube", "vec"):
        directory = workspace.path / f"bazel-bin/variants/_objs/three_{core}"
        assert sorted(path.name for path in directory.rglob("*.o")) == ["a.o", "b.o", "c.o"]


def test_empty_directory(workspace):
    result = workspace.build("//variants:empty_cube", "//variants:empty_vec")
    assert result.counts["CppCompile"] == 0
    assert not list((workspace.path / "bazel-bin/variants/_objs/empty_cube").rglob("*.o"))


def test_python_of_the_build(workspace):
    result = workspace.build("//variants:c310_vec_none", "--extra_toolchains=//python:toolchain")
    assert result.counts["CppCompile"] == 1
    (launcher,) = (workspace.path / "bazel-out").glob("*exec*/bin/external/*/toolchains/cann/bisheng/driver")
    assert 'exec "python/python3.sh"' in launcher.read_text()


def test_failure_names_the_variant_and_can_be_repeated(workspace):
    result = workspace.bazel("build", "//variants:broken")
    assert result.code == 1
    assert "error: the compiler failed (exit code 1)\n  variant: cast_op, vec (variants/broken.cpp)\n" in result.text
    assert "  which is the code of op_kernel/cast_op.py:7\n" in result.text
    (command,) = [line.strip() for line in result.text.splitlines() if "bazel info" in line]
    command = command.replace("bazel info", f"{workspace.launcher()} info")
    done = subprocess.run(["sh", "-c", command], cwd=workspace.path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "variants/broken.cpp:4" in done.stderr


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no_core", "Expected action_config for 'c++-compile' to be configured"),
        ("two_cores", "aicore_cube aicore_vec"),
    ],
)
def test_a_compile_is_for_one_core(workspace, target, message):
    result = workspace.bazel("build", f"//variants:{target}")
    assert result.code == 1
    assert message in result.text


def test_an_edit_of_a_header_that_is_not_read_compiles_nothing(workspace):
    workspace.build("//variants:three_vec")
    cann = workspace.path.parent / "cann"
    with (cann / "tikcpp/tikcfw/interface/standin.h").open("a") as header:
        header.write("// more\n")
    assert workspace.build("//variants:three_vec").counts["CppCompile"] == 0
    with (cann / "asc/include/basic_api/kernel_operator.h").open("a") as header:
        header.write("// more\n")
    assert workspace.build("//variants:three_vec").counts["CppCompile"] == 3
