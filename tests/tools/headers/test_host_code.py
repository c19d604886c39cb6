"""Host sources and the generated headers: modes, order, several operators, and the checked GET_TPL_TILING_KEY."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pypto_rules.tools.contract.manifest import Kernel
from pypto_rules.tools.headers import render
from tests.tools.headers import compile as cpp
from tests.tools.headers.kernels import KERNELS, UPSTREAM_TILING_KEY, kernel

KINDS_OF_ARGUMENTS = """
#include <cstddef>
#include <cstdio>
#include <vector>
enum class Tile : int { kSmall = 64, kLarge = 128 };
static int global_tail = 1;
struct Op {
    unsigned bits : 3;
    int member;
    static const int kTile = 64;
    int& reference;
    std::vector<long> list{64};
    uint64_t A() { return GET_TPL_TILING_KEY(bits, kTile); }
    uint64_t B() const { return GET_TPL_TILING_KEY(member, Tile::kSmall); }
    uint64_t C() { return GET_TPL_TILING_KEY(reference, list[0]); }
};
template <typename T>
uint64_t Dependent(T& x, const T& y) { return GET_TPL_TILING_KEY(x, y); }
template <int N>
uint64_t Constant() { return GET_TPL_TILING_KEY(0, N); }
int Large() { return 128; }
struct Context { uint64_t key = 0; void SetTilingKey(uint64_t k) { key = k; } };
int main(int argc, char** argv) {
    Op op{1, 1, global_tail};
    int x = 1, y = 64;
    int* p = &y;
    std::size_t z = 64;
    short h = 0;
    char c = 1;
    long long ll = 128;
    auto by_reference = [&](int a) { return GET_TPL_TILING_KEY(a, *p); };
    auto by_value = [=] { return GET_TPL_TILING_KEY(x, y); };
    auto generic = [](auto a) { return GET_TPL_TILING_KEY(a, 64); };
    constexpr uint64_t constant = GET_TPL_TILING_KEY(1, 64);
    Context context;
    const unsigned key = 64;
    ASCENDC_TPL_SEL_PARAM(&context, x, key);
    const uint64_t keys[] = {
        op.A(), op.B(), op.C(), Dependent(x, y), Constant<256>(), GET_TPL_TILING_KEY(argc - 1, Large()),
        GET_TPL_TILING_KEY(argc == 1 ? 1 : 0, z), GET_TPL_TILING_KEY(h, ll), GET_TPL_TILING_KEY(c, 64u),
        GET_TPL_TILING_KEY(true, 64LL), by_reference(1), by_value(), generic(1), constant, context.key,
        GET_TPL_TILING_KEY(*argv[0] == 0, p[0]), GET_TPL_TILING_KEY(x++ - 1, y)};
    for (uint64_t k : keys) {
        std::printf("%d", static_cast<int>(k));
    }
    std::printf(" %d", x);
}
"""


def write(subject: Kernel, directory: Path) -> None:
    """The headers of a kernel."""
    directory.mkdir(exist_ok=True)
    for name, text in render.headers_of(subject, render.camel_case(subject.kernel_name)):
        (directory / name).write_text(text, encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with the headers of `mixed` and `plain`."""
    write(kernel("mixed"), tmp_path)
    write(kernel("plain"), tmp_path)
    return tmp_path


def including(*names: str) -> str:
    """Include lines: M and P stand for the operators mixed and plain, k and d for TilingKey and TilingData."""
    operators, kinds = {"M": "mixed", "P": "plain"}, {"k": ("Key", "tilingkey"), "d": ("Data", "tiling")}
    lines = [f'#include "{kinds[k][0]}_{operators[o]}_{kinds[k][1]}.h"\n' for o, k in names]
    return "".join(lines)


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_what_upstreams_tools_parse_is_what_upstream_writes(name: str, tmp_path: Path) -> None:
    """The preprocessor's output in the mode of CANN's tools, with the host's additions and without any."""
    text = render.headers_of(kernel(name), "Op").tiling_key[1]
    start, end = text.index("ASCENDC_TPL_ARGS_DECL("), text.index(");\n\n#if")
    widths = "".join(
        line + "\n" for line in text.splitlines() if line.startswith("#define ASCENDC_TPL_") and "_BW " in line
    )
    plain = f'#include "ascendc/host_api/tiling/template_argument.h"\n\n{widths}\n{text[start:end]});\n'
    if name == "mixed":
        assert plain == UPSTREAM_TILING_KEY
    (tmp_path / "generated.h").write_text(text)
    (tmp_path / "plain.h").write_text(plain)
    parsed = []
    for header in ("generated.h", "plain.h"):
        command = ["g++", "-E", "-P", "-DASCENDC_TPL_PRE", f"-I{cpp.STAND_INS}", "-xc++", str(tmp_path / header)]
        parsed.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert parsed[0] == parsed[1] and f"@@ARGS_DECL_{name}@@" in parsed[0]


@pytest.mark.parametrize("mode", ["-DASCENDC_TPL_KERNEL", "-DASCENDC_DEBUG", "-DHOST"])
@pytest.mark.parametrize("standard", ["-std=c++14", "-std=c++17", "-std=c++20"])
def test_modes_and_standards(mode: str, standard: str, place: Path) -> None:
    source = including("Mk", "Md", "Pd", "Pk") + "int main() { return sizeof(Data_mixed) != 32; }\n"
    cpp.run(place, source, mode, standard)


@pytest.mark.parametrize(
    "names",
    [["Md"], ["Mk"], ["Md", "Mk"], ["Mk", "Md", "Mk", "Md"], ["Md", "Pd", "Pk", "Mk"], ["Pk", "Mk", "Md", "Pd"]],
)
def test_any_order(names: list[str], place: Path) -> None:
    cpp.run(place, including(*names) + "int main() {}\n")


def test_two_operators_have_their_own_keys(place: Path) -> None:
    source = including("Mk", "Pk") + "#include <cstdio>\nint main(int argc, char**) {\n"
    source += 'std::printf("%d %d", (int)PYPTO_TILING_KEY(mixed, 1, 128), (int)PYPTO_TILING_KEY(plain, argc)); }\n'
    assert cpp.run(place, source) == "3 1"
    done = cpp.compile_only(place, including("Mk", "Pk") + "int main() { return GET_TPL_TILING_KEY(1) != 0; }\n")
    assert "write PYPTO_TILING_KEY(<kernel>, ...) instead of GET_TPL_TILING_KEY(...)" in done.stderr


def test_two_operators_register_their_tiling_data(place: Path) -> None:
    source = including("Md", "Pk", "Mk", "Pd")
    source += '#include "Data_mixed_registration.h"\n#include "Data_plain_registration.h"\n#include <cstdio>\n'
    source += 'int main() { for (auto name : {"Mixed", "Plain"}) '
    source += '{ std::printf("%zu ", optiling::Registry().at(name)()->GetDataSize()); } }\n'
    assert cpp.run(place, source) == "32 16 "


def test_one_class_name_for_two_operators_is_refused_with_both(tmp_path: Path) -> None:
    for name, other in (("mixed", "one"), ("plain", "two")):
        text = render.headers_of(kernel(name), "Op").tiling_data[1]
        (tmp_path / f"{other}.h").write_text(text.replace(f"Data_{name}", "Tiling"))
    done = cpp.compile_only(tmp_path, '#include "one.h"\n#include "two.h"\nint main() {}\n')
    assert (
        "the operators mixed and plain both have a TilingData called Tiling; rename one of the classes" in done.stderr
    )
    assert "redefinition" not in done.stderr


def test_the_same_operator_from_two_places_is_one(place: Path, tmp_path: Path) -> None:
    write(kernel("mixed"), tmp_path / "copy")
    source = including("Mk", "Md") + '#include "copy/Data_mixed_tiling.h"\n#include "copy/Key_mixed_tilingkey.h"\n'
    cpp.run(place, source + "int main() { return GET_TPL_TILING_KEY(0, 64) != 0; }\n")


@pytest.mark.parametrize("options", [["-std=c++14", "-O0"], ["-std=c++17", "-O2"], ["-std=c++20", "-O0"]])
@pytest.mark.parametrize("mode", ["-DHOST", "-DASCENDC_DEBUG"])
def test_arguments_of_all_kinds(options: list[str], mode: str, place: Path) -> None:
    printed = cpp.run(place, including("Mk") + KINDS_OF_ARGUMENTS, *options, mode, "-Wconversion", "-Wshadow")
    assert printed == "11114212111111100 2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "takes 2 values: tail, tile"),
        ("1", "takes 2 values: tail, tile"),
        ("n", "takes 2 values: tail, tile"),
        ("1, 64, 0", "takes 2 values: tail, tile"),
        ("7, 64", "tail has another value; allowed are 0, 1"),
        ("-1, 64", "tail has another value; allowed are 0, 1"),
        ("1, 65", "tile has another value; allowed are 64, 128, 256"),
        ("n, 65", "tile has another value; allowed are 64, 128, 256"),
        ("7, n", "tail has another value; allowed are 0, 1"),
        ("1, 256", "is_valid refuses these values of tail, tile together"),
        ("true, kTile", "is_valid refuses these values of tail, tile together"),
    ],
)
def test_wrong_constants_do_not_compile(arguments: str, message: str, place: Path) -> None:
    source = "constexpr int kTile = 256;\nint main(int n, char**) {\n"
    source += f"    const uint64_t key = GET_TPL_TILING_KEY({arguments});\n"
    source += "    return n + kTile + static_cast<int>(key);\n}\n"
    done = cpp.compile_only(place, including("Mk") + source, "-fsyntax-only")
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    assert len(errors) == 1 and f"GET_TPL_TILING_KEY of mixed{'' if 'takes' in message else ':'} {message}" in errors[0]


def test_wrong_values_at_run_time_are_logged_and_invalid(place: Path) -> None:
    source = """
#include <cstdio>
int main(int argc, char**) {
    const uint64_t keys[] = {GET_TPL_TILING_KEY(argc, 256 * argc), GET_TPL_TILING_KEY(argc + 6, 64),
        GET_TPL_TILING_KEY(-argc, 64)};
    for (uint64_t key : keys) {
        std::printf("%d ", key == INVALID_TILING_KEY);
    }
}
"""
    assert cpp.compile_only(place, including("Mk") + source).returncode == 0
    done = subprocess.run([place / "program"], capture_output=True, text=True, check=True)
    assert done.stdout == "1 1 1 "
    assert done.stderr.splitlines() == [
        "[ERROR] GET_TPL_TILING_KEY of mixed: is_valid refuses tail=1, tile=256",
        "[ERROR] GET_TPL_TILING_KEY of mixed: tail is 7; allowed are 0, 1",
        "[ERROR] GET_TPL_TILING_KEY of mixed: tail is 18446744073709551615; allowed are 0, 1",
    ]


def test_long_lists_of_values_are_shortened_in_messages(tmp_path: Path) -> None:
    assert render._listed(range(16)) == ", ".join(map(str, range(16)))
    assert render._listed(range(100)).endswith("14, 15, ... 100 values")
