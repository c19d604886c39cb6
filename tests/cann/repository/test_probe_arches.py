"""pypto_pro is asked what it accepts; whatever it does, there is an answer."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cann.toolkit import assemble
from toolchains.cann.repository import probe_arches

ALL = ["a3", "a2", "a5", "3510"]


def answer(directory):
    done = subprocess.run(
        [sys.executable, "-I", "-B", probe_arches.__file__, directory, *ALL],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def package(directory, jit):
    runtime = Path(directory, "pypto_pro/runtime")
    runtime.mkdir(parents=True)
    for module in (runtime.parent, runtime):
        (module / "__init__.py").write_text("")
    (runtime / "jit.py").write_text(jit)
    return directory


@pytest.mark.parametrize("arches", [["a2", "a3", "a5"], ["a5"], ["3510"], []])
def test_what_versions_accept(tmp_path, arches):
    toolkit = assemble.make(tmp_path, arches=arches)
    assert answer(toolkit / "python/site-packages") == {
        "accepted": [arch for arch in ALL if arch in arches],
        "error": "",
    }


def test_a_name_that_is_deprecated_is_accepted(tmp_path):
    jit = "import torch, torch_npu, warnings\nprint('loaded', torch.float16)\n"
    jit += "def _setup_arch_env(arch):\n    warnings.warn('old', DeprecationWarning)\n"
    assert answer(package(tmp_path, jit)) == {"accepted": ALL, "error": ""}


@pytest.mark.parametrize(
    ("jit", "error"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit('no\\ndevice')", "SystemExit: no"),
        ("", "AttributeError: module 'pypto_pro.runtime.jit' has no attribute '_setup_arch_env'"),
    ],
)
def test_a_package_that_cannot_be_asked(tmp_path, jit, error):
    assert answer(package(tmp_path, jit)) == {"accepted": [], "error": error}
