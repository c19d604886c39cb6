"""The driver passes on what the compiler does, and says what a failure means."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cann.bisheng import project
from toolchains.cann.bisheng import driver, report

TITLE = "// cast_op, io_t=float16, TilingKey 3 (mode=2), vec\n"
GOOD = TITLE + 'extern "C" void entry() {}\n'
MAIN = f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); from toolchains.cann.bisheng import driver; "
PLACES = {"toolkit": "cann", "source": "src/k.cpp", "object": "k o.o", "depends": "k.d"}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A directory like an execution root, with the toolkit in it."""
    root = tmp_path_factory.mktemp("execroot")
    project.make_repository(root / "cann")
    (root / "src").mkdir()
    return root


def drive(root, source, compiler="cann/bisheng/bin/bisheng"):
    """Compiles a source; returns the exit code and what was printed."""
    (root / "k o.o").unlink(missing_ok=True)
    (root / "src/k.cpp").write_text(source)
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", driver.COMPILER: compiler}
    command = [sys.executable, "-c", MAIN + "sys.exit(driver.main())", *project.golden("c220_vec_none", PLACES)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


def compiler_of(root, script):
    """A compiler that is a shell script."""
    path = root / "compiler.sh"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return "./compiler.sh"


def command_of(text):
    """The command that a failure says to repeat it with."""
    (line,) = [line.strip() for line in text.splitlines() if "bazel info" in line]
    return line


def test_good_compile_is_silent(root):
    assert drive(root, GOOD) == (0, "")
    assert (root / "k o.o").read_bytes()[:4] == b"\x7fELF"
    assert "src/k.cpp" in (root / "k.d").read_text()


def test_warnings_are_passed_on(root):
    compiler = compiler_of(root, "echo 'src/k.cpp:2:1: warning: hm'; echo to stderr >&2; printf '\\177ELF' >'k o.o'")
    assert drive(root, GOOD, compiler) == (0, "src/k.cpp:2:1: warning: hm\nto stderr\n")


def test_error_names_the_variant_and_the_kernels_line(root):
    code, text = drive(root, TITLE + "void f() {\n// op_kernel/cast_op.py:41\nint a;\nstandin_undeclared();\n}\n")
    assert code == 1
    assert text.startswith(
        "error: the compiler failed (exit code 1)\n"
        "  variant: cast_op, io_t=float16, TilingKey 3 (mode=2), vec (src/k.cpp)\n"
    )
    lines = text.splitlines()
    (at,) = [at for at, line in enumerate(lines) if "src/k.cpp:5:1: error: 'standin_undeclared'" in line]
    assert lines[at + 1] == "  which is the code of op_kernel/cast_op.py:41"
    assert text.count("which is the code of") == 1


def test_the_command_repeats_the_failure(root):
    _, text = drive(root, TITLE + "standin_undeclared();\n")
    (root / "bazel").write_text('#!/bin/sh\n[ "$*" = "info execution_root" ] && pwd\n')
    (root / "bazel").chmod(0o755)
    path = {"PATH": f"{root}:{os.environ['PATH']}"}
    command = ["sh", "-c", command_of(text)]
    done = subprocess.run(command, cwd=root, env=path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "src/k.cpp:2:" in done.stderr and "stand-in" not in done.stderr


@pytest.mark.parametrize(
    ("source", "code", "problem"),
    [
        ("// STANDIN_EMPTY_OBJECT\n", 1, "the compiler reported success and wrote an empty object"),
        ("// STANDIN_CRASH\n", 139, "the compiler crashed (signal 11)"),
    ],
)
def test_misbehaving_compiler(root, source, code, problem):
    ended, text = drive(root, TITLE + source)
    assert ended == code
    assert text.startswith(f"error: {problem}\n  variant: cast_op, io_t=float16")
    assert "cann/bisheng/bin/bisheng -c -O3" in command_of(text)


@pytest.mark.parametrize(
    ("script", "code", "problem"),
    [
        ("exit 0", 1, "the compiler reported success and wrote no object"),
        ("echo text >'k o.o'", 1, "the compiler reported success and wrote an object that is no ELF file"),
        ("exit 7", 7, "the compiler failed (exit code 7)"),
    ],
)
def test_other_failures(root, script, code, problem):
    ended, text = drive(root, GOOD, compiler_of(root, script))
    assert (ended, text.splitlines()[0]) == (code, f"error: {problem}")


def test_arguments_are_passed_as_they_are(root):
    compiler = compiler_of(root, "printf '%s\\n' \"$@\"; exit 1")
    _, text = drive(root, GOOD, compiler)
    expected = project.golden("c220_vec_none", PLACES)
    assert text.splitlines()[2 : 2 + len(expected)] == expected


def test_no_compiler(root):
    code, text = drive(root, GOOD, "cann/bisheng/bin/none")
    assert (code, text) == (1, "error: cannot start the compiler cann/bisheng/bin/none: No such file or directory\n")


def test_source_without_words_or_origins(root):
    code, text = drive(root, "standin_undeclared();\n")
    assert code == 1
    assert "\n  variant: src/k.cpp\n" in text
    assert "which is the code of" not in text


def test_origin_is_the_nearest_above(tmp_path):
    source = tmp_path / "k.cpp"
    source.write_text("// a.py:1\nx\n  y;  // b.py:2\nz\n// c.py:3\n")
    message = f"{source}:1:1: note: n\n{source}:4: error: e\nIn file included from {source}:2,\nother.h:4:1: error: e\n"
    assert report.mapped(message, str(source)) == (
        f"{source}:1:1: note: n\n  which is the code of a.py:1\n"
        f"{source}:4: error: e\n  which is the code of b.py:2\n"
        f"In file included from {source}:2,\nother.h:4:1: error: e\n"
    )


def test_a_good_compile_imports_nothing_that_takes_time():
    check = "print(*sorted(set(sys.modules) & {'re', 'subprocess', 'pathlib', 'shlex', 'typing', 'signal'}))"
    done = subprocess.run([sys.executable, "-S", "-c", MAIN + check], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
