"""A package for another machine: built with a cross compiler, called through aclnn under qemu-user."""

import json
import os
import platform
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

from tests.e2e import debian_tools
from tests.e2e.host import project

HOST = platform.machine()
# (CPU, qemu's name of it, machine of ELF files, Debian's package of the compiler)
CPU, MACHINE, PACKAGE = {
    "x86_64": ("aarch64", "EM_AARCH64", "g++-aarch64-linux-gnu"),
    "aarch64": ("x86_64", "EM_X86_64", "g++-x86-64-linux-gnu"),
}[HOST]
VARIABLE = f"PYPTO_{CPU.upper()}_GXX"
EXAMPLE = "//ops/leaky_scale:run_example"
BUILD = """
load("@pypto_rules//pypto_rules:defs.bzl", "pypto_aclnn_example")

pypto_aclnn_example(name = "run_example", srcs = ["examples/test_aclnn_leaky_scale.cpp"], package = ":pkg")
"""


@pytest.fixture(scope="module")
def tools():
    return debian_tools.fetch([PACKAGE, "qemu-user-static"])


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    made = project.make(tmp_path_factory.mktemp("cross"))
    project.add(made, "test_aclnn_leaky_scale.cpp", "examples")
    with (made.op / "BUILD.bazel").open("a") as build:
        build.write(BUILD)
    yield made
    made.close()


@pytest.fixture(scope="module")
def built(workspace, tools):
    compiler = debian_tools.cross_compiler(tools, f"{CPU}-linux-gnu")
    flags = [f"--config=linux_{CPU}", f"--repo_env={VARIABLE}={compiler}"]
    workspace.build(project.PACKAGE, EXAMPLE, *flags, "--output_groups=+manifest,+tree")
    return workspace.path / "bazel-bin/ops/leaky_scale"


def elf_machine(path):
    with path.open("rb") as file:
        return ELFFile(file)["e_machine"]


def test_every_library_and_kernel_is_for_the_other_machine(built):
    libraries = [path for path in (built / "pkg.tree").rglob("*.so") if not path.is_symlink()]
    assert len(libraries) > 4
    assert {elf_machine(path) for path in libraries} == {MACHINE}
    manifest = json.loads((built / "pkg.manifest.json").read_text())
    assert (manifest["arch"], manifest["kernel_arch"]) == (CPU, CPU), "twin kernels are code of the machine"


def test_the_operator_runs_under_qemu(built, tools):
    vendor = built / "pkg.tree/vendors/acme"
    sysroot = tools / f"usr/{CPU}-linux-gnu"
    command = [str(tools / f"usr/bin/qemu-{CPU}-static"), "-L", str(sysroot), str(built / "run_example")]
    environment = {"ASCEND_CUSTOM_OPP_PATH": str(vendor), "PATH": os.environ["PATH"]}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "first: 6.0" in done.stdout


def test_the_installer_refuses_this_machine(built, tmp_path):
    run = built / f"cann-ops-acme_linux-{CPU}.run"
    command = ["bash", str(run), f"--install-path={tmp_path}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"this package is for {CPU} machines, this one is {HOST}" in done.stderr
    assert not list(tmp_path.iterdir())


def test_without_a_compiler(workspace):
    missing = "/usr/bin/no-such-g++"
    result = workspace.bazel("build", project.PACKAGE, f"--config=linux_{CPU}", f"--repo_env={VARIABLE}={missing}")
    assert result.code == 1
    assert f"{VARIABLE} is '{missing}', which is not the absolute path of a g++" in result.text
    assert f"`apt-get install {PACKAGE}`" in result.text


def test_a_platform_of_the_users_own(workspace, tools):
    text = f'\nplatform(name = "other", constraint_values = ["@platforms//cpu:{CPU}", "@platforms//os:linux"])\n'
    (workspace.path / "machines").mkdir()
    (workspace.path / "machines/BUILD.bazel").write_text(text)
    with (workspace.path / "MODULE.bazel").open("a") as module:
        module.write('\nbazel_dep(name = "platforms", version = "0.0.11")\n')
    compiler = debian_tools.cross_compiler(tools, f"{CPU}-linux-gnu")
    result = workspace.bazel(
        "build", project.PACKAGE, "--platforms=//machines:other", f"--repo_env={VARIABLE}={compiler}"
    )
    assert result.code == 1
    assert f"Use --platforms=@pypto_rules//pypto_rules/platforms:linux_{CPU}" in result.text
