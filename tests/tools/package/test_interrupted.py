"""An install that fails or is killed at any step leaves the old version working, and the next one cleans up."""

import json
from pathlib import Path

import pytest

from tests.tools.package.machine import Machine
from tests.tools.package.packages import Inputs

# The steps that change the target: command, which call of it. mv 1 and 2 are the renames of the switch.
STEPS = [("mkdir", 1), ("mktemp", 2), ("cp", 1), ("sha256sum", 2), ("chmod", 1), ("mv", 1), ("mv", 2)]


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The installers of version 1 and 2."""
    made = []
    for version in ("1.0.0", "2.0.0"):
        directory = tmp_path_factory.mktemp("version")
        assert Inputs(directory / "in", version=version, content=version).write().run_tool(directory, run=True) == 0
        made.append(directory / "package.run")
    return made[0], made[1]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "machine")
    made.environment["ASCEND_OPP_PATH"] = str(made.root)
    return made


def version_of(machine: Machine) -> str:
    """The version of what is installed, all of it."""
    vendor = machine.root / "vendors" / "acme"
    manifest = json.loads((vendor / "manifest.json").read_text())
    for file in manifest["files"]:
        assert (vendor / file["path"]).stat().st_size == file["size"]
    source = vendor / "op_impl/ai_core/tbe/acme_impl/ascendc/add_example/add_example.py"
    assert source.read_text() == f"# kernel add_example, {manifest['version']}\n"
    return manifest["version"]


def vendors(machine: Machine) -> list[str]:
    return sorted(p.name for p in (machine.root / "vendors").iterdir())


@pytest.mark.parametrize(("command", "call"), STEPS)
def test_a_failing_step_changes_nothing(command: str, call: int, versions: tuple[Path, Path], machine: Machine) -> None:
    first, second = versions
    assert machine.run(first).returncode == 0
    machine.break_command(command, call, "fail")
    done = machine.run(second)
    assert done.returncode == 1
    assert "install: error: " in done.stderr
    assert version_of(machine) == "1.0.0"
    assert vendors(machine) == ["acme", "config.ini"]
    assert machine.leftovers == []


def test_no_room_for_the_new_version(versions: tuple[Path, Path], machine: Machine) -> None:
    """Real writes that fail: the limit is on the size of a file, in KiB, and stops `cp` as a full disk does."""
    first, second = versions
    assert machine.run(first).returncode == 0
    place = machine.root / "extracted"
    assert machine.run(second, "--noexec", f"--extract={place}").returncode == 0
    done = machine.run("bash", "-c", f"ulimit -f 2; exec bash '{place}/install.sh'")
    assert done.returncode == 1
    assert "cannot copy the package" in done.stderr and "nothing was changed" in done.stderr
    assert version_of(machine) == "1.0.0"
    assert vendors(machine) == ["acme", "config.ini"]


@pytest.mark.parametrize(("command", "call"), STEPS[:-1])
def test_a_killed_install_leaves_the_old_version(
    command: str, call: int, versions: tuple[Path, Path], machine: Machine
) -> None:
    first, second = versions
    assert machine.run(first).returncode == 0
    machine.break_command(command, call, "kill")
    assert machine.run(second).returncode != 0
    assert version_of(machine) == "1.0.0"
    machine.repair()
    assert machine.run(second).returncode == 0
    assert version_of(machine) == "2.0.0"
    assert vendors(machine) == ["acme", "config.ini"]


def test_killed_between_the_renames_is_mended_by_the_next_run(versions: tuple[Path, Path], machine: Machine) -> None:
    first, second = versions
    assert machine.run(first).returncode == 0
    machine.break_command("mv", 2, "kill")
    assert machine.run(second).returncode != 0
    machine.repair()
    machine.break_command("cp", 1, "fail")
    assert machine.run(second).returncode == 1
    assert version_of(machine) == "1.0.0"
    machine.repair()
    assert machine.run(second).returncode == 0
    assert version_of(machine) == "2.0.0"
    assert vendors(machine) == ["acme", "config.ini"]


def test_config_ini_is_replaced_as_a_whole(versions: tuple[Path, Path], machine: Machine) -> None:
    first, second = versions
    config = machine.root / "vendors" / "config.ini"
    config.parent.mkdir()
    config.write_text("load_priority=zeta\n")
    machine.break_command("mv", 2, "fail")
    done = machine.run(first)
    assert done.returncode == 1
    assert "cannot write to" in done.stderr
    assert config.read_text() == "load_priority=zeta\n"
    machine.repair()
    assert machine.run(second).returncode == 0
    assert config.read_text() == "load_priority=acme,zeta\n"
    assert vendors(machine) == ["acme", "config.ini"]


@pytest.mark.parametrize("action", ["none", "refuse"])
def test_exchange_where_mv_can(action: str, versions: tuple[Path, Path], machine: Machine) -> None:
    first, second = versions
    machine.exchanging_mv(action)
    for installer, version in ((first, "1.0.0"), (second, "2.0.0")):
        done = machine.run(installer)
        assert done.returncode == 0, done.stderr
        assert version_of(machine) == version
        assert vendors(machine) == ["acme", "config.ini"]


def test_killed_after_an_exchange(versions: tuple[Path, Path], machine: Machine) -> None:
    first, second = versions
    assert machine.run(first).returncode == 0
    machine.exchanging_mv("kill")
    assert machine.run(second).returncode != 0
    assert version_of(machine) == "2.0.0"
    machine.repair()
    assert machine.run(second).returncode == 0
    assert vendors(machine) == ["acme", "config.ini"]
