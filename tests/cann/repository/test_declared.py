"""Toolkits that MODULE.bazel declares: an installer to download, or one that is installed, with a fixed pypto_pro."""

import base64
import hashlib

import pytest

from tests.cann.repository.machine import TWIN, Machine
from tests.cann.toolkit import assemble


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    made = Machine(tmp_path_factory.mktemp("machine"))
    yield made
    made.workspace.close()


@pytest.fixture(scope="module")
def installer(machine):
    return assemble.make_run(machine.directory / "Ascend-cann-toolkit.run", arches=["a5"])


@pytest.fixture(scope="module")
def toolkit(machine):
    return assemble.make(machine.directory / "cann-9.2.0")


def tag(path, version="9.2.0", more=""):
    digest = base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
    return f'cann.toolkit(version = "{version}", urls = ["file://{path}"], integrity = "sha256-{digest}"{more})'


def test_an_installer_is_downloaded_when_a_kernel_needs_it(machine, installer):
    machine.declare(tag(installer))
    assert machine.analyze(TWIN).code == 0
    assert not machine.toolkit_was_fetched()
    text = machine.refused("--config=ascend910b")
    assert "pypto_pro 0.2.0 of CANN 9.2.0 cannot build for ascend910b: it accepts 'a5'" in text
    assert machine.toolkit_was_fetched()
    text = machine.doctor()
    assert "MODULE.bazel declares the installer of CANN 9.2.0" in text
    assert "bisheng: tools/bisheng_compiler, compiler and linker" in text
    assert "ascend950: can be built for\n" in text


def test_an_installer_of_another_version(machine, installer):
    machine.declare(tag(installer, version="9.9.9"))
    text = machine.refused()
    assert "(the installer in MODULE.bazel) cannot build kernels; what is missing:\n" in text
    assert "- CANN 9.9.9, which MODULE.bazel asks for; this is 9.2.0\n" in text


def test_a_file_that_is_no_installer(machine):
    wrong = machine.directory / "page.run"
    wrong.write_text("<html>")
    machine.declare(tag(wrong))
    result = machine.analyze()
    assert result.code != 0
    assert "cannot be unpacked: toolkit.run is no .run installer: it does not begin with a script" in result.text
    assert machine.analyze(TWIN).code == 0


def test_the_root_modules_choice_comes_before_the_shells(machine, toolkit):
    machine.declare(f'cann.local(path = "{toolkit}", pypto_version = "0.2.0")')
    text = machine.doctor(ASCEND_HOME_PATH=machine.directory / "nowhere")
    assert f"{toolkit} (MODULE.bazel): a CANN toolkit\n" in text
    assert "result: CANN is used" in text


def test_a_pair_that_does_not_fit(machine, toolkit):
    machine.declare(f'cann.local(path = "{toolkit}", pypto_version = "0.9.0")')
    text = machine.refused()
    assert f"the CANN toolkit 9.2.0 in {toolkit} (MODULE.bazel) cannot build kernels" in text
    assert "- pypto_pro 0.9.0, which MODULE.bazel asks for; the toolkit's in " in text
    assert "/python/site-packages is 0.2.0: install the pypto that goes with it" in text


def test_another_pypto_pro(machine, toolkit):
    other = assemble.make(machine.directory / "other", pypto_version="0.9.0", arches=["a5"]) / "python/site-packages"
    machine.declare(f'cann.local(path = "{toolkit}", pypto = "{other}", pypto_version = "0.9.0")')
    assert f"{other} (MODULE.bazel): pypto_pro 0.9.0\n" in machine.doctor()
    assert "pypto_pro 0.9.0 of CANN 9.2.0 cannot build for ascend910b" in machine.refused("--config=ascend910b")


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ("cann.local()\ncann.local()", "2 tags in MODULE.bazel, and a build has one toolkit"),
        ('cann.local(path = "opt/cann")', "path is 'opt/cann', which is no absolute path"),
    ],
)
def test_tags_that_cannot_be_followed(machine, tags, said):
    machine.declare(tags)
    result = machine.analyze(TWIN)
    assert result.code != 0
    assert f"the extension `cann`: {said}" in result.text
