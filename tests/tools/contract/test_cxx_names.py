"""Names that cannot be used in the generated C++, and names that can: as a compiler sees them."""

from __future__ import annotations

import re
import subprocess

import pytest

from pypto_rules.tools.contract import cxx_names

# What a host tiling source has before the generated class, by the names alone: the standard headers that the TPL header
# and the framework's headers include, and the TPL header's own types, constants, namespaces and macros.
PREAMBLE = """
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <vector>
struct ParamStruct { int kind; };
using TilingDeclareParams = std::vector<ParamStruct>;
using TilingSelectParams = std::vector<std::vector<ParamStruct>>;
static TilingDeclareParams g_tilingDeclareParams;
static TilingSelectParams g_tilingSelectParams;
constexpr uint8_t MAX_BITS_NUM = 64;
constexpr size_t VAL_PAIR = 2;
constexpr size_t VAL_START = 2;
constexpr uint64_t INVALID_TILING_KEY = 0XFFFFFFFFFFFFFFFF;
template <int id> struct TypeFromId { using type = void; };
namespace AscendC { inline int used() { return 0; } }
namespace ge { using graphStatus = uint32_t; }
namespace gert { class TilingContext; }
namespace optiling { inline int used() { return 0; } }
namespace platform_ascendc { class PlatformAscendC; }
namespace pto { inline int used() { return 0; } }
namespace ops { class OpDef; }
#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_MAX 12
#define END_TILING_DATA_DEF };
"""
_MACROS = """
ASCENDC_TPL_1_BW ASCENDC_TPL_MAX END_TILING_DATA_DEF linux unix errno EOF NULL EIO E2BIG INT64_MAX UINT8_MAX
SIZE_MAX INT_MAX CHAR_BIT FLT_MAX DBL_EPSILON M_PI NAN INFINITY HUGE_VAL RAND_MAX BUFSIZ SEEK_SET EXIT_FAILURE
CLOCK_REALTIME SCHED_FIFO MOD_OFFSET STA_MODE LC_ALL PATH_MAX BIG_ENDIAN
"""
_GLOBALS = """
ParamStruct TilingDeclareParams TilingSelectParams g_tilingDeclareParams g_tilingSelectParams TypeFromId
MAX_BITS_NUM VAL_PAIR VAL_START INVALID_TILING_KEY AscendC ge gert optiling platform_ascendc pto ops
"""
_FREE = """
total index size min max abs printf log y0 j1 class_ _k x1 M N E EPS SCHED_MODE MOD_SIZE STA_LEN CLOCK_RATE M_MAX
ParamStruct MAX_BITS_NUM VAL_PAIR AscendC optiling std_ DTYPE_X FORMAT_X INT8 FLT_LEN LOG2E TILE_MAX INT_MODE
BLOCK_M
"""
MACROS, GLOBALS, FREE = _MACROS.split(), _GLOBALS.split(), _FREE.split()


def compiled(lines: list[str], directory) -> dict[int, str]:
    """The compiler's first error in each of these lines, by number from 0."""
    source = directory / "names.cpp"
    source.write_text("#include <preamble.h>\n" + "\n".join(lines) + "\n")
    (directory / "preamble.h").write_text(PREAMBLE)
    command = ["g++", "-std=gnu++17", "-fsyntax-only", "-fmax-errors=0", "-isystem", str(directory), str(source)]
    messages = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    errors: dict[int, str] = {}
    for line, text in re.findall(r"names\.cpp:(\d+):\d+: error: (.*)", messages):
        errors.setdefault(int(line) - 2, text)
    return errors


def as_field(number: int, name: str) -> str:
    use = f"inline int64_t use_{number}(Tiling{number}* p) {{ return p->first + p->{name}; }}"
    return f"class Tiling{number} {{ public: int64_t first; int64_t {name}; }}; {use}"


def as_class(number: int, name: str) -> str:
    return f"class {name} {{ public: int64_t total; }}; inline int64_t use_{number}({name}* p) {{ return p->total; }}"


def test_macros_are_refused_and_break_a_field(tmp_path):
    errors = compiled([as_field(i, name) for i, name in enumerate(MACROS)], tmp_path)
    assert [name for i, name in enumerate(MACROS) if i not in errors] == []
    assert [name for name in MACROS if cxx_names.why_not(name) is None] == []


@pytest.mark.parametrize("name", GLOBALS)
def test_global_names_are_refused_for_classes(name):
    assert cxx_names.why_not_global(name) is not None


def test_global_names_break_a_class(tmp_path):
    errors = compiled([as_class(i, name) for i, name in enumerate(GLOBALS)], tmp_path)
    assert sorted(errors) == list(range(len(GLOBALS)))


def test_other_names_are_free_and_compile(tmp_path):
    assert [name for name in FREE if cxx_names.why_not(name) is not None] == []
    assert compiled([as_field(i, name) for i, name in enumerate(FREE)], tmp_path) == {}


def test_a_kernel_or_parameter_called_like_the_class_hides_it(tmp_path):
    lines = [
        "class Tiling { public: int64_t total; };",
        'extern "C" int64_t Tiling(uint8_t* x) { Tiling copy; return copy.total + *x; }',
        "class Data { public: int64_t total; };",
        "inline int64_t entry(uint8_t* Data) { Data copy; return copy.total; }",
    ]
    assert list(compiled(lines, tmp_path)) == [1, 3]


def test_every_macro_of_the_included_headers_is_refused(tmp_path):
    source = tmp_path / "macros.cpp"
    source.write_text("\n".join(line for line in PREAMBLE.split("\n") if line.startswith("#include")))
    command = ["g++", "-std=gnu++17", "-dM", "-E", str(source)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    macros = re.findall(r"^#define ([A-Za-z]\w*) ", text, re.MULTILINE)
    assert len(macros) > 300
    assert [name for name in macros if cxx_names.why_not(name) is None] == []


@pytest.mark.parametrize("name", ["new", "a__b", "_Mode", "linux", "ParamStruct", "模式", "__", "EOF"])
def test_a_better_name_is_free(name):
    assert cxx_names.why_not_global(cxx_names.better(name)) is None
