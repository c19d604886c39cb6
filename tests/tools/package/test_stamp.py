"""Stamped builds: version.info says when and of which revision, nothing else changes; others say nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pypto_rules.tools.package import __main__ as package
from pypto_rules.tools.package import stamp
from pypto_rules.tools.package.errors import PackageError
from tests.tools.package.packages import Inputs


def status(directory: Path, name: str, text: str) -> Path:
    path = directory / name
    path.write_text(text)
    return path


def test_what_status_files_say(tmp_path: Path) -> None:
    volatile = status(tmp_path, "volatile", "BUILD_TIMESTAMP 1764547200\nFORMATTED_DATE 2025\n")
    stable = status(tmp_path, "stable", "BUILD_HOST here\nBUILD_USER me\nSTABLE_GIT_REVISION abc123\n")
    assert stamp.lines([volatile, stable]) == ["build_date=2025-12-01T00:00:00Z", "git_revision=abc123"]
    assert stamp.lines([stable, status(tmp_path, "other", "BUILD_SCM_REVISION def\n")]) == ["git_revision=abc123"]
    assert stamp.lines([]) == []


@pytest.mark.parametrize("value", ["soon", "1" * 30])
def test_a_time_that_is_none(value: str, tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="must be seconds since 1970"):
        stamp.lines([status(tmp_path, "volatile", f"BUILD_TIMESTAMP {value}\n")])


def test_version_info_alone_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = Inputs(tmp_path / "in").write()
    volatile = status(tmp_path, "volatile", "BUILD_TIMESTAMP 1764547200\n")
    monkeypatch.chdir(inputs.root)
    digests = []
    for name, options in (("plain", []), ("stamped", ["--status", str(volatile)])):
        out = tmp_path / f"{name}.json"
        assert package.main(["--spec", "spec.json", "--manifest", str(out), *options]) == 0
        digests.append({item["path"]: item["sha256"] for item in json.loads(out.read_text())["files"]})
    assert [path for path in digests[0] if digests[0][path] != digests[1][path]] == ["version.info"]
