# One case of the table is one line.
# ruff: noqa: E501
"""What is refused: by name, at its place, with the values, what is allowed and the fix; before anything is written."""

from __future__ import annotations

import re

import pytest

from tests.tools.twin_codegen.harness import Built, Case

HEAD = """
tt = pl.TileType(shape=[4, 64], dtype=pl.DT_FP16)
wide = pl.TileType(shape=[4, 128], dtype=pl.DT_FP16)
full = pl.TileType(shape=[4, 64], dtype=pl.DT_FP32)
whole = pl.TileType(shape=[4, 64], dtype=pl.DT_INT32)
a = pl.make_tile(tt, addr=0, size=512)
b = pl.make_tile(tt, addr=512, size=512)
w = pl.make_tile(wide, addr=1024, size=1024)
f = pl.make_tile(full, addr=2048, size=1024)
k = pl.make_tile(whole, addr=3072, size=1024)
g = pl.make_tile_group(type=tt, addrs=0x2000, mutex_ids=[0, 1])
gx = pl.make_tensor(x, [4, tiling.n], [tiling.n, 1], dtype=pl.DT_FP16)
fixed = pl.make_tensor(y, [4, 64], dtype=pl.DT_FP16)
with pl.section_vector():
"""
TILING = {"n": "int", "w": "float", "dims": "int[4]"}


def errors(tmp_path, statement: str, head: str = HEAD, module: str = "", **kwargs) -> tuple[list[str], Case]:
    """The errors of a statement in a vector section."""
    lines = "\n".join("    " + line for line in statement.strip().splitlines())
    case = Case(head + lines, **{"tiling": TILING, "params": ("x", "y"), "head": module, **kwargs})
    return Built(case, tmp_path).errors, case


def at(case: Case, text: str, error: str) -> bool:
    """Whether an error stands where `text` begins in the kernel, and shows the line with a caret below that place."""
    found = re.match(r"case\.py:(\d+):(\d+): error\[PYPTO-G\d{3}\]: .*; fix: \S.*", error)
    assert found, error
    line, col = case.text().split("\n")[int(found[1]) - 1], int(found[2])
    caret = "".join("\t" if char == "\t" else " " for char in line[: col - 1]) + "^"
    assert error[found.end() :].startswith(f"\n    {line}\n    {caret}"), error
    return line[col - 1 :].startswith(text)


# statement, where the error stands, code, words of the message
STATEMENTS = [
    # operations
    ("pl.matmul(a, b, b)", "pl.matmul", "G012", ["pl.matmul is not supported by the twin", "allowed", "pl.add"]),
    ("pl.duplicate(a, 2.0)", "pl.duplicate", "G012", ["is not a documented operation", "pl.expands(out, scalar)"]),
    ("pl.adds(a, b, b)", "b)", "G015", ["rhs of this form must be a number", "pl.add(out, lhs, rhs)"]),
    ("pl.maximun(a, b, b)", "pl.maximun", "G012", ["pl.maximun is not known", "fix: write pl.maximum"]),
    ("pl.system.sync_src(1)", "pl.system.sync_src", "G012", ["pl.system.sync_src is not supported by the twin"]),
    ("pl.sum(a, b, b, dim=0)", "pl.sum", "G012", ["pl.sum is not supported"]),
    ("pl.maximum(a, b, b, dim=0)", "0)", "G012", ["dim="]),
    # signatures
    ("pl.add(a, b)", "pl.add", "G014", ["lacks the argument rhs", "pl.add(out, lhs, rhs)"]),
    ("pl.add(a, b, b, b)", "pl.add", "G014", ["too many arguments", "4"]),
    ("pl.load(a, gx, offset=[0, 0])", "offset", "G014", ["no parameter offset", "fix: write offsets="]),
    ("pl.add(a, b, rhs=b, lhs=b)", "lhs", "G014", ["gets lhs twice"]),
    ("pl.add(*(a, b, b))", "*(a", "G014", ["* in a call"]),
    ("pl.load(a, gx, [0, 0], **{})", "{}", "G014", ["** in a call"]),
    # kinds of arguments
    ("pl.add(a, b, gx)", "gx)", "G015", ["rhs must be a tile or a number", "a tensor [4, ?]"]),
    ("pl.load(gx, a, [0, 0])", "gx, a", "G015", ["dst_tile must be a tile", "swap the arguments"]),
    ("pl.add(g, a, b)", "g, a", "G015", ["out must be a tile", ".next(), .current() or [i]"]),
    ("pl.load(a, x, [0, 0])", "x, [", "G015", ["src_tensor must be a tensor", "pl.make_tensor"]),
    ("pl.load(a, gx, 0)", "0)", "G015", ["offsets must be a list of integers"]),
    ("pl.load(a, gx, [0, tiling.n / 2])", "[0, t", "G015", ["offsets must hold integers", "//"]),
    ("c = a + b", "a + b", "G016", ["operators do not work on tiles", "pl.add(out, a, b)"]),
    # shapes, dtypes
    ("pl.add(a, b, w)", "w)", "G020", ["tiles must have one shape", "out is [4, 64], rhs is [4, 128]"]),
    ("pl.exp(w, a)", "a)", "G020", ["[4, 128]", "[4, 64]"]),
    ("pl.add(a, b, f)", "f)", "G021", ["one dtype", "out is pl.DT_FP16, rhs is pl.DT_FP32", "pl.cast"]),
    ("pl.exp(k, k)", "k, k", "G021", ["dtype is not supported", "pl.DT_INT32", "DT_FP16, DT_BF16, DT_FP32"]),
    ("pl.cast(a, b)", "b)", "G021", ["conversion is not supported", "pl.DT_FP16 to pl.DT_FP16"]),
    ("pl.cast(f, a, mode=pl.RoundMode.CAST_ODD)", "pl.RoundMode.CAST_ODD", "G015", ["CAST_ODD"]),
    ("pl.cast(f, a, mode=pl.RoundMode.CAST_UP)", "pl.RoundMode", "G013", ["has no attribute CAST_UP", "CAST_RINT"]),
    ("pl.load(f, gx, [0, 0])", "gx", "G021", ["tile and tensor must have one dtype", "pl.DT_FP32", "pl.DT_FP16"]),
    ("pl.add(k, k, 1.5)", "1.5", "G021", ["a float beside tiles of pl.DT_INT32"]),
    ("pl.add(k, k, tiling.w)", "tiling.w", "G021", ["a float beside tiles of pl.DT_INT32"]),
    ("pl.mul(a, b, 1e6)", "1e6", "G033", ["does not fit pl.DT_FP16", "1000000.0", "-65504 to 65504"]),
    ("pl.add(k, k, 1 << 40)", "1 << 40", "G033", ["1099511627776", "2147483647"]),
    ("t = pl.TileType(shape=[1, 8], dtype=pl.DT_INT4)", "pl.DT_INT4", "G021", ["pl.DT_INT4 is not supported by the twin"]),
    ("t = pl.TileType(shape=[1, 8], dtype=pl.DT_FP61)", "pl.DT_FP61", "G021", ["not a data type", "pl.DT_FP16"]),
    # tiles and memory
    ("t = pl.TileType(shape=[1, 20], dtype=pl.DT_FP16)", "[1, 20]", "G022", ["40 bytes", "multiple of 32", "32 columns"]),
    ("t = pl.TileType(shape=[1, 2, 3], dtype=pl.DT_FP16)", "[1, 2, 3]", "G024", ["one or two positive integers"]),
    ("t = pl.TileType(shape=[0, 16], dtype=pl.DT_FP16)", "[0, 16]", "G024", ["positive integers", "[0, 16]"]),
    ("t = pl.TileType(shape=[tiling.n, 16], dtype=pl.DT_FP16)", "[til", "G032", ["shape must be known at code generation"]),
    ("t = pl.TileType([1, 16], pl.DT_FP16, pl.MemorySpace.Mat)", "pl.MemorySpace.Mat", "G024", ["only Vec tiles"]),
    ("t = pl.TileType([1, 16], pl.DT_FP16, valid_shape=[1, 17])", "[1, 17]", "G024", ["valid_shape out of range"]),
    ("t = pl.TileType([1, 16], pl.DT_FP16, layout=pl.DN)", "pl.DN", "G024", ["row-major"]),
    ("t = pl.make_tile(tt, addr=16, size=512)", "16", "G022", ["not aligned", "0x10", "multiples of 32"]),
    ("t = pl.make_tile(tt, addr=0, size=511)", "511", "G023", ["too small", "512 or more"]),
    ("t = pl.make_tile(tt, addr=0x30000, size=512)", "0x30000", "G023", ["does not fit", "196608 bytes of Vec memory on ascend910b"]),
    ("t = pl.make_tile(tt)", "tt", "G014", ["addr is needed", "add addr="]),
    ("t = pl.make_tile_group(type=tt, addrs=196096, mutex_ids=[0, 1])", "196096", "G023", ["does not fit", "197120 bytes"]),
    ("t = pl.make_tile_group(type=tt, addrs=[0], mutex_ids=[0, 1])", "[0]", "G014", ["one address per tile", "1 for 2 tiles"]),
    ("t = pl.make_tile_group(type=tt, addrs=0)", "tt", "G014", ["the number of tiles is not given"]),
    ("t = pl.make_tile_group(type=tt, addrs=0, mutex_ids=[0, 32])", "[0, 32]", "G015", ["mutex ids out of range"]),
    ("pl.set_validshape(a, [5, 1])", "[5, 1]", "G025", ["valid rows out of range", "5", "1 to 4"]),
    ("pl.set_validshape(a, [1])", "[1]", "G025", ["shape must be [rows, cols]"]),
    ("t = g[2]", "2]", "G033", ["index of a tile group out of range", "0 to 1"]),
    ("t = g.following()", "g.following", "G013", ["no attribute following", "next, current, previous"]),
    ("pl.load(a, gx, [0])", "[0]", "G025", ["one number per tensor dimension", "1 for a tensor of 2"]),
    ("pl.load(a, fixed, [0, 64])", "[0, 64]", "G025", ["outside of the tensor", "64 on axis 1", "0 to 63"]),
    ("pl.load_tile(a, fixed, [1, 0])", "[1, 0]", "G025", ["4 on axis 0"]),
    ("pl.store(gx, a, [-1, 0])", "[-1, 0]", "G025", ["-1 on axis 0"]),
    ("pl.load(a, gx, [0, 0], order=[0, 2])", "[0, 2]", "G015", ["two axes of the tensor"]),
    ("pl.store(gx, a, [0, 0], order=[1, 0])", "[1, 0]", "G015", ["order must ascend", "[0, 1]"]),
    ("pl.store(gx, a, [0, 0], atomic=pl.AtomicType.AtomicAdd)", "pl.AtomicType", "G012", ["atomic= is not supported"]),
    # names and values
    ("t = tilling.n", "tilling", "G013", ["name tilling is not defined", "write tiling"]),
    ("t = tiling.m", "tiling.m", "G013", ["the TilingData has no attribute m", "n, w, dims"]),
    ("t = tiling.dims[4]", "4]", "G033", ["dims out of range", "0 to 3"]),
    ("t = tiling.dims[-1]", "-1]", "G033", ["found -1", "0 to 3"]),
    ("i = 3\nt = tiling.dims[i + 1]", "i + 1]", "G033", ["found 4", "0 to 3"]),
    ("t = tiling.dims[True]", "True]", "G016", ["an index must be an integer"]),
    ("t = 1 // (mode - mode)", "1 // ", "G034", ["division by zero", "1 and 0"]),
    ("t = tiling.n % 0", "tiling.n", "G034", ["division by zero"]),
    ("t = tiling.n + (1 << 64)", "1 << 64", "G033", ["does not fit", "int64"]),
    ("t = 3\n" + "t = t * t\n" * 40, "t * t", "G033", ["what * gives is too large", "4096 bits"]),
    ("t = 0x" + "f" * 2000, "0x", "G033", ["this number is too large"]),
    ("t = (1, 2)\n" + "t = t + t\n" * 40, "t + t", "G033", ["what + gives is too large", "4096 items"]),
    ("t = 2 ** 10 ** 9", "2 **", "G033", ["what ** gives is too large"]),
    ("t = 1 << 10 ** 9", "1 <<", "G033", ["what << gives is too large"]),
    ("t = range(10 ** 12)", "range(", "G016", ["range cannot be computed", "4096 items"]),
    ("t = round(5, -10 ** 9)", "round(", "G016", ["round cannot be computed"]),
    ("t = '%99999999d' % 3", "'%9", "G016", ["% does not format strings"]),
    ("t = {1: 2}.get()", "{1", "G014", ["lacks the argument key"]),
    ("t = tiling.n ** 2", "tiling.n", "G011", ["** needs two constants"]),
    ("t = tiling.w & 1", "tiling.w", "G016", ["& needs integers"]),
    ("t = pl.max(tiling.w, 0)", "pl.max", "G016", ["two integers or two floats", "0.0"]),
    ("t = int(tiling.w)", "int(", "G012", ["int works on constants only"]),
    ("t = abs(tiling.n)", "abs(", "G012", ["abs works on constants only", "max(x, -x)"]),
    ("t = tiling.n is 3", "tiling.n", "G011", ["'is' is not supported on run-time values"]),
    ("t = (1, 2)[tiling.n]", "tiling.n", "G032", ["index of a constant must be known"]),
    ("mode = 3", "mode", "G015", ["mode is a TilingKey field"]),
    ("t: pl.DT_INT32 = tiling.n", "pl.DT_INT32", "G021", ["annotation of a local is not supported"]),
    ("t = torch.ones(3)", "torch.ones", "G012", ["torch.ones cannot be called in a kernel"]),
    ("t = loaded", "loaded", "G013", ["loaded", "not known at generation"]),
    # statements and expressions
    ("try:\n    pass\nfinally:\n    pass", "try", "G010", ["try is not supported in a kernel"]),
    ("import os", "import os", "G010", ["import is not supported", "top of the file"]),
    ("def inner():\n    pass", "def inner", "G010", ["a function inside a function"]),
    ("t = [i for i in range(3)]", "[i for", "G011", ["a list comprehension"]),
    ("t = lambda v: v", "lambda", "G011", ["lambda is not supported"]),
    ("t = f'{mode}'", "f'", "G011", ["an f-string"]),
    ("t = (u := 3)", "u := 3", "G011", [":="]),
    ("g[0] = a", "g[0]", "G010", ["only names can be assigned", "an indexed item"]),
    ("a, b = 1, 2, 3", "a, b", "G010", ["3 values for 2 names"]),
    ("return 3", "return 3", "G041", ["a kernel returns nothing"]),
    ("for t in (1, 2):\n    pass", "(1, 2)", "G050", ["runs over pl.range"]),
    ("for t in pl.range(stop=3):\n    pass", "pl.range", "G050", ["one to three positional arguments"]),
    ("for t in pl.range(0, 3, 0):\n    pass", "pl.range", "G050", ["step of pl.range is 0"]),
    ("for t in pl.range(tiling.n / 2):\n    pass", "tiling.n / 2", "G050", ["needs integers", "divide with //"]),
    ("for t in pl.range(3):\n    pass\nelse:\n    pass", "pass", "G010", ["else of a for loop"]),
    ("while tiling.n:\n    break\nelse:\n    pass", "pass", "G010", ["else of a while loop"]),
    ("with pl.section_cube():\n    pass", "with pl.section_cube", "G042", ["section_cube is not supported by the twin yet"]),
    ("with pl.section_vector():\n    pass", "with pl.section_vector", "G042", ["sections cannot be nested"]),
    ("with open('x'):\n    pass", "with open", "G042", ["this with statement is not supported"]),
    ("pl.section_vector()", "pl.section_vector", "G042", ["only allowed in a with statement"]),
    ("pl.range(3)", "pl.range", "G050", ["only allowed in a for statement"]),
    ("pl.add", "pl.add", "G010", ["pl.add is named but not called"]),
    ("assert tiling.n > 3", "assert", "G010", ["assert on run-time values"]),
    ("assert mode == 1, 'mode one'", "assert", "G017", ["assertion failed: mode one"]),
    ("pl.printf('%s', tiling.n)", "tiling.n", "G015", ["%s is not supported"]),
    ("pl.printf('x', loc=True)", "True", "G012", ["loc=True of pl.printf is not supported"]),
    ("while tiling.n:\n    grouped()", "tt, addrs", "G042", ["a tile group made in a loop"]),
    ("pl.printf('%d')", "pl.printf", "G014", ["do not match"]),
    ("pl.printf('%d', tiling.w)", "tiling.w", "G016", ["%d prints int"]),
    # paths
    ("if tiling.n > 1:\n    t = 1\nu = t", "t", "G030", ["t may have no value here", "not on every path"]),
    ("for i in pl.range(tiling.n):\n    t = i\nu = t", "t", "G030", ["t may have no value here"]),
    ("for i in pl.range(tiling.n):\n    pass\nu = i", "i", "G030", ["i may have no value here"]),
    ("u = t\nt = 1", "t", "G030", ["t may have no value here", "assigned on line 52, further down"]),
    ("if mode == 1:\n    t = 1\nu = t", "t", "G030", ["assigned on line 52, which does not run in this variant"]),
    ("if mode == 1:\n    t = 1\nif tiling.n:\n    t = 2\nu = t", "t", "G030", ["on line 54, but not on every path"]),
    ("for i in pl.range(0):\n    v = 1\n    t = 1\nu = t", "t", "G030", ["on line 53, but not on every path"]),
    ("for i in pl.range(3):\n    if i > 0:\n        u = t\n    t = i", "t", "G030", ["t may have no value"]),
    ("if tiling.n > 1:\n    t = a\nelse:\n    t = w\npl.exp(t, t)", "t, t", "G031", ["t is a tile [4, 64]", "[4, 128]"]),
    ("if tiling.n > 1:\n    t = 1\nelse:\n    t = a\nu = t", "t", "G031", ["t is the constant 1 on one path and a tile"]),
    # functions
    ("t = again(3)", "again(v)", "G040", ["again calls itself", "recursion"]),
    ("t = early(tiling.n)", "return 1", "G041", ["return inside a loop or a run-time branch"]),
    ("t = plain(1)", "plain(1)", "G014", ["plain lacks the argument b", "plain(a, b)"]),
    ("t = plain(1, b=2, c=3)", "c=3", "G014", ["plain has no parameter c"]),
    ("t = star(1)", "star(1)", "G014", ["star takes *rest"]),
    ("t = fancy(1)", "fancy(1)", "G012", ["fancy is decorated with @cache", "@pl.inline"]),
    ("t = bad(tiling.n)", "pl.nothing", "G012", ["pl.nothing is not known"]),
]  # fmt: skip

MODULE = """
import torch
loaded = torch.load("x")
def again(v):
    return again(v)
def early(v):
    if v > 1:
        return 1
    return 2
def plain(a, b):
    return a + b
def star(*rest):
    return rest
def grouped():
    tt = pl.TileType(shape=[1, 16], dtype=pl.DT_FP16)
    pl.make_tile_group(tt, addrs=0, depth=2)
@cache
def fancy(v):
    return v
def bad(v):
    pl.nothing(v)
    return v
"""


@pytest.mark.parametrize(
    ("statement", "where", "code", "words"), STATEMENTS, ids=[row[0].split("\n")[0] for row in STATEMENTS]
)
def test_refused(tmp_path, statement, where, code, words):
    found, case = errors(tmp_path, statement, module=MODULE)
    assert len(found) == 1, found
    assert f"error[PYPTO-{code}]" in found[0], found[0]
    for word in words:
        assert word in found[0]
    assert at(case, where, found[0]), found[0]


def test_all_errors_of_a_kernel_in_one_run_without_followers(tmp_path):
    statement = """
t = pl.nope(1)
u = t + 1
pl.exp(t, u)
for i in pl.range(tiling.n):
    pl.add(a, b, w)
    v = undefined_name
    v = v + 1
pl.add(a, b, f)
"""
    found, _ = errors(tmp_path, statement)
    assert [re.search(r"G\d+", line)[0] for line in found] == ["G012", "G020", "G013", "G021"]


def test_outside_of_a_section(tmp_path):
    found, _ = errors(tmp_path, "pass", head=HEAD.replace("with pl.section_vector():", "pl.exp(a, b)\nif mode == 0:"))
    assert len(found) == 1 and "pl.exp is outside of any section" in found[0] and "G042" in found[0]


def test_the_first_failing_variant_is_named(tmp_path):
    found, _ = errors(tmp_path, "if mode == 2:\n    pass\nelse:\n    pl.add(a, b, w)", keys={"mode": [2, 5, 7]})
    assert len(found) == 1
    first = found[0].split("\n")[0]
    assert first.endswith("[variant mode=5 of case on ascend910b; fails in 2 of 3 variants]")


def test_a_dtype_column_is_named(tmp_path):
    body = """
        tt = pl.TileType(shape=[1, 64], dtype=t)
        a = pl.make_tile(tt, addr=0, size=512)
        with pl.section_vector():
            pl.exp(a, a)
    """
    built = Built(Case(body, params=("x",), datatype="t"), tmp_path, [{"t": "float"}, {"t": "int32"}])
    assert len(built.errors) == 1
    assert "pl.DT_INT32" in built.errors[0] and "variant mode=0, t=int32 of case on ascend910b" in built.errors[0]
    assert built.result.texts == {}


def test_branches_dead_in_every_variant_are_not_judged(tmp_path):
    statement = """
if mode == 1:
    pl.matmul(a, b, b)
    x = [i for i in range(3)]
t = 3 if mode == 0 else pl.nothing(1)
u = mode == 1 and undefined_name
while mode == 1:
    undefined_name
"""
    assert errors(tmp_path, statement)[0] == []


def test_errors_in_helper_modules_name_their_file(tmp_path):
    helpers = {"more.py": "import pypto_pro.language as pl\ndef use(t):\n    pl.transpose(t, t)\n"}
    found, _ = errors(tmp_path, "use(a)", module="from more import use\n", helpers=helpers)
    assert len(found) == 1
    assert found[0].startswith("more.py:3:5: error[PYPTO-G012]: pl.transpose is not supported by the twin")


def test_messages_have_one_form(tmp_path):
    found, case = errors(tmp_path, "pl.add(a, b, w)")
    line = len(case.text().splitlines())
    assert found == [
        f"case.py:{line}:22: error[PYPTO-G020]: pl.add: tiles must have one shape; found out is [4, 64], rhs is [4, 128]; "
        "allowed [4, 64]; fix: use one TileType for both, and pl.set_validshape for a smaller valid region "
        "[variant mode=0 of case on ascend910b]\n"
        "            pl.add(a, b, w)\n"
        "                         ^"
    ]


def test_columns_count_characters(tmp_path):
    found, case = errors(tmp_path, "名 = 1; pl.add(a, b, 未定)\nif mode == 0:\n\tpl.add(a, '算', 未)")
    assert [at(case, text, line) for text, line in zip(["未定", "未)"], found, strict=True)] == [True, True]
    assert "case.py:29:29: error[PYPTO-G013]: name 未定 is not defined" in found[0]
    assert found[1].endswith("\n            \tpl.add(a, '算', 未)\n            \t               ^")


def test_a_file_with_bom_and_crlf(tmp_path):
    built = Built(Case("t = '算', 未\n"), tmp_path)
    before, text = built.errors, (tmp_path / "case.py").read_text()
    (tmp_path / "case.py").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert built.again() == before
    assert built.errors[0].endswith("\n        t = '算', 未\n                 ^")


def test_calls_that_led_to_an_error_are_shown(tmp_path):
    module = "def inner(t):\n    pl.exp(t, 3)\ndef outer(t):\n    inner(t)\n"
    found, case = errors(tmp_path, "outer(a)\nouter(b)", module=module)
    assert len(found) == 1 and "called from case.py:6:5\n        inner(t)\n        ^\n" in found[0]
    line = case.text().split("outer(a)")[0].count("\n") + 1
    assert found[0].endswith(f"called from case.py:{line}:9\n            outer(a)\n            ^")
