"""The command line of build.sh, and what Bazel is asked to do for it; a program stands in for Bazel."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pypto_rules.tools.build_sh import __main__ as tool
from pypto_rules.tools.build_sh.options import Options, UsageError, parse
from pypto_rules.tools.init import __main__ as init

# Notes its command lines, answers queries, "builds" an installer; the command that the file `failing` names fails.
BAZEL = """\
#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
words = sys.argv[1:]
with (here / "calls").open("a") as log:
    log.write(json.dumps(words) + "\\n")
if (here / "failing").exists() and words[0] == (here / "failing").read_text():
    sys.exit("it failed")
if words[0] == "query":
    print((here / ("tests" if "cc_test" in words[-1] else "operators")).read_text())
elif words[0] == "info":
    print(here)
elif words[0] == "cquery":
    (here / "made.run").write_text("the installer")
    print("made.run")
"""
ALL_SEE = "--check_visibility=false"
SOC = "--@pypto_rules//pypto_rules/settings:soc="


class Project:
    """A workspace with a stand-in for Bazel."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root / "workspace"
        self.bazel = root / "bazel"
        self.root.mkdir()
        self.bazel.write_text(BAZEL.format(python=sys.executable))
        self.bazel.chmod(0o755)
        (root / "operators").write_text("//ops/add_example:add_example\n//ops/sum_rows:sum_rows\n")
        (root / "tests").write_text("//ops/add_example:run_example\n")
        monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(self.root))
        monkeypatch.setenv("PYPTO_LAUNCHER", str(self.bazel))

    def calls(self, *commands: str) -> list[list[str]]:
        """The command lines of these commands."""
        log = self.bazel.with_name("calls")
        lines = log.read_text().splitlines() if log.exists() else []
        return [words for words in map(json.loads, lines) if words[0] in commands]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_a_whole_command_line() -> None:
    words = "--pkg --soc=ascend910b,ascend950 --ops=add_example,other_op --vendor_name=acme -j8 -O2"
    assert parse([*words.split(), "--run_example", "add_example", "eager", "cust"]) == Options(
        package=True,
        example="add_example",
        socs=("ascend910b", "ascend950"),
        ops=("add_example", "other_op"),
        vendor_name="acme",
        jobs="8",
        level="-O2",
    )
    assert parse(["--pkg", "--soc", "a;b;a", "-j", "3"]).socs == ("a", "b")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "nothing to do; give --pkg"),
        ("--soc=ascend910b", "nothing to do; give --pkg"),
        ("--pkg --socs=ascend910b", "unknown option '--socs'; did you mean --soc?"),
        ("--pkg --zzz", "unknown option '--zzz'; see --help"),
        ("--pkg --soc=", "--soc is empty; give --soc=<value>"),
        ("--pkg --ops", "--ops needs a value"),
        ("--pkg --ccache=on", "--ccache has no meaning here: Bazel caches"),
        ("--pkg -jx", "unknown option '-jx'"),
        ("--run_example", "--run_example needs a value"),
        ("--run_example add_example", "--run_example add_example needs a value"),
        ("--run_example add_example graph", "--run_example add_example graph: only eager is there"),
        ("--run_example add_example eager built", "--run_example add_example eager built: only cust is there"),
    ],
)
def test_wrong_command_lines(words: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        parse(words.split())
    assert str(error.value).startswith(said)


def test_a_package(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--pkg", "--soc=ascend910b,ascend950", "--ops=sum_rows", "--vendor_name=acme", "-j4"]
    assert tool.main(words) == 0
    assert (project.root / "build_out/made.run").read_text() == "the installer"
    assert "build_out/made.run holds sum_rows" in capsys.readouterr().out
    flags = [ALL_SEE, f"{SOC}ascend910b", f"{SOC}ascend950", "--jobs=4"]
    assert project.calls("build") == [["build", *flags, "//build_out:pkg"]]
    text = (project.root / "build_out/BUILD.bazel").read_text()
    assert '"//ops/sum_rows:sum_rows",' in text and "add_example" not in text and 'vendor_name = "acme"' in text


def test_all_operators(project: Project) -> None:
    assert tool.main(["--pkg"]) == 0
    text = (project.root / "build_out/BUILD.bazel").read_text()
    assert '"//ops/add_example:add_example",' in text and '"//ops/sum_rows:sum_rows",' in text


# A19: a name that no operator has.
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("add_exampel", "no operator is called 'add_exampel'; did you mean add_example?"),
        ("zzz", "no operator is called 'zzz'; there are add_example, sum_rows"),
    ],
)
def test_an_unknown_operator(name: str, said: str, project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["--pkg", f"--ops=add_example,{name}"]) == 2
    assert capsys.readouterr().err == f"build.sh: error: {said}\n"
    assert project.calls("build") == []


def test_an_example(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["--run_example", "add_example", "eager", "cust", "--soc=ascend950"]) == 0
    assert project.calls("run") == [["run", ALL_SEE, f"{SOC}ascend950", "//ops/add_example:run_example"]]
    project.bazel.with_name("tests").write_text("")
    assert tool.main(["--run_example", "add_example", "eager"]) == 2
    assert "there is no aclnn example beside //ops/add_example:add_example" in capsys.readouterr().err


def test_tests_and_clean(project: Project) -> None:
    assert tool.main(["-u", "--ops=sum_rows"]) == 0
    assert project.calls("test") == [["test", "--build_tests_only", ALL_SEE, "//ops/sum_rows:all"]]
    (project.root / "build_out").mkdir()
    assert tool.main(["--make_clean"]) == 0
    assert project.calls("clean") == [["clean"]] and not (project.root / "build_out").exists()


def test_what_fails_ends_it(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.bazel.with_name("failing").write_text("build")
    assert tool.main(["--pkg", "--run_example", "add_example", "eager"]) == 1
    assert project.calls("run") == [] and not list((project.root / "build_out").glob("*.run"))
    project.bazel.with_name("failing").write_text("query")
    assert tool.main(["--pkg"]) == 2
    assert "build.sh: error: bazel query failed:\nit failed" in capsys.readouterr().err


def test_help_and_where_it_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["--help"]) == 0
    assert "--vendor_name    default: custom" in capsys.readouterr().out
    monkeypatch.delenv("BUILD_WORKSPACE_DIRECTORY", raising=False)
    assert tool.main(["--pkg"]) == 2
    assert "started by build.sh" in capsys.readouterr().err


def test_build_sh_is_written_once(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert init.main(["--launcher", "my bazel"]) == 0
    script = project.root / "build.sh"
    done = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "PYPTO_LAUNCHER:-'my bazel'" in script.read_text()
    assert init.main([]) == 1 and "is there already; --force writes over it" in capsys.readouterr().err
    assert init.main(["--force"]) == 0
    # It passes everything on, from wherever it is called.
    subprocess.run(["bash", str(script), "--pkg", "--ops=a b"], cwd="/", check=True)
    (call,) = project.calls("run")
    assert call[-4:] == ["@pypto_rules//pypto_rules/tools/build_sh", "--", "--pkg", "--ops=a b"]
