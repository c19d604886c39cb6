"""The command line of the package tool."""

from pathlib import Path

import pytest

from pypto_rules.tools.package import __main__ as package
from tests.tools.package.packages import Inputs


@pytest.mark.parametrize(
    ("arguments", "text"),
    [([], "nothing to write"), (["--run", "x.run"], "--run needs --makeself")],
)
def test_wrong_command_lines(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        package.main(["--spec", "spec.json", *arguments])
    assert stopped.value.code == 2
    assert text in capsys.readouterr().err


def test_missing_and_broken_spec(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content in (None, "{", "[]"):
        if content is not None:
            (tmp_path / "spec.json").write_text(content)
        assert package.main(["--spec", str(tmp_path / "spec.json"), "--manifest", str(tmp_path / "m.json")]) == 1
        error = capsys.readouterr().err
        assert error.startswith("package: error: ") and "spec" in error and "Traceback" not in error


def test_only_the_manifest(tmp_path: Path) -> None:
    inputs = Inputs(tmp_path / "in").write()
    assert inputs.run_tool(tmp_path / "out", tree=False) == 0
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["manifest.json"]


def test_makeself_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = Inputs(tmp_path / "in").write()
    broken = tmp_path / "makeself.sh"
    broken.write_text("echo no space left >&2; exit 3\n")
    monkeypatch.setenv("PYPTO_MAKESELF", str(broken))
    assert inputs.run_tool(tmp_path / "out", run=True) == 1
    error = capsys.readouterr().err
    assert "makeself failed (exit 3)" in error and "no space left" in error
    broken.unlink()
    assert inputs.run_tool(tmp_path / "out", run=True) == 1
    assert "makeself is not at" in capsys.readouterr().err
