"""uninstall.sh removes its vendor and nothing else."""

import shutil
from pathlib import Path

import pytest

from tests.tools.package.machine import Machine
from tests.tools.package.packages import Inputs


@pytest.fixture(scope="session")
def run_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Installers by vendor."""
    made = {}
    for vendor in ("acme", "zeta", "omega"):
        directory = tmp_path_factory.mktemp(vendor)
        assert Inputs(directory / "in", vendor_name=vendor).write().run_tool(directory, run=True) == 0
        made[vendor] = directory / "package.run"
    return made


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


@pytest.fixture
def opp(machine: Machine, run_files: dict[str, Path], tmp_path: Path) -> Path:
    """An opp directory with three vendors, acme first."""
    path = tmp_path / "my opp"
    path.mkdir()
    for vendor in ("omega", "zeta", "acme"):
        assert machine.run(run_files[vendor], ASCEND_OPP_PATH=str(path)).returncode == 0
    return path


def vendors_in(opp: Path) -> list[str]:
    return sorted(path.name for path in (opp / "vendors").iterdir())


@pytest.mark.parametrize(
    ("vendor", "priority"), [("acme", "zeta,omega"), ("zeta", "acme,omega"), ("omega", "acme,zeta")]
)
def test_others_and_their_order_stay(vendor: str, priority: str, machine: Machine, opp: Path) -> None:
    done = machine.run("bash", opp / "vendors" / vendor / "scripts" / "uninstall.sh")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"Removed {vendor} from {opp}/vendors.\n"
    assert vendors_in(opp) == sorted({"acme", "zeta", "omega", "config.ini"} - {vendor})
    assert (opp / "vendors" / "config.ini").read_text() == f"load_priority={priority}\n"


def test_twice_and_with_parts_gone(machine: Machine, opp: Path) -> None:
    copy = machine.root / "uninstall.sh"
    shutil.copy(opp / "vendors" / "acme" / "scripts" / "uninstall.sh", copy)
    shutil.rmtree(opp / "vendors" / "acme" / "op_impl")
    for _ in range(2):
        done = machine.run("bash", copy, "--quiet", ASCEND_OPP_PATH=str(opp))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert vendors_in(opp) == ["config.ini", "omega", "zeta"]
    shutil.rmtree(opp / "vendors")
    done = machine.run("bash", copy, f"--install-path={opp}")
    assert done.returncode == 0
    assert "acme is not installed in" in done.stdout


def test_a_directory_already_gone_is_dropped_from_config_ini(machine: Machine, opp: Path) -> None:
    copy = machine.root / "uninstall.sh"
    shutil.copy(opp / "vendors" / "acme" / "scripts" / "uninstall.sh", copy)
    shutil.rmtree(opp / "vendors" / "acme")
    assert machine.run("bash", copy, ASCEND_OPP_PATH=str(opp)).returncode == 0
    assert (opp / "vendors" / "config.ini").read_text() == "load_priority=zeta,omega\n"


def test_the_last_vendor_takes_config_ini_along(machine: Machine, opp: Path) -> None:
    for vendor in ("acme", "omega", "zeta"):
        assert machine.run("bash", opp / "vendors" / vendor / "scripts" / "uninstall.sh").returncode == 0
    assert vendors_in(opp) == []


def test_a_prefix_install_leaves_nothing(run_files: dict[str, Path], machine: Machine, tmp_path: Path) -> None:
    prefix = tmp_path / "pre fix"
    assert machine.run(run_files["acme"], f"--install-path={prefix}").returncode == 0
    done = machine.run("sh", "-c", "cd vendors/acme/scripts && bash ./uninstall.sh", cwd=prefix)
    assert done.returncode == 0, done.stderr
    assert list(prefix.iterdir()) == []


def test_a_failing_removal_keeps_the_vendor(machine: Machine, opp: Path) -> None:
    machine.break_command("mv", 2, "fail")
    done = machine.run("bash", opp / "vendors" / "acme" / "scripts" / "uninstall.sh")
    assert done.returncode == 1
    assert "uninstall: error: cannot write to" in done.stderr
    machine.repair()
    assert machine.run("bash", opp / "vendors" / "acme" / "scripts" / "uninstall.sh").returncode == 0
    assert vendors_in(opp) == ["config.ini", "omega", "zeta"]


@pytest.mark.parametrize(
    ("arguments", "status", "texts"),
    [
        (["--help"], 0, ["Removes the operators of vendor 'acme'", "--install-path=<dir>", "--quiet"]),
        (["--force"], 2, ["unknown option '--force'", "--install-path=<dir>, --quiet, --help"]),
        (["--install-path=x"], 2, ["--install-path 'x' is relative"]),
    ],
)
def test_options(arguments: list[str], status: int, texts: list[str], machine: Machine, opp: Path) -> None:
    done = machine.run("bash", opp / "vendors" / "acme" / "scripts" / "uninstall.sh", *arguments)
    assert done.returncode == status
    assert all(text in done.stdout + done.stderr for text in texts)
    assert "acme" in vendors_in(opp)
