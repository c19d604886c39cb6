"""What `.deb` and `.rpm` are made of."""

import subprocess
import tarfile
from pathlib import Path

import pytest

from pypto_rules.tools.package import __main__ as package
from pypto_rules.tools.package.system import ROOT
from tests.tools.package.packages import Inputs


def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inputs = Inputs(tmp_path / "in").write()
    monkeypatch.chdir(inputs.root)
    out = tmp_path / "out"
    options = {"tree": "tree", "system-data": "data.tar.gz", "system-check": "preinst", "rpm-spec": "rpm.spec"}
    out.mkdir()
    arguments = [f"--{option}={out / name}" for option, name in options.items()]
    assert package.main(["--spec", "spec.json", *arguments]) == 0
    return out


def test_the_tree_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = make(tmp_path, monkeypatch)
    vendor = out / "tree/vendors/acme"
    with tarfile.open(out / "data.tar.gz") as data:
        members = {member.name: member for member in data.getmembers()}
    files = {name for name, member in members.items() if not member.isdir()}
    shipped = {f"{ROOT}/vendors/acme/{path.relative_to(vendor)}" for path in vendor.rglob("*") if not path.is_dir()}
    assert files == shipped | {f"{ROOT}/vendors/acme/bin/set_env.bash"}
    assert {(member.uid, member.gid, member.mtime) for member in members.values()} == {(0, 0, 946684800)}


def test_the_check_parses_and_passes_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = make(tmp_path, monkeypatch) / "preinst"
    assert check.read_text().startswith("#!/bin/sh\n")
    assert "davinci" in check.read_text()
    assert subprocess.run(["sh", str(check), "install"], check=False).returncode == 0


def test_the_spec_of_an_rpm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = make(tmp_path, monkeypatch)
    text = (out / "rpm.spec").read_text()
    assert f"/{ROOT}/vendors/acme\n" in text
    assert f"tar -C %{{buildroot}} -xzf '%{{_topdir}}/BUILD/{out / 'data.tar.gz'}'" in text
    assert "%pre\n#!/bin/sh\n" in text


def test_a_spec_needs_the_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        package.main(["--spec", "spec.json", "--tree", str(tmp_path), "--rpm-spec", str(tmp_path / "x")])
    assert stopped.value.code == 2
    assert "--rpm-spec needs --system-data" in capsys.readouterr().err
