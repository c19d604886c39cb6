"""What the machine and its user cannot change: the bytes of a package. Two checkouts, one in a poisoned shell."""

import datetime
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.e2e import debian_tools
from tests.e2e.host.project import add_host_side, tiling_source
from tests.e2e.workspace import Workspace

PACKAGE = "//ops/leaky_scale:pkg"


def build(workspace):
    rpmbuild = debian_tools.rpmbuild(debian_tools.fetch(["rpm"]))
    flags = ["--output_groups=+manifest,+tar,+tree", f"--repo_env=PYPTO_RPMBUILD={rpmbuild}"]
    return workspace.build(PACKAGE, f"{PACKAGE}.deb", f"{PACKAGE}.rpm", *flags)


def poisoned(directory: Path) -> dict[str, str]:
    """Variables of a shell in which packages named like ours, and tools an action may run, are traps.

    Not the compiler: which one is taken from PATH is the user's choice, made by Bazel's C++ toolchain.
    """
    home = directory / "home"
    trap = 'raise SystemExit("a package of the machine was imported")\n'
    user_site = home / f".local/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    for place in (directory / "python_path", user_site):
        for name in ("pypto_pro", "jinja2", "leaky_common"):
            (place / name).mkdir(parents=True)
            (place / name / "__init__.py").write_text(trap)
    fakes = directory / "bin"
    fakes.mkdir()
    for name in ("awk", "gzip", "python", "sed", "tar"):
        (fakes / name).write_text("#!/bin/sh\necho a tool of PATH was run >&2\nexit 1\n")
        (fakes / name).chmod(0o755)
    return {
        "HOME": str(home),
        "LC_ALL": "C",
        "PYTHONPATH": str(directory / "python_path"),
        "TZ": "Asia/Shanghai",
        "USER": "somebody",
        "PATH": f"{fakes}:/usr/local/bin:/usr/bin:/bin",
    }


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("plain"))
    with_helper(made)
    build(made)
    yield made
    made.close()


def with_helper(workspace):
    """The kernel has a host side, and imports a module beside it, whose name the poisoned shell has, too."""
    add_host_side(workspace)
    workspace.edit(tiling_source(workspace), "    tiling->per_core = 128;\n", "")
    (workspace.kernel.parent / "leaky_common.py").write_text("ADDRESS = 0x4000\n")
    workspace.edit(workspace.kernel, "\n\n@dataclass", "\nfrom leaky_common import ADDRESS\n\n\n@dataclass")
    workspace.edit(workspace.kernel, "addr=0x4000", "addr=ADDRESS")
    build = workspace.op / "BUILD.bazel"
    workspace.edit(
        build, '    name = "leaky_scale",\n', '    name = "leaky_scale",\n    deps = ["op_kernel/leaky_common.py"],\n'
    )


def digests(workspace):
    outputs = workspace.path / "bazel-bin/ops/leaky_scale"
    packages = [path for form in ("run", "tar.gz", "deb", "rpm") for path in outputs.glob(f"cann-ops-*.{form}")]
    assert len(packages) == 4
    files = [*outputs.glob("pkg.tree/**/*"), *packages, outputs / "pkg.manifest.json"]
    return {str(path.relative_to(outputs)): path.read_bytes() for path in files if path.is_file()}


def test_poisoned_shell_changes_no_byte(plain, tmp_path):
    variables = poisoned(tmp_path / "traps")
    other = Workspace(tmp_path / "other", variables=variables, umask=0o077)
    try:
        with_helper(other)
        build(other)
        assert digests(other) == digests(plain)
    finally:
        other.close()


def test_no_path_of_the_machine_in_any_file(plain):
    found = digests(plain)
    assert len(found) > 10
    # The installer's own script may use a temporary directory; nothing else speaks of one.
    traces = re.compile(rb"sandbox/|execroot|output_base|bazel-out|" + str(plain.path).encode())
    temporary = re.compile(rb"/tmp/")
    assert {name for name, content in found.items() if traces.search(content)} == set()
    assert {n for n, content in found.items() if temporary.search(content) and not n.endswith((".run", ".sh"))} == set()


def test_no_date_of_the_build_in_any_file(plain):
    """A time of the day would make the two builds above differ; a day would not."""
    today = datetime.date.today()
    forms = ("%Y-%m-%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%y", "%b %e %Y", "%a %b %e", "%d %b %Y")
    traces = [today.strftime(form).encode() for form in forms]
    found = digests(plain)
    assert {name for name, content in found.items() if any(trace in content for trace in traces)} == set()


def test_moved_workspace_builds_without_a_clean(plain, tmp_path):
    before = digests(plain)
    moved = tmp_path / "moved"
    shutil.copytree(plain.path, moved, symlinks=True, ignore=shutil.ignore_patterns("bazel-*"))
    original, plain.path = plain.path, moved
    try:
        result = build(plain)
        assert result.counts["CppCompile"] == 0
        plain_op = moved / "bazel-bin/ops/leaky_scale"
        assert {n: c for n, c in before.items() if n.endswith(".run")} == {
            p.name: p.read_bytes() for p in plain_op.glob("*.run")
        }
    finally:
        plain.path = original
