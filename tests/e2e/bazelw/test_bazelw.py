"""The launcher: which Bazel it chooses, what it says, and that the private Bazel appears whole or not at all.

A copy of the launcher and its installer works on stand-ins: nothing here needs a network or another Bazel.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# What the launcher and its installer need of a machine.
HOST_PROGRAMS = [
    "bash",
    "cat",
    "cut",
    "head",
    "mkdir",
    "mv",
    "readlink",
    "sha256sum",
    "stat",
    "sleep",
    "dirname",
    "touch",
    "cp",
]

# A Debian package is stood in for by a file of shell text that dpkg-deb runs in the directory to fill.
APT_GET = """\
[[ $* == *"-s install"* ]] && printf 'Inst bazel-bootstrap (7)\\nInst gcc-16 (16)\\n'
if [[ $* == *" download "* ]]; then
    [[ $* != *gcc-16* ]] || exit 9
    cp "$STAND_INS/bazel.deb" bazel.deb
    sleep "${SLOW:-0}"
fi
exit 0
"""
DPKG_DEB = """\
mkdir -p "$3" && cd "$3" && . "$2"
"""
PACKAGE = """\
mkdir -p usr/bin usr/share/bazel usr/share/doc/x usr/lib/x86_64-linux-gnu usr/libexec/x86_64-linux-gnu/bazel
mkdir -p usr/lib/jvm/java-25-openjdk-amd64/{bin,lib/security}
: >usr/lib/jvm/java-25-openjdk-amd64/lib/security/cacerts
echo '#!/bin/bash' >usr/bin/bazel
echo 'if [[ $* == *--version* ]]; then echo bazel 7.7.1; else printf "private %s\\n" "$@"; fi' >>usr/bin/bazel
printf '#!/bin/bash\\n' >usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
: >usr/lib/jvm/java-25-openjdk-amd64/bin/java
: >usr/share/bazel/bazel_classpath_debian_depends.txt
for program in usr/bin/bazel usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2; do "$CHMOD" +x "$program"; done
"""


class Machine:
    """A machine with a PATH of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.bin = directory / "bin"
        self.bin.mkdir()
        self.repository = directory / "repository"
        for part in ("bazelw", "tools/__init__.py", "tools/bootstrap", "tools/registry"):
            target = self.repository / part
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if Path(part).is_dir() else shutil.copy)(part, target)
        for name in HOST_PROGRAMS:
            (self.bin / name).symlink_to(shutil.which(name) or pytest.fail(f"this machine has no {name}"))
        self.cache = directory / "cache"
        self.environment = {
            "PATH": str(self.bin),
            "XDG_CACHE_HOME": str(self.cache),
            "STAND_INS": str(directory),
            "CHMOD": shutil.which("chmod") or "chmod",
        }

    def program(self, name: str, text: str) -> Path:
        """Puts a program on PATH."""
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{self.bin}/bash\n{text}\n")
        path.chmod(0o755)
        return path

    def bazel(self, name: str, version: str) -> Path:
        """Puts a Bazel on PATH that prints its name and arguments and counts how often its version was asked."""
        return self.program(
            name,
            f'if [[ $1 == --version ]]; then echo asked >>"{self.directory}/asked"; echo "bazel {version}"; exit; fi\n'
            f'printf "{name} %s\\n" "$@"',
        )

    def can_install(self) -> None:
        """Makes the machine one where the private Bazel can be installed, from stand-ins."""
        self.program("python3", f'exec {sys.executable} "$@"')
        self.program("apt-get", APT_GET)
        self.program("dpkg-deb", DPKG_DEB)
        self.program("dpkg", "echo amd64")
        (self.directory / "bazel.deb").write_text(PACKAGE)
        archive = self.repository / "tools/bootstrap/debian_archive.py"
        etc = self.directory / "etc_apt"
        etc.mkdir()
        (etc / "sources.list").write_text("deb mirror trixie main\n")
        archive.write_text(archive.read_text().replace('Path("/etc/apt")', f"Path({str(etc)!r})"))

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Starts the launcher."""
        return subprocess.Popen(
            [str(self.bin / "bash"), str(self.repository / "bazelw"), *arguments],
            cwd=self.directory,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        """Runs the launcher and returns exit code, output and messages."""
        process = self.start(*arguments, **environment)
        output, messages = process.communicate(timeout=60)
        return process.returncode, output, messages

    def made(self) -> list[str]:
        """Names in the launcher's cache."""
        directory = self.cache / "pypto_rules"
        return sorted(path.name for path in directory.iterdir()) if directory.is_dir() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_given_bazel_comes_first(machine: Machine):
    given = machine.bazel("mine", "6.0.0")
    machine.bazel("bazelisk", "8.0.0")
    assert machine.run("build", "//a b", PYPTO_BAZEL=str(given)) == (0, "mine build\nmine //a b\n", "")
    assert machine.run("build", PYPTO_BAZEL="mine")[1] == "mine build\n"


def test_given_bazel_that_is_none(machine: Machine):
    code, output, messages = machine.run("build", PYPTO_BAZEL="/nowhere/bazel")
    assert (code, output) == (1, "")
    assert messages == (
        "bazelw: error: PYPTO_BAZEL is '/nowhere/bazel', which is no program; "
        "set it to the path of a Bazel, or unset it\n"
    )


def test_bazelisk_comes_before_bazel(machine: Machine):
    machine.bazel("bazelisk", "8.0.0")
    machine.bazel("bazel", "8.0.0")
    assert machine.run("info") == (0, "bazelisk info\n", "")


@pytest.mark.parametrize("version", ["7.4.0", "7.10.2", "8.0.0", "10.1.0", "7.7.1- (@non-git)"])
def test_new_enough_bazel_is_used(machine: Machine, version: str):
    machine.bazel("bazel", version)
    assert machine.run("info") == (0, "bazel info\n", "")


@pytest.mark.parametrize("version", ["4.2.3", "6.5.0", "7.3.2", "no_version"])
def test_old_or_unknown_bazel_is_passed_over(machine: Machine, version: str):
    machine.bazel("bazel", version)
    code, output, messages = machine.run("info")
    assert (code, output) == (1, "")
    assert messages.startswith("bazelw: error: no Bazel was found, and installing one needs python3; install python3")


def test_version_is_asked_once_for_each_bazel(machine: Machine):
    machine.bazel("bazel", "8.0.0")
    for _ in range(3):
        machine.run("info")
    assert (machine.directory / "asked").read_text() == "asked\n"
    machine.bazel("bazel", "6.0.0")
    os.utime(machine.bin / "bazel", (1, 1))
    assert machine.run("info")[0] == 1
    assert (machine.directory / "asked").read_text() == "asked\n" * 2


def test_cache_that_cannot_be_written_is_no_problem(machine: Machine):
    machine.bazel("bazel", "8.0.0")
    machine.cache.write_text("a file, no directory")
    assert machine.run("info") == (0, "bazel info\n", "")


def test_launcher_named_bazel_does_not_call_itself(machine: Machine):
    (machine.bin / "bazel").symlink_to(machine.repository / "bazelw")
    assert "installing one needs python3" in machine.run("info")[2]


def test_link_from_another_place_finds_its_files(machine: Machine):
    machine.can_install()
    link = machine.directory / "elsewhere"
    link.symlink_to(machine.repository / "bazelw")
    result = subprocess.run(
        [machine.bin / "bash", link, "info"], env=machine.environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "private info"


@pytest.mark.parametrize(("missing", "package"), [("apt-get", "apt"), ("dpkg-deb", "dpkg")])
def test_missing_tools_are_named(machine: Machine, missing: str, package: str):
    machine.can_install()
    (machine.bin / missing).unlink()
    code, output, messages = machine.run("info")
    assert (code, output) == (1, "")
    assert f"needs {missing} (package {package})" in messages
    assert "fix: on Debian install what is missing; elsewhere install bazelisk" in messages
    assert machine.made() == ["lock"]


def test_machine_without_debian_archive(machine: Machine):
    machine.can_install()
    (machine.directory / "etc_apt/sources.list").write_text("deb mirror noble main\n")
    code, _, messages = machine.run("info")
    assert code == 1
    assert "no Debian archive (component main) is listed in /etc/apt/sources.list" in messages


def test_unknown_architecture(machine: Machine):
    machine.can_install()
    machine.program("dpkg", "echo riscv64")
    assert "no private Bazel for the architecture 'riscv64' (known: amd64, arm64)" in machine.run("info")[2]


def test_archive_that_fails_shows_why(machine: Machine):
    machine.can_install()
    machine.program("apt-get", "echo 'E: no route to mirror' >&2; exit 100")
    code, _, messages = machine.run("info")
    assert code == 1
    assert "E: no route to mirror" in messages
    assert "fix: see that `apt-get update` works here" in messages
    assert "Traceback" not in messages
    assert machine.made() == ["lock"]


def test_private_bazel_is_installed_once_with_progress(machine: Machine):
    machine.can_install()
    code, output, messages = machine.run("build", "//a b")
    assert code == 0, messages
    root = machine.cache / "pypto_rules" / machine.made()[0]
    assert output.splitlines() == [
        f"private {word}" for word in ("--nosystem_rc", f"--bazelrc={root}/bazelrc", "build", "//a b")
    ]
    assert [line.split("]")[0] for line in messages.splitlines()[1:]] == [f"bazelw: [{n}/6" for n in range(1, 7)]
    assert (root / "registry/stubs/buildozer/BUILD.bazel").is_file()
    assert not (root / "prefix/usr/share/doc").exists()
    assert machine.run("info")[2] == ""


def test_private_bazel_can_be_asked_for(machine: Machine):
    machine.can_install()
    machine.bazel("bazelisk", "8.0.0")
    assert machine.run("info", PYPTO_BAZEL="private")[1].splitlines()[-1] == "private info"


def test_other_sources_make_another_root(machine: Machine):
    machine.can_install()
    machine.run("info")
    before = machine.made()
    with (machine.repository / "tools/registry/bazel_registry.json").open("a") as file:
        file.write("\n")
    machine.run("info")
    assert len(machine.made()) == len(before) + 1


def test_half_made_root_is_replaced(machine: Machine):
    machine.can_install()
    machine.run("info")
    root = machine.cache / "pypto_rules" / machine.made()[0]
    (root / "ready").unlink()
    (root / "prefix/usr/bin/bazel").write_text("broken")
    code, output, messages = machine.run("info")
    assert (code, output.splitlines()[-1]) == (0, "private info")
    assert "is ready" in messages


def test_two_at_once_install_once(machine: Machine):
    machine.can_install()
    runs = [machine.start("info", SLOW="1") for _ in range(2)]
    results = [run.communicate(timeout=60) for run in runs]
    assert [output.splitlines()[-1] for output, _ in results] == ["private info"] * 2
    messages = sorted(text for _, text in results)
    assert messages[0] == "bazelw: another run is installing Bazel; waiting for it\n"
    assert "is ready" in messages[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_installation_leaves_nothing(machine: Machine, number: signal.Signals):
    machine.can_install()
    run = machine.start("info", SLOW="30")
    while not any(machine.cache.glob("pypto_rules/.making-*/apt-forky/debs/bazel.deb")):
        assert run.poll() is None
        time.sleep(0.02)
    os.killpg(run.pid, number)
    run.communicate(timeout=20)
    assert run.returncode != 0
    deadline = time.monotonic() + 20
    while machine.made() != ["lock"] and time.monotonic() < deadline:
        time.sleep(0.02)
    assert machine.made() == ["lock"]
    assert machine.run("info")[0] == 0


def test_remains_of_a_killed_installation_are_removed(machine: Machine):
    machine.can_install()
    (machine.cache / "pypto_rules/.making-bazel-0/root").mkdir(parents=True)
    assert machine.run("info")[0] == 0
    assert not [name for name in machine.made() if name.startswith(".making")]


def test_bazel_that_does_not_start_is_not_used(machine: Machine):
    machine.can_install()
    package = machine.directory / "bazel.deb"
    package.write_text(package.read_text().replace("echo bazel 7.7.1", "echo no such library >&2; exit 1"))
    code, _, messages = machine.run("info")
    assert code == 1
    assert "the installed Bazel does not start:\n  no such library" in messages
    assert not any(machine.cache.glob("pypto_rules/*/ready"))


def test_doctor_reports_without_installing(machine: Machine):
    machine.can_install()
    bazel = machine.bazel("bazel", "4.2.3")
    code, output, messages = machine.run("--doctor")
    assert (code, messages) == (0, "")
    report = dict(line.split("  ", 1) for line in output.splitlines())
    report = {name.strip(): value.strip() for name, value in report.items()}
    assert report["PYPTO_BAZEL"] == "not set"
    assert report["bazelisk"] == "not on PATH"
    assert report["bazel"] == f"{bazel}, version 4.2.3 (older than 7.4 or unknown: passed over)"
    assert report["private Bazel"].startswith(f"{machine.cache}/pypto_rules/bazel-")
    assert report["private Bazel"].endswith(", not installed yet")
    assert report["its installer needs"] == "apt-get, dpkg-deb, python3: all found"
    assert report["chosen"] == "private"
    assert report["python3 on PATH"].startswith(f"{machine.bin}/python3 (Python 3.")
    assert report["C++ compiler"] == "none"
    assert not any(name.startswith("bazel-") and name != "bazel-on-path" for name in machine.made())


def test_doctor_on_a_bare_machine(machine: Machine):
    code, output, _ = machine.run("--doctor", PYPTO_BAZEL="private")
    assert code == 0
    assert "apt-get, dpkg-deb, python3: missing apt-get dpkg-deb python3\n" in output
