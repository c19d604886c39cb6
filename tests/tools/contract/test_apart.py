"""A kernel file that does more than declare: what it is refused, and that the tool goes on whatever happens to it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from pypto_rules.tools.contract import apart, isolation, load
from tests.tools.contract.support import HEAD, kernel_text

QUICK = isolation.Limits(cpu=1, clock=3, memory=2 << 30)


def report(
    directory: Path, extra: str, *, strict: bool = True, helpers: tuple[str, ...] = (), limits=QUICK
) -> apart.Report:
    """The report on a good kernel file with `extra` lines of module code in line 5 and below."""
    path = directory / "op.py"
    path.write_text(kernel_text(head=HEAD + extra + "\n"), encoding="utf-8")
    named = tuple((directory / name, name) for name in helpers)
    return apart.report(load.Request(path, "op.py", helpers=named), 4096, strict=strict, limits=limits)


def only(result: apart.Report, code: str, line: int | None = 5) -> str:
    """The text of the one problem, which has this code and line."""
    found = [(p["code"], p["line"] if line else None) for p in result.problems]
    assert found == [(f"PYPTO-{code}", line)], result.texts
    assert result.manifest is None
    return result.texts[0]


def test_a_good_file_is_described(tmp_path):
    result = report(tmp_path, "")
    assert (result.problems, result.texts) == ([], [])
    assert result.summary.startswith("op: ok; ") and b'"kernel_name": "op"' in result.manifest.read()


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("open(f'{HERE}/made.txt', 'w')", "/made.txt'"),
        ("open('../made.txt', 'ab')", "writes '../made.txt'"),
        ("import os; os.close(os.open(f'{HERE}/made.txt', os.O_CREAT | os.O_WRONLY))", "/made.txt'"),
        ("import pathlib; pathlib.Path(f'{HERE}/made.txt').write_text('x')", "/made.txt'"),
        ("import os; os.mkdir(f'{HERE}/made')", "/made'"),
        ("import os; os.remove(__file__)", "/op.py'"),
        ("import os; os.rename(__file__, 'made.txt')", "/op.py'"),
        ("import os; os.symlink('/etc', 'link'); open('link/made.txt', 'w')", "writes '/etc'"),
        ("import shutil; shutil.copy(__file__, f'{HERE}/made.txt')", "/made.txt'"),
        ("import os; os.system('touch made.txt')", "starts os.system"),
        ("import subprocess; subprocess.run(['touch', 'made.txt'])", "starts subprocess.Popen"),
        ("import os; os.fork()", "starts os.fork"),
        ("import socket; socket.socket()", "starts socket.__new__"),
        ("import ctypes; ctypes.CDLL('libc.so.6')", "starts the library 'libc.so.6'"),
        ("import sqlite3; sqlite3.connect(f'{HERE}/made.db')", "/made.db'"),
    ],
)
def test_writing_and_starting_is_refused(line, what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = line.replace("f'{HERE}", f"'{tmp_path}")
    text = only(report(tmp_path, line), "E010")
    assert what in text and "\n    " + line + "\n" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["op.py"]


@pytest.mark.parametrize(
    "line",
    [
        "open('leaky_debug.log', 'a').write('loaded')",
        "import os; os.makedirs('a/b'); os.rename('a/b', 'a/c'); os.rmdir('a/c')",
        "import tempfile; tempfile.mkdtemp(); tempfile.TemporaryFile().write(b'x')",
        "import logging; logging.basicConfig(filename='debug.log'); logging.warning('loaded')",
        "print('x', file=open('x.txt', 'w')); assert open('x.txt').read() == 'x\\n'",
    ],
)
def test_a_directory_of_its_own_is_the_files_to_use(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert report(tmp_path, line).texts == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["op.py"]


def test_a_file_that_hides_the_refusal_is_reported(tmp_path):
    only(report(tmp_path, "try: open('/tmp/made.txt', 'w')\nexcept Exception: pass"), "E010")
    assert not os.path.exists("/tmp/made.txt")


def test_reading_what_is_not_declared_is_refused(tmp_path):
    (tmp_path / "table.json").write_text("[1]")
    text = only(report(tmp_path, "TABLE = open(__file__.replace('op.py', 'table.json')).read()"), "E011")
    assert "table.json' while it loads; allowed are itself and its declared helper modules" in text
    only(report(tmp_path, "TABLE = open('table.json').read()"), "E011")
    only(report(tmp_path, "import os; os.listdir('/etc')"), "E011")
    only(report(tmp_path, "from pathlib import Path; HOST = Path('/etc/hostname').read_text()"), "E011")


def test_a_file_may_read_itself_and_python_its_modules(tmp_path):
    extra = "import inspect, json, decimal, xml.dom.minidom, os, ctypes\nSELF = open(__file__).read()\n"
    extra += "open(os.devnull, 'w').close()\n"
    extra += "import importlib.metadata, sqlite3, traceback, uuid, zoneinfo\n"
    extra += "sqlite3.connect(':memory:'), list(importlib.metadata.distributions())"
    assert report(tmp_path, extra).problems == []


def test_a_module_beside_the_kernel_has_to_be_declared(tmp_path):
    (tmp_path / "shapes.py").write_text("TILE = 128\n")
    text = only(report(tmp_path, "import shapes"), "E011")
    assert "list a helper module in deps of the operator" in text
    assert report(tmp_path, "import shapes", helpers=("shapes.py",)).problems == []
    assert report(tmp_path, "import shapes", strict=False).problems == []


def test_a_package_is_declared_by_its_files(tmp_path):
    package = tmp_path / "lib" / "shapes"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .tile import TILE\n")
    (package / "tile.py").write_text("TILE = 128\n")
    files = ("lib/shapes/__init__.py", "lib/shapes/tile.py")
    path = tmp_path / "op.py"
    path.write_text(kernel_text(head=HEAD + "from lib.shapes import TILE\n"))
    named = tuple((tmp_path / name, name) for name in files)
    request = load.Request(path, "op.py", helpers=named, import_roots=(tmp_path,))
    assert apart.report(request, 4096, strict=True).texts == []
    (tmp_path / "lib" / "__init__.py").write_text("")
    assert [p["code"] for p in apart.report(request, 4096, strict=True).problems] == ["PYPTO-E011"]


def test_bytecode_of_a_declared_module_may_be_there(tmp_path):
    import py_compile

    (tmp_path / "shapes.py").write_text("TILE = 128\n")
    py_compile.compile(str(tmp_path / "shapes.py"))
    assert report(tmp_path, "import shapes", helpers=("shapes.py",)).problems == []


def test_what_a_helper_does_is_shown_there_with_the_import(tmp_path):
    (tmp_path / "shapes.py").write_text("def made():\n    open('/made.txt', 'w')\n\nmade()\n")
    result = report(tmp_path, "import shapes", helpers=("shapes.py",))
    (problem,) = result.problems
    assert (problem["path"], problem["line"]) == ("shapes.py", 2)
    assert [(caller["path"], caller["line"]) for caller in problem["callers"]] == [("shapes.py", 4), ("op.py", 5)]
    assert "\n  called from op.py:5:1\n    import shapes\n    ^" in result.texts[0]


def test_frames_are_the_users_only(tmp_path):
    extra = "import json\ndef parsed(text):\n    return json.loads(text)\nTABLE = parsed('{')"
    result = report(tmp_path, extra)
    text = only(result, "E004", line=7)
    assert "JSONDecodeError" in text and "called from op.py:8:" in text
    assert "json/" not in text and "Traceback" not in text


def test_a_long_recursion_is_shown_short(tmp_path):
    result = report(tmp_path, "def down(n):\n    return down(n + 1)\ndown(0)")
    assert only(result, "E004", line=6).count("called from") <= 5


@pytest.mark.parametrize("how", ["os._exit(0)", "os._exit(3)", "os.abort()"])
def test_ending_the_process_is_a_problem_at_its_line(how, tmp_path):
    text = only(report(tmp_path, f"import os\n{how}"), "E007", line=6)
    assert "exit code" in text or "SIGABRT" in text


def test_interrupting_is_an_exception_like_others(tmp_path):
    assert "KeyboardInterrupt" in only(report(tmp_path, "raise KeyboardInterrupt"), "E004")


def test_a_crash_of_the_interpreter_is_a_problem(tmp_path):
    text = only(report(tmp_path, "import ctypes; ctypes.string_at(0)"), "E007", line=None)
    assert "SIGSEGV" in text


@pytest.mark.parametrize(
    ("loop", "limits", "limit"),
    [  # far apart, so that a busy machine does not reach the other one first
        ("while True: pass", isolation.Limits(cpu=1, clock=60, memory=2 << 30), "1 s of CPU"),
        ("import time; time.sleep(60)", isolation.Limits(cpu=60, clock=1, memory=2 << 30), "1 s"),
    ],
)
def test_a_file_that_never_ends_is_a_problem(loop, limits, limit, tmp_path):
    start = time.monotonic()
    assert f"took more than {limit};" in only(report(tmp_path, loop, limits=limits), "E009", line=None)
    assert time.monotonic() - start < 50


def test_memory_is_bounded(tmp_path):
    assert "MemoryError" in only(report(tmp_path, "TABLE = bytearray(16 << 30)"), "E004")


@pytest.mark.parametrize(
    "line",
    [
        "import builtins; builtins.sorted = builtins.zip = None",
        "import json; json.dumps = None",
        "import ast; ast.walk = ast.parse = None",
        "import os; os._exit = os.write = None",
        "import sys; sys.stdout = sys.stderr = None",
        "import sys; del sys.modules['ast'], sys.modules['json']",
        "import sys; sys.setrecursionlimit(10**6)",
        "import gc; gc.disable(); import threading; threading.Thread(target=print).start()",
    ],
)
def test_what_a_file_does_to_python_does_not_hurt_the_check(line, tmp_path):
    assert report(tmp_path, line).problems == []


@pytest.mark.parametrize("line", ["import builtins; builtins.isinstance = None", "import sys; sys.modules.clear()"])
def test_a_file_that_breaks_python_for_itself_is_a_problem_of_its_own(line, tmp_path):
    assert [p["code"] for p in report(tmp_path, line).problems] == ["PYPTO-E004"]


def test_a_fault_of_the_tool_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr("pypto_rules.tools.contract.check.check", lambda *_: 1 / 0)
    with pytest.raises(isolation.Crashed, match="ZeroDivisionError"):
        report(tmp_path, "")


def test_this_process_is_not_watched(tmp_path):
    report(tmp_path, "")
    (tmp_path / "mine.txt").write_text("x")
    assert "op" not in sys.modules
