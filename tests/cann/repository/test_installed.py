"""Toolkits that are installed, or not, or in part: what is found follows the machine, without `bazel clean`."""

import platform
import shutil

import pytest

from tests.cann.repository.machine import CANN, TWIN, Machine
from tests.cann.toolkit import assemble

ARCH = f"{platform.machine()}-linux"


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    made = Machine(tmp_path_factory.mktemp("machine"))
    yield made
    made.workspace.close()


@pytest.fixture(scope="module")
def toolkit(machine):
    return assemble.make(machine.directory / "cann-9.2.0")


def test_without_cann_kernels_are_for_the_twin(machine):
    assert machine.analyze().code == 0
    assert not machine.toolkit_was_fetched()
    text = machine.doctor()
    assert "result: no CANN toolkit\n" in text
    assert f"{machine.directory}/home/Ascend/cann (installed in {machine.directory}/home/Ascend): no such dir" in text
    assert "kernel_backend: auto\nKernels are built for the CPU twin. To build for AI Cores, install CANN" in text


def test_without_cann_one_that_is_asked_for_is_missed(machine):
    text = machine.refused(CANN)
    assert (
        "no CANN toolkit was found, and kernel_backend is 'cann'\n  looked at:\n    - ASCEND_HOME_PATH: not set" in text
    )
    assert "fix: install Ascend-cann-toolkit_<version>_linux-" in text
    assert "kernel_backend: cann\nNo kernel can be built: kernel_backend is cann" in machine.doctor(CANN)


def test_the_shell_names_one(machine, toolkit):
    text = machine.doctor(ASCEND_HOME_PATH=toolkit)
    assert f"{toolkit} (ASCEND_HOME_PATH): a CANN toolkit\nCANN 9.2.0 in {toolkit}\n" in text
    assert "(the toolkit's): pypto_pro 0.2.0\nresult: CANN is used" in text
    assert text.count(": can be built for\n") == 3
    assert machine.toolkit_was_fetched()
    assert f"CANN 9.2.0 in {toolkit}\n" in machine.doctor(ASCEND_TOOLKIT_HOME=toolkit)
    assert f"CANN 9.2.0 in {toolkit}\n" in machine.doctor(ASCEND_HOME_PATH=toolkit / ARCH)


def test_the_one_in_use_changes_by_its_link(machine, toolkit):
    newer = assemble.make(machine.directory / "cann-9.3.0", version="9.3.0", pypto_version="0.3.0", arches=["3510"])
    latest = machine.directory / "latest"
    latest.symlink_to(toolkit)
    assert f"CANN 9.2.0 in {latest}\n" in machine.doctor(ASCEND_HOME_PATH=latest)
    latest.unlink()
    latest.symlink_to(newer)
    text = machine.doctor(ASCEND_HOME_PATH=latest)
    assert f"CANN 9.3.0 in {latest}\n" in text
    assert "ascend910b: refused, pypto_pro 0.3.0 of CANN 9.3.0 cannot build for ascend910b" in text
    assert "ascend950: can be built for\n" in text

    text = machine.refused("--config=ascend910b", ASCEND_HOME_PATH=latest)
    assert "it accepts '3510', and ascend910b is 'a3' or 'a2' there\n" in text
    assert "fix: build for another SoC (ascend950), or use a pypto_pro that accepts" in text
    assert machine.analyze("--config=ascend910b", TWIN, ASCEND_HOME_PATH=latest).code == 0


def test_where_installers_put_it(machine, toolkit):
    ascend = machine.directory / "home/Ascend"
    ascend.mkdir(parents=True)
    (ascend / "cann").symlink_to(toolkit)
    assert f"CANN 9.2.0 in {ascend}/cann\n" in machine.doctor()
    (ascend / "cann").unlink()
    assert "result: no CANN toolkit\n" in machine.doctor()


def test_conda_has_the_toolkit_and_pypto_pro(machine):
    conda = machine.directory / "conda"
    bare = assemble.make(conda / "Ascend/cann-9.2.0", leave_out=["python"])
    whole = assemble.make(machine.directory / "whole", pypto_version="0.4.0")
    (conda / "bin").mkdir()
    (conda / "bin/python3.12").write_text("")
    (conda / "bin/python3").symlink_to("python3.12")
    packages = conda / "lib/python3.12/site-packages"
    text = machine.refused(CONDA_PREFIX=conda)
    assert f"- pypto_pro, the front end of kernels; looked in {bare}/python/site-packages" in text
    shutil.copytree(whole / "python/site-packages", packages)
    text = machine.doctor(CONDA_PREFIX=conda)
    assert f"CANN 9.2.0 in {bare}\n" in text
    assert f"{packages} (python3's): pypto_pro 0.4.0\n" in text


def test_half_a_toolkit_is_one_error_that_names_everything(machine):
    absent = ["tools/bisheng_compiler/bin/ld.lld", "include", "python/site-packages/pypto"]
    half = assemble.make(machine.directory / "half", leave_out=absent)
    for flags in ([], [CANN]):
        text = machine.refused(*flags, ASCEND_HOME_PATH=half)
        assert f"the CANN toolkit 9.2.0 in {half} (ASCEND_HOME_PATH) cannot build kernels; what is missing:\n" in text
        assert "- ld.lld, beside bisheng; looked for tools/bisheng_compiler/bin/ld.lld\n" in text
        assert f"- include, the headers of CANN; looked for include, {ARCH}/include\n" in text
        assert f"- pypto, which pypto_pro needs; looked for {half}/python/site-packages/pypto\n" in text
    assert machine.analyze(TWIN, ASCEND_HOME_PATH=half).code == 0
    assert "No kernel can be built: see above what is wrong" in machine.doctor(ASCEND_HOME_PATH=half)

    (half / absent[0]).write_text("#!/bin/sh\n")
    text = machine.refused(ASCEND_HOME_PATH=half)
    assert "ld.lld, beside" not in text
    assert "- include, the headers" in text


def test_one_that_moved_is_missed_and_found_again(machine, toolkit):
    elsewhere = toolkit.rename(machine.directory / "moved")
    text = machine.refused(ASCEND_HOME_PATH=toolkit)
    assert f"no CANN toolkit where one is said to be: ASCEND_HOME_PATH names {toolkit}\n" in text
    assert f"- {toolkit} (ASCEND_HOME_PATH): no such directory\n" in text
    assert f"CANN 9.2.0 in {elsewhere}\n" in machine.doctor(ASCEND_HOME_PATH=elsewhere)
    elsewhere.rename(toolkit)
    assert f"CANN 9.2.0 in {toolkit}\n" in machine.doctor(ASCEND_HOME_PATH=toolkit)


def test_a_compiler_of_another_machine(machine):
    foreign = assemble.make(machine.directory / "foreign")
    (foreign / "tools/bisheng_compiler/bin/bisheng").write_text("#!/bin/sh\necho 'Exec format error' >&2\nexit 126\n")
    text = machine.refused(ASCEND_HOME_PATH=foreign)
    assert "CANN 9.2.0 cannot be used: " in text
    assert "bin/bisheng does not run on this machine: Exec format error\n" in text
