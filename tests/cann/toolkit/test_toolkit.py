"""The stand-in toolkit is laid out like CANN, and its programs take the right command lines and no others."""

import os
import platform
import re
import subprocess
from pathlib import Path

import pytest

from tests.cann.toolkit import assemble

DIRECTORIES = [
    "asc/impl/adv_api",
    "asc/impl/basic_api",
    "asc/impl/c_api",
    "asc/impl/basic_api/reg_compute",
    "asc/impl/simt_api",
    "asc/impl/utils",
    "asc",
    "asc/include",
    "asc/include/adv_api",
    "asc/include/basic_api",
    "asc/include/aicpu_api",
    "asc/include/c_api",
    "asc/include/basic_api/reg_compute",
    "asc/include/simt_api",
    "asc/include/utils",
    "include",
    "include/ascendc",
    "ascendc/act",
    "tikcpp",
    "tikcpp/tikcfw",
    "tikcpp/tikcfw/impl",
    "tikcpp/tikcfw/interface",
]
STACK = "-mllvm -cce-aicore-stack-size=0x8000 -mllvm -cce-aicore-function-stack-size=0x8000"
BACKEND = f"{STACK} -mllvm -cce-aicore-record-overflow=false -mllvm -cce-aicore-addr-transform"
DCCI = "-mllvm -cce-aicore-dcci-insert-for-scalar=false"
LONG_CALLS = "-mllvm -cce-aicore-long-call -mllvm -cce-aicore-jump-expand=true"

SOURCE = """
#include "kernel_operator.h"
#include <pto/pto-inst.hpp>
using namespace pto;
__aicore__ inline void f_impl(__gm__ half* x) {}
extern "C" __global__ AICORE void entry(__gm__ half* x, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    f_impl(x);
}
#define META(name) __attribute__((used, section(".ascend.meta." name)))
META("a") static const FunLevelKType a = { {{F_TYPE_KTYPE, sizeof(unsigned int)}, K_TYPE_AIV} };
META("b") static const FunLevelMixCoreType b = {
    {{F_TYPE_KTYPE, sizeof(unsigned int)}, K_TYPE_MIX_AIC_MAIN}, {{F_TYPE_MIX_TASK_RATION, sizeof(unsigned int)}, 1, 2}
};
META("c") static const BinaryMetaVersion c = {{B_TYPE_BIN_VERSION_INFO, sizeof(unsigned int)}, 0x01};
META("d") static const BinaryMetaDebug d = {{B_TYPE_DEBUG_INFO, 8}, 0, 0};
META("e") static const BinaryMetaDynamicParam e = {{B_TYPE_DYNAMIC_PARAM, 4}, 0, 0};
META("f") static const BinaryMetaOptionalParam f = {{B_TYPE_OPTIONAL_PARAM, 4}, 1, 1};
#if !defined(__NPU_ARCH__) || defined(__DAV_CUBE__) == defined(__DAV_VEC__)
#error "no core"
#endif
"""


@pytest.fixture(scope="module")
def toolkit(tmp_path_factory):
    return assemble.make(tmp_path_factory.mktemp("cann") / "toolkit")


@pytest.fixture
def work(tmp_path):
    (tmp_path / "k.cpp").write_text(SOURCE)
    return tmp_path


def located(toolkit, directory):
    """A directory of headers of the toolkit."""
    root = toolkit if directory.startswith("include") else toolkit / f"{platform.machine()}-linux"
    return root / directory


def bisheng_line(toolkit, chip="c220", core="vec", user=("-DX=1", "-g"), sanitizer=False, oom=False):
    """The arguments that the specification gives."""
    c310 = chip == "c310"
    line = ["-c", "-O3", "-x", "cce", "-DHIGH_PERFORMANCE=1", "-DDETERMINISTIC_MODE=0"]
    line += ["-DHIGH_PERFORMANCE_"] * c310 + ["--cce-disable-kernel-global-attr-check"]
    line += [f"-I{located(toolkit, directory)}" for directory in DIRECTORIES]
    line += [f"-include{toolkit}/include/version/asc_devkit_version.h", "-DASCENDC_TPL_KERNEL"]
    line += [f"-I{toolkit}/python/site-packages/pypto_pro/include", "-DONE_CORE_DUMP_SIZE=1024"]
    line += ["-DL2_CACHE_HINT"] * (not sanitizer and "-DASCENDC_DEBUG" not in user) + [*user]
    line += ["-MD", "-MF", "k.d", "k.cpp", f"--cce-aicore-arch=dav-{chip}-{core}"]
    line += ["-D__DAV_C310__"] * c310 + ["--cce-aicore-only", "-o", "k.o", *BACKEND.split()]
    line += ["-mllvm", "--cce-aicore-jump-expand=true"] * c310 + DCCI.split()
    if sanitizer:
        line += ["--cce-enable-sanitizer"] * (not c310) + ["-gline-tables-only", *LONG_CALLS.split()]
    line.append("-std=c++17")
    if oom:
        line += ["-mllvm", "-cce-block-local-relocate=false"] * c310 + ["-DASCENDC_OOM=1"]
    return line


def run(toolkit, program, line, directory, **variables):
    """Starts a program of the compiler."""
    command = [toolkit / "tools/bisheng_compiler/bin" / program, *line]
    environment = {"PATH": os.environ["PATH"]} | variables
    return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)


def bisheng(toolkit, line, directory, **variables):
    return run(toolkit, "bisheng", line, directory, **variables)


def contents(directory):
    """Files below a directory: mode and bytes by path."""
    return {
        str(path.relative_to(directory)): (path.stat().st_mode & 0o777, path.read_bytes())
        for path in directory.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("core", ["cube", "vec"])
@pytest.mark.parametrize("chip", ["c220", "c310"])
@pytest.mark.parametrize("extra", [{}, {"sanitizer": True}, {"oom": True}, {"sanitizer": True, "oom": True}], ids=str)
def test_bisheng_takes_the_right_line(toolkit, work, chip, core, extra):
    result = bisheng(toolkit, bisheng_line(toolkit, chip, core, **extra), work)
    assert (result.returncode, result.stderr) == (0, "")
    assert (work / "k.o").read_bytes()[:4] == b"\x7fELF"
    assert "kernel_operator.h" in (work / "k.d").read_text()


def test_objects_do_not_depend_on_the_directory(toolkit, work, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "k.cpp").write_text(SOURCE)
    for directory in (work, other):
        assert bisheng(toolkit, bisheng_line(toolkit), directory).returncode == 0
    assert (work / "k.o").read_bytes() == (other / "k.o").read_bytes()


@pytest.mark.parametrize("chip", ["c220", "c310"])
def test_bisheng_refuses_a_line_that_lacks_any_argument(toolkit, work, chip):
    line = bisheng_line(toolkit, chip, user=(), sanitizer=True)
    optional = [argument for argument in line if argument.startswith("-include")]
    for at, argument in enumerate(line):
        result = bisheng(toolkit, line[:at] + line[at + 1 :], work)
        assert (argument in optional) == (result.returncode == 0), (argument, result.stderr)
        assert result.returncode == 0 or result.stderr.startswith("stand-in bisheng: "), argument


@pytest.mark.parametrize("chip", ["c220", "c310"])
def test_bisheng_refuses_any_two_neighbours_swapped(toolkit, work, chip):
    line = bisheng_line(toolkit, chip, user=())
    for at in range(len(line) - 1):
        if line[at] != line[at + 1]:
            swapped = [*line[:at], line[at + 1], line[at], *line[at + 2 :]]
            assert bisheng(toolkit, swapped, work).returncode == 1, line[at : at + 2]


@pytest.mark.parametrize(
    ("user", "message"),
    [
        (["--cce-enable-print"], "argument 35 '--cce-enable-print' is unknown: expected -MD here"),
        (["-DX", "-DX=2"], "argument 36 '-DX=2' is doubled: -DX was given before"),
        (["-O1", "-O2"], "argument 36 '-O2' is doubled"),
        (["-DASCENDC_DEBUG", "-DL2_CACHE_HINT"], "L2_CACHE_HINT is no user's macro"),
        (["-I/usr/lib"], "'-I/usr/lib' is unknown"),
        (["-c"], "argument 35 '-c' is out of order, doubled or after a missing one: expected -MD here"),
    ],
)
def test_bisheng_refuses_options_of_the_user(toolkit, work, user, message):
    result = bisheng(toolkit, bisheng_line(toolkit, user=user), work)
    assert result.returncode == 1
    assert message in result.stderr


def test_bisheng_says_what_is_missing_at_the_end(toolkit, work):
    result = bisheng(toolkit, bisheng_line(toolkit)[:-1], work)
    assert "is missing: expected -std=c++17" in result.stderr


def test_bisheng_allows_that_a_directory_is_absent_from_the_toolkit(tmp_path, work):
    directory = f"{platform.machine()}-linux/ascendc/act"
    toolkit = assemble.make(tmp_path / "cann", leave_out=[directory])
    line = [argument for argument in bisheng_line(toolkit) if not argument.endswith("ascendc/act")]
    assert bisheng(toolkit, line, work).returncode == 0
    result = bisheng(toolkit, bisheng_line(toolkit), work)
    assert "ascendc/act': no such file or directory" in result.stderr


@pytest.mark.parametrize("name", ["LD_PRELOAD", "PYTHONPATH", "ASCEND_CUSTOM_OPP_PATH"])
def test_bisheng_refuses_leaked_variables(toolkit, work, name):
    result = bisheng(toolkit, bisheng_line(toolkit), work, **{name: ""})
    assert result.returncode == 1
    assert f"the environment variable {name} is set" in result.stderr


def test_bisheng_forwards_errors_of_the_compiler(toolkit, work):
    (work / "k.cpp").write_text("void f() { standin_undeclared(); }\n")
    result = bisheng(toolkit, bisheng_line(toolkit), work)
    assert result.returncode == 1
    assert "k.cpp:1:12: error: 'standin_undeclared' was not declared" in result.stderr


def test_bisheng_misbehaves_when_told_to(toolkit, work):
    (work / "k.cpp").write_text('#include "impl.cpp"\n')
    (work / "impl.cpp").write_text("// STANDIN_EMPTY_OBJECT\n")
    assert bisheng(toolkit, bisheng_line(toolkit), work).returncode == 0
    assert (work / "k.o").read_bytes() == b""
    (work / "impl.cpp").write_text("// STANDIN_CRASH\n")
    assert bisheng(toolkit, bisheng_line(toolkit), work).returncode == -11


JOIN = "-m aicorelinux -r -Ttext=0 -q a.o b.o -static -o out.o"
FINISH = "-m aicorelinux -Ttext=0 out.o -static -o out.o -q"


@pytest.fixture
def objects(tmp_path):
    for name in ("a", "b"):
        source = tmp_path / f"{name}.cpp"
        source.write_text(f"int used_by_{name};\nint {name}() {{ return used_by_{name}; }}\n")
        subprocess.run(["g++", "-c", source, "-o", source.with_suffix(".o")], check=True)
    (tmp_path / "empty.o").touch()
    (tmp_path / "text.o").write_text("int a;")
    return tmp_path


@pytest.mark.parametrize("join", [JOIN, JOIN.replace("-q", "-q -x")])
def test_linker_takes_the_right_lines(toolkit, objects, join):
    built = set()
    for _ in range(2):
        for line in (join, FINISH):
            result = run(toolkit, "ld.lld", line.split(), objects)
            assert (result.returncode, result.stderr) == (0, "")
        built.add((objects / "out.o").read_bytes())
    assert len(built) == 1
    symbols = subprocess.run(["nm", objects / "out.o"], capture_output=True, text=True, check=True).stdout
    assert "used_by_a" in symbols and "used_by_b" in symbols


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (JOIN + " -q", "argument 11 '-q' is unknown, doubled or out of order"),
        (JOIN.replace("-q ", ""), "argument 5: expected -q, not 'a.o'"),
        (JOIN.replace("-static ", ""), "argument 8: expected -static, not '-o'"),
        (JOIN.replace("-r -Ttext=0", "-Ttext=0 -r"), "argument 3: expected -r, not '-Ttext=0'"),
        (JOIN.replace("a.o b.o", "--gc-sections"), "argument 6: expected objects, found 0"),
        (JOIN.replace("b.o", "a.o"), "a.o is doubled"),
        (JOIN.replace("b.o", "empty.o"), "empty.o is empty"),
        (JOIN.replace("b.o", "text.o"), "text.o is no ELF object"),
        (JOIN.replace("b.o", "none.o"), "none.o: no such file"),
        (FINISH.replace("out.o -static", "a.o b.o -static"), "argument 4: expected one object, found 2"),
        (FINISH.replace(" -q", ""), "argument 8: expected -q, not nothing"),
    ],
)
def test_linker_refuses_other_lines(toolkit, objects, line, message):
    result = run(toolkit, "ld.lld", line.split(), objects)
    assert result.returncode == 1
    assert result.stderr.startswith(f"stand-in ld.lld: {message}")


def test_toolkit_has_real_files_and_no_unfilled_values(toolkit):
    assert not [path for path in toolkit.rglob("*") if path.is_symlink()]
    assert not [path for path, (_, content) in contents(toolkit).items() if re.search(rb"@[A-Z_]+@", content)]
    assert "Version=9.2.0" in (toolkit / "compiler/version.info").read_text()
    assert (toolkit / "python/site-packages/pypto-0.2.0.dist-info/METADATA").is_file()


def test_what_is_left_out_must_be_there(tmp_path):
    toolkit = assemble.make(tmp_path / "cann", leave_out=["tools/bisheng_compiler/bin/ld.lld", "include"])
    assert not (toolkit / "include").exists()
    assert not (toolkit / "tools/bisheng_compiler/bin/ld.lld").exists()
    with pytest.raises(ValueError, match="the toolkit has no tools/bish"):
        assemble.make(tmp_path / "other", leave_out=["tools/bish"])


def extract(installer, directory):
    subprocess.run([installer, "--noexec", f"--extract={directory}", "--nox11", "--quiet"], check=True)


def test_installer_extracts_to_the_same_tree(tmp_path):
    options = {"version": "9.0.0", "arches": ["a5"], "leave_out": ["set_env.sh"]}
    toolkit = assemble.make(tmp_path / "toolkit", **options)
    extract(assemble.make_run(tmp_path / "cann.run", **options), tmp_path / "outer")
    nested = sorted((tmp_path / "outer").rglob("*.run"))
    assert [path.name for path in nested] == ["cann-asc-devkit.run", "cann-compiler.run"]
    for installer in nested:
        extract(installer, tmp_path / "extracted")
    assert contents(tmp_path / "extracted") == contents(toolkit)


def test_installer_is_always_the_same(tmp_path):
    installers = [assemble.make_run(tmp_path / name) for name in ("a.run", "b.run")]
    assert installers[0].read_bytes() == installers[1].read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "the install script was started"),
        (["--extract=here"], "the install script was started"),
        (["--noexec"], "--noexec needs --extract=DIR"),
        (["--noexec", "--extract=here", "--full"], "unknown option '--full'"),
    ],
)
def test_installer_refuses_to_install(tmp_path, options, message):
    installer = assemble.make_run(tmp_path / "cann.run")
    result = subprocess.run([installer, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert message in result.stderr
    assert not Path(tmp_path, "here").exists()


def test_the_host_side_is_there_when_it_is_asked_for(toolkit, tmp_path):
    result = subprocess.run([toolkit / "tools/opbuild/op_build"], capture_output=True, text=True, check=False)
    assert (result.returncode, "without its host side" in result.stderr) == (1, True)
    whole = assemble.make(tmp_path / "cann", host=True, leave_out=["lib64/libnnopbase.so"])
    libraries = sorted(path.name for path in (whole / "lib64").iterdir())
    assert {"libexe_graph.so", "libregister.so", "libtiling_api.a"} < set(libraries)
    assert "libnnopbase.so" not in libraries
    assert (whole / "include/register/op_def_registry.h").is_file()
    assert os.access(whole / "tools/opbuild/op_build", os.X_OK)
