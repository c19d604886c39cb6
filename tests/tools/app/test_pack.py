"""A packed tool: it runs from anywhere, from compiled modules, and its bytes depend on its sources only."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from pypto_rules.tools.app import pack

HELLO = "import sys\nfrom words.greeting import TEXT\n\ndef main():\n    print(TEXT, *sys.argv[1:])\n    return 3\n"


def packed(directory: Path, name: str = "tool.app") -> Path:
    sources = directory / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    (sources / "hello.py").write_text(HELLO)
    (sources / "greeting.py").write_text("TEXT = '你好'\n")
    (sources / "notes.txt").write_text("as it is")
    argument_file = directory / "arguments"
    lines = [
        str(directory / name),
        "tools.hello",
        "modules:imports/0",
        f"modules/tools/hello.py={sources / 'hello.py'}",
        f"imports/0/words/greeting.py={sources / 'greeting.py'}",
        f"modules/tools/notes.txt={sources / 'notes.txt'}",
    ]
    argument_file.write_text("".join(line + "\n" for line in lines))
    assert pack.main(f"@{argument_file}") == 0
    return directory / name


def run(app: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", "-S", str(app), *arguments]
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", **env}
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, encoding="utf-8", check=False)


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_it_runs_with_its_own_modules_first(tmp_path):
    poison = tmp_path / "poison" / "words"
    poison.mkdir(parents=True)
    (poison / "greeting.py").write_text("TEXT = 'poison'\n")
    done = run(packed(tmp_path), "a b", "c", PYTHONPATH=str(tmp_path / "poison"))
    assert (done.returncode, done.stdout, done.stderr) == (3, "你好 a b c\n", "")


def test_modules_are_not_compiled_again(tmp_path):
    app = packed(tmp_path)
    (app / "modules/tools/hello.py").write_text("this is no Python")  # Python looks at the compiled copy only
    assert run(app).returncode == 3


def test_tracebacks_name_the_place_in_the_tool(tmp_path):
    app = packed(tmp_path)
    (app / "imports/0/words/__pycache__").rename(app / "imports/0/words/gone")
    (app / "imports/0/words/greeting.py").write_text("1 / 0\n")
    assert f'{app}/imports/0/words/greeting.py", line 1' in run(app).stderr


def test_bytes_are_those_of_the_sources(tmp_path):
    first, second = packed(tmp_path / "a"), packed(tmp_path / "deeper" / "b", "other.app")
    assert contents(first) == contents(second)
    assert not any(str(tmp_path).encode() in content for content in contents(first).values())


def test_a_module_with_a_syntax_error_fails(tmp_path):
    (tmp_path / "bad.py").write_text("def\n")
    with pytest.raises(py_compile.PyCompileError):
        pack.pack(tmp_path / "app", "bad", ["modules"], {"modules/bad.py": str(tmp_path / "bad.py")})
