"""The installer, end to end: where it installs, what it says, what it refuses."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tests.tools.package.cann_packages import CannInputs
from tests.tools.package.machine import Machine
from tests.tools.package.packages import Inputs

TWIN = "backend twin: runs on the CPU, not on an NPU"


@pytest.fixture(scope="session")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installer of vendor acme."""
    return make(tmp_path_factory.mktemp("acme"))


@pytest.fixture(scope="session")
def other_run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installer of another vendor."""
    return make(tmp_path_factory.mktemp("zeta"), vendor_name="zeta")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


@pytest.fixture
def opp(tmp_path: Path) -> Path:
    """An opp directory whose name asks for quoting."""
    path = tmp_path / "my opp's $dir"
    path.mkdir()
    return path


def make(directory: Path, **changes: object) -> Path:
    inputs = Inputs(directory / "in", **changes).write()
    assert inputs.run_tool(directory, run=True) == 0
    return directory / "package.run"


def check_installed(vendor: Path) -> None:
    """All files of the manifest are there, undamaged, readable by all; their owner can change the directories."""
    manifest = json.loads((vendor / "manifest.json").read_text())
    for file in manifest["files"]:
        path = vendor / file["path"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == file["sha256"]
        assert f"{stat.S_IMODE(path.stat().st_mode):04o}" == file["mode"]
    for path in [vendor, *vendor.rglob("*")]:
        if path.is_dir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o755


def vendors_in(opp: Path) -> list[str]:
    return sorted(path.name for path in (opp / "vendors").iterdir())


def test_install_path(run_file: Path, machine: Machine, opp: Path) -> None:
    done = machine.run(run_file, f"--install-path={opp}")
    assert done.returncode == 0, done.stderr
    assert vendors_in(opp) == ["acme"]
    check_installed(opp / "vendors" / "acme")
    assert done.stderr.splitlines() == [TWIN]
    assert f"into {opp}/vendors/acme" in done.stdout
    assert machine.leftovers == []


def test_the_twin_is_named_before_anything_is_installed(run_file: Path, machine: Machine, opp: Path) -> None:
    machine.break_command("mkdir", 1, "fail")
    done = machine.run(run_file, f"--install-path={opp}")
    assert done.returncode == 1
    assert TWIN in done.stderr
    assert list(opp.iterdir()) == []


def test_quiet_prints_only_the_warning(run_file: Path, machine: Machine, opp: Path) -> None:
    for arguments in (
        ["--quiet", f"--install-path={opp}"],
        [f"--install-path={opp}", "--quiet"],
        ["--", f"--install-path={opp}", "--quiet"],
    ):
        done = machine.run(run_file, *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", TWIN + "\n")


def test_started_by_sh_and_by_a_relative_name(run_file: Path, machine: Machine, opp: Path) -> None:
    done = machine.run("sh", run_file.name, f"--install-path={opp}", cwd=run_file.parent)
    assert done.returncode == 0, done.stderr
    done = machine.run(f"./{run_file.name}", f"--install-path={opp}", cwd=run_file.parent)
    assert done.returncode == 0, done.stderr


def test_install_path_is_made(run_file: Path, machine: Machine, opp: Path) -> None:
    done = machine.run(run_file, f"--install-path={opp}/a/b/")
    assert done.returncode == 0, done.stderr
    check_installed(opp / "a" / "b" / "vendors" / "acme")


@pytest.mark.parametrize("umask", [0o077, 0o000, 0o027])
def test_umask_changes_nothing(umask: int, run_file: Path, machine: Machine, opp: Path) -> None:
    machine.umask = umask
    assert machine.run(run_file, f"--install-path={opp}").returncode == 0
    check_installed(opp / "vendors" / "acme")
    assert machine.run("rm", "-rf", opp / "vendors").returncode == 0
    assert not (opp / "vendors").exists()


def test_custom_opp_path_and_opp_path(run_file: Path, machine: Machine, opp: Path) -> None:
    custom = opp / "custom"
    done = machine.run(run_file, ASCEND_CUSTOM_OPP_PATH=str(custom), ASCEND_OPP_PATH=str(opp))
    assert done.returncode == 0, done.stderr
    assert vendors_in(custom) == ["acme", "config.ini"]
    assert not (opp / "vendors").exists()
    done = machine.run(run_file, ASCEND_OPP_PATH=str(opp))
    assert done.returncode == 0, done.stderr
    assert (opp / "vendors" / "config.ini").read_text() == "load_priority=acme\n"
    assert not (opp / "vendors" / "acme" / "bin").exists()


def test_install_path_wins_and_leaves_config_ini_alone(run_file: Path, machine: Machine, opp: Path) -> None:
    done = machine.run(run_file, f"--install-path={opp}/a", ASCEND_CUSTOM_OPP_PATH=str(opp / "b"))
    assert done.returncode == 0, done.stderr
    assert vendors_in(opp / "a") == ["acme"]
    assert not (opp / "b").exists()


def test_an_installed_prefix_in_the_environment_is_updated_in_place(
    run_file: Path, machine: Machine, opp: Path
) -> None:
    assert machine.run(run_file, f"--install-path={opp}").returncode == 0
    done = machine.run(run_file, ASCEND_CUSTOM_OPP_PATH=f"/elsewhere/vendors/zeta:{opp}/vendors/acme")
    assert done.returncode == 0, done.stderr
    assert vendors_in(opp) == ["acme"]
    assert (opp / "vendors" / "acme" / "bin" / "set_env.bash").is_file()


@pytest.mark.parametrize("path", ["/elsewhere/vendors/zeta", "/a/vendors/x:/b/vendors/y", "/one:/two"])
def test_a_list_of_other_vendors_says_not_where_to_install(path: str, run_file: Path, machine: Machine) -> None:
    done = machine.run(run_file, ASCEND_CUSTOM_OPP_PATH=path)
    assert done.returncode == 1
    assert path in done.stderr and "--install-path=" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "texts"),
    [
        ([], {}, ["no place is given", "--install-path=", "ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH"]),
        (
            [],
            {"ASCEND_OPP_PATH": "/nowhere/opp"},
            ["ASCEND_OPP_PATH '/nowhere/opp' is no directory", "--install-path="],
        ),
        ([], {"ASCEND_CUSTOM_OPP_PATH": "opp"}, ["ASCEND_CUSTOM_OPP_PATH 'opp' is relative"]),
        (["--install-path=/proc"], {}, ["cannot write to /proc/vendors", "--install-path="]),
        (["--install-path=/dev/null/opp"], {}, ["cannot write to /dev/null/opp/vendors", "--install-path="]),
    ],
)
def test_no_place_to_install(
    arguments: list[str], environment: dict[str, str], texts: list[str], run_file: Path, machine: Machine
) -> None:
    done = machine.run(run_file, *arguments, **environment)
    assert done.returncode == 1
    assert all(text in done.stderr for text in texts), done.stderr
    assert machine.leftovers == []


@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        (
            ["--instal-path=/x"],
            ["unknown option '--instal-path=/x'", "--install-path=<dir>", "--quiet", "--help", "--version"],
        ),
        (["here"], ["unknown option 'here'"]),
        (["--install-path", "/x"], ["unknown option '--install-path'", "--install-path=<dir>"]),
        (["--install-path="], ["--install-path is empty"]),
        (["--install-path=some/where"], ["--install-path 'some/where' is relative", "/machine/some/where"]),
        (["--check", "--install-path=/x"], ["option '--install-path=/x' does not go with --check"]),
        (["--extract="], ["--extract is empty"]),
        (["--noexec"], ["--noexec without --extract=<dir>"]),
    ],
)
def test_wrong_options(arguments: list[str], texts: list[str], run_file: Path, machine: Machine) -> None:
    done = machine.run(run_file, *arguments)
    assert done.returncode == 2
    assert all(text in done.stderr for text in texts), done.stderr


def test_help_version_info_list_check(run_file: Path, machine: Machine) -> None:
    for option in ("--help", "-h"):
        done = machine.run(run_file, option)
        assert done.returncode == 0
        assert all(text in done.stdout for text in ("--install-path=<dir>", "--quiet", TWIN, "scripts/uninstall.sh"))
    assert machine.run(run_file, "--version").stdout == "acme 1.2.3\n"
    assert "backend: twin" in machine.run(run_file, "--info").stdout
    listed = machine.run(run_file, "--list").stdout.splitlines()
    assert "vendors/acme/manifest.json" in listed
    assert "is complete and undamaged" in machine.run(run_file, "--check").stdout


def test_extracted_package_installs_too(run_file: Path, machine: Machine, opp: Path) -> None:
    place = machine.root / "ex tracted"
    assert machine.run(run_file, "--noexec", f"--extract={place}").returncode == 0
    assert machine.run("bash", place / "install.sh", "--help").stdout.startswith(
        "Installs the operators of vendor 'acme'"
    )
    assert machine.run("bash", place / "install.sh", "--version").stdout == "acme 1.2.3\n"
    done = machine.run("bash", place / "install.sh", f"--install-path={opp}")
    assert done.returncode == 0, done.stderr
    check_installed(opp / "vendors" / "acme")


def test_a_changed_payload_is_refused(run_file: Path, machine: Machine, opp: Path) -> None:
    place = machine.root / "extracted"
    assert machine.run(run_file, f"--extract={place}").returncode == 0
    (place / "packages/vendors/acme/version.info").write_text("version=9\n")
    done = machine.run("bash", place / "install.sh", f"--install-path={opp}")
    assert done.returncode == 1
    assert "version.info is damaged; nothing was changed" in done.stderr
    assert vendors_in(opp) == []


@pytest.mark.parametrize(("cut", "text"), [(100, "is incomplete"), (0, "is damaged")])
def test_a_damaged_installer_is_refused(cut: int, text: str, run_file: Path, machine: Machine, opp: Path) -> None:
    content = bytearray(run_file.read_bytes())
    content[-200] ^= 1
    damaged = machine.root / "damaged.run"
    damaged.write_bytes(content[: len(content) - cut])
    done = machine.run("sh", damaged, f"--install-path={opp}")
    assert done.returncode == 1
    assert text in done.stderr and "Get it again" in done.stderr
    assert list(opp.iterdir()) == []


def test_another_architecture_is_refused(tmp_path: Path, machine: Machine, opp: Path) -> None:
    mine = os.uname().machine
    other = "aarch64" if mine == "x86_64" else "x86_64"
    done = machine.run(make(tmp_path / "other", arch=other), f"--install-path={opp}")
    assert done.returncode == 1
    assert f"for {other} machines, this one is {mine}" in done.stderr and f"-{mine}.run" in done.stderr
    assert list(opp.iterdir()) == []


def test_force_installs_on_another_architecture(tmp_path: Path, machine: Machine, opp: Path) -> None:
    other = "aarch64" if os.uname().machine == "x86_64" else "x86_64"
    done = machine.run(make(tmp_path / "other", arch=other), f"--install-path={opp}", "--force")
    assert done.returncode == 0, done
    assert f"warning: this package is for {other} machines" in done.stderr + done.stdout
    check_installed(opp / "vendors/acme")


def test_a_twin_package_is_refused_where_an_npu_is(run_file: Path, machine: Machine, opp: Path) -> None:
    machine.replace("find", "#!/bin/sh\nprintf '%s\\n' /dev/davinci0\n")
    done = machine.run(run_file, f"--install-path={opp}")
    assert done.returncode == 1 and not (opp / "vendors").exists()
    assert "this machine has an NPU (/dev/davinci0), and the package is of the CPU twin" in done.stderr
    assert "Build it with the CANN backend. --force installs it all the same." in done.stderr
    assert machine.run(run_file, f"--install-path={opp}", "--force", "--install-for-all").returncode == 0


def test_a_package_for_npus(tmp_path: Path, machine: Machine, opp: Path) -> None:
    """It is at home where an NPU is, and has no warning to print."""
    assert CannInputs(tmp_path / "in").write().run_tool(tmp_path, run=True) == 0
    machine.replace("find", "#!/bin/sh\nprintf '%s\\n' /dev/davinci0\n")
    done = machine.run(tmp_path / "package.run", f"--install-path={opp}")
    assert (done.returncode, done.stderr) == (0, "")
    check_installed(opp / "vendors/acme")
    info = machine.run(tmp_path / "package.run", "--info").stdout.splitlines()
    assert info[2:5] == ["backend: cann", "cann: 9.2.0", "pypto_pro: 0.2.0"]
    assert "twin" not in machine.run(tmp_path / "package.run", "--help").stdout


def test_upgrade_needs_an_installed_version(run_file: Path, machine: Machine, opp: Path, tmp_path: Path) -> None:
    done = machine.run(run_file, f"--install-path={opp}", "--upgrade")
    assert done.returncode == 1 and not (opp / "vendors").exists()
    assert f"there is no acme in {opp}/vendors to upgrade. Install it without --upgrade." in done.stderr
    assert machine.run(run_file, f"--extract={tmp_path / 'unpacked'}").returncode == 0
    upgrade = tmp_path / "unpacked/upgrade.sh"
    assert machine.run(upgrade, f"--install-path={opp}").returncode == 1
    assert machine.run(tmp_path / "unpacked/install.sh", f"--install-path={opp}").returncode == 0
    assert machine.run(upgrade, f"--install-path={opp}").returncode == 0
    check_installed(opp / "vendors/acme")


@pytest.mark.parametrize(("arch", "machine_name"), [("aarch64", "arm64"), ("aarch64", "aarch64"), ("x86_64", "amd64")])
def test_architectures_have_several_names(
    arch: str, machine_name: str, tmp_path: Path, machine: Machine, opp: Path
) -> None:
    machine.replace("uname", f"#!/bin/sh\necho {machine_name}\n")
    done = machine.run(make(tmp_path / "other", arch=arch), f"--install-path={opp}")
    assert done.returncode == 0, done.stderr


def test_set_env_prepends_and_is_idempotent(run_file: Path, machine: Machine, opp: Path) -> None:
    assert machine.run(run_file, f"--install-path={opp}").returncode == 0
    vendor = opp / "vendors" / "acme"
    script = vendor / "bin" / "set_env.bash"
    source = (
        'set -eu; source "$1"; source "$1"; '
        'printf "%s|%s|%s\\n" "$ASCEND_CUSTOM_OPP_PATH" "${LD_LIBRARY_PATH-unset}" "$(declare -F)"'
    )
    assert machine.run("bash", "-uc", source, "bash", script).stdout == f"{vendor}|unset|\n"
    done = machine.run(
        "bash", "-uc", source, "bash", script, ASCEND_CUSTOM_OPP_PATH=f"/a/vendors/x:{vendor}:/b/vendors/y:", CDPATH="/"
    )
    assert done.stdout == f"{vendor}:/a/vendors/x:/b/vendors/y|unset|\n"
    (vendor / "op_api" / "lib").mkdir(parents=True)
    done = machine.run("bash", "-uc", source, "bash", script, LD_LIBRARY_PATH="/usr/local/lib")
    assert done.stdout == f"{vendor}|{vendor}/op_api/lib:/usr/local/lib|\n"


def test_reinstall_replaces_all_of_the_old_version(run_file: Path, tmp_path: Path, machine: Machine, opp: Path) -> None:
    assert machine.run(run_file, f"--install-path={opp}").returncode == 0
    vendor = opp / "vendors" / "acme"
    (vendor / "left_over").write_text("x")
    newer = make(tmp_path / "newer", version="2.0.0", ops=("add_example",), content="second")
    done = machine.run(newer, f"--install-path={opp}")
    assert done.returncode == 0, done.stderr
    assert vendors_in(opp) == ["acme"]
    assert not (vendor / "left_over").exists()
    assert "version=2.0.0" in (vendor / "version.info").read_text()
    assert [p.name for p in vendor.glob("op_impl/ai_core/tbe/kernel/ascend950/*")] == ["add_example"]
    check_installed(vendor)


def test_an_old_version_without_write_permission_is_replaced(run_file: Path, machine: Machine, opp: Path) -> None:
    old = opp / "vendors" / "acme"
    (old / "scripts").mkdir(parents=True)
    (old / "scripts" / "uninstall.sh").write_text("x")
    for path in (old / "scripts", old):
        path.chmod(0o550)
    done = machine.run(run_file, f"--install-path={opp}")
    assert done.returncode == 0, done.stderr
    assert vendors_in(opp) == ["acme"]
    check_installed(old)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "load_priority=acme\n"),
        ("", "load_priority=acme\n"),
        ("load_priority=zeta\n", "load_priority=acme,zeta\n"),
        ("load_priority=zeta, acme ,omega", "load_priority=acme,zeta,omega\n"),
        ("load_priority=\n", "load_priority=acme\n"),
        ("[x]\nload_priority=zeta\r\nkey=value\n", "[x]\nload_priority=acme,zeta\nkey=value\n"),
        ("key=value\n", "key=value\nload_priority=acme\n"),
        ("load_priority=acme2,my_acme\n", "load_priority=acme,acme2,my_acme\n"),
    ],
)
def test_load_priority(before: str | None, after: str, run_file: Path, machine: Machine, opp: Path) -> None:
    config = opp / "vendors" / "config.ini"
    config.parent.mkdir()
    if before is not None:
        config.write_text(before)
        config.chmod(0o640)
    done = machine.run(run_file, ASCEND_OPP_PATH=str(opp))
    assert done.returncode == 0, done.stderr
    assert config.read_text() == after
    assert stat.S_IMODE(config.stat().st_mode) == (0o644 if before is None else 0o640)
    assert vendors_in(opp) == ["acme", "config.ini"]


def test_other_vendors_are_left_alone(run_file: Path, other_run_file: Path, machine: Machine, opp: Path) -> None:
    assert machine.run(other_run_file, ASCEND_OPP_PATH=str(opp)).returncode == 0
    before = machine.run("find", opp / "vendors" / "zeta", "-printf", "%p %i %T@\n").stdout
    assert machine.run(run_file, ASCEND_OPP_PATH=str(opp)).returncode == 0
    assert machine.run("find", opp / "vendors" / "zeta", "-printf", "%p %i %T@\n").stdout == before
    assert (opp / "vendors" / "config.ini").read_text() == "load_priority=acme,zeta\n"
    assert vendors_in(opp) == ["acme", "config.ini", "zeta"]


def test_two_installs_at_once_do_not_mix(run_file: Path, tmp_path: Path, machine: Machine, opp: Path) -> None:
    newer = make(tmp_path / "newer", version="2.0.0", content="second")
    running = [machine.start(file, f"--install-path={opp}") for file in (run_file, newer, run_file, newer)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0, 0]
    assert vendors_in(opp) == ["acme"]
    check_installed(opp / "vendors" / "acme")


def test_rendered_scripts_parse(run_file: Path, machine: Machine) -> None:
    place = machine.root / "extracted"
    assert machine.run(run_file, f"--extract={place}").returncode == 0
    for script in ("install.sh", "uninstall.sh", "set_env.bash"):
        assert machine.run("bash", "-n", place / script).stderr == ""
    checker = shutil.which("shellcheck")
    if checker:
        scripts = [place / "install.sh", place / "uninstall.sh", place / "set_env.bash"]
        done = subprocess.run([checker, *scripts], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
