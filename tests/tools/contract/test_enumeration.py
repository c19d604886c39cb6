"""Large TilingKeys through the whole tool: fast where the source tells, bounded in memory and time elsewhere."""

from __future__ import annotations

import json
import resource
import time

import pytest

from pypto_rules.tools.contract import apart, combinations, isolation, load, manifest, progress
from tests.tools.contract.support import check_text, codes, kernel_text, line_of, run_tool

DIMS = "[0, 16, 32, 48, 64, 80, 96, 128, 160, 192, 256, 768]"
# The public FlashAttention schema: 87,091,200 raw combinations, two of them valid.
ATTENTION = f"""
    KernelTypeKey = TilingKeyField(bits=2, values=[0, 1])
    ImplMode = TilingKeyField(bits=2, values=[0, 1, 2])
    Layout = TilingKeyField(bits=4, values=[0, 1, 2, 3, 4])
    S1TemplateType = TilingKeyField(bits=10, values=[0, 16, 64, 128, 256])
    S2TemplateType = TilingKeyField(bits=10, values=[0, 16, 32, 64, 128, 256, 512])
    DTemplateType = TilingKeyField(bits=12, values={DIMS})
    DvTemplateType = TilingKeyField(bits=12, values={DIMS})
    PseMode = TilingKeyField(bits=4, values=[0, 1, 2, 3, 4, 9])
    HasAtten = TilingKeyField(bits=1, values=[0, 1])
    HasDrop = TilingKeyField(bits=1, values=[0, 1])
    HasRope = TilingKeyField(bits=1, values=[0, 1])
    OutDtype = TilingKeyField(bits=2, values=[0, 1, 2])
    Regbase = TilingKeyField(bits=1, values=[0, 1])
    OptionalDn = TilingKeyField(bits=1, values=[0, 1])
"""
UNPACKED = "(kind, impl, layout, s1, s2, d, dv, pse, atten, drop, rope, out, reg, dn) = key\n"
WANTED = "WANTED = (0, 0, 1, 128, 128, 128, 128, 9, None, 0, 0, 0, 1, 0)\n"
BITS = "".join(f"    b{i} = TilingKeyField(bits=1, values=[0, 1])\n" for i in range(64))

# Bodies of is_valid, and what they need in the module.
STYLES = {
    "a conjunction": (
        UNPACKED + "return kind == 0 and impl == 0 and layout == 1 and s1 == s2 == d == dv == 128 and pse == 9 and "
        "drop == rope == out == dn == 0 and reg == 1", ""),
    "a sum first": (
        UNPACKED + "total = kind + impl + layout + s1 + s2 + d + dv + pse + drop + rope + out + reg + dn\n"
        "return total > 10 and kind == 0 and impl == 0 and layout == 1 and s1 == s2 == d == dv == 128 and pse == 9 and "
        "drop == rope == out == dn == 0 and reg == 1", ""),
    "the sum of the key": (
        "if sum(key) not in (523, 524):\n    return False\n"
        "return all(w is None or w == x for w, x in zip(WANTED, key))", WANTED),
    "a loop over all fields": (
        "good = True\nfor wanted, x in zip(WANTED, key):\n    if wanted is not None and wanted != x:\n"
        "        good = False\nreturn good", WANTED),
    "sorted first": ("order = sorted(key)\nreturn order[-1] == 128 and "
                     "all(w is None or w == x for w, x in zip(WANTED, key))", WANTED),
    "tables first": (
        UNPACKED + "tiles = TILES[s1], TILES.get(s2, 0)\nname = NAMES[layout]\n"
        "return tiles == (3, 3) and name == 'BSND' and (kind, impl, pse, out) == (0, 0, 9, 0) and d in {128} and "
        "dv in [128] and not (drop or rope or dn) and reg == 1",
        "TILES = {0: 0, 16: 1, 64: 2, 128: 3, 256: 4}\nNAMES = ['NONE', 'BSND', 'BNSD', 'SBH', 'TND']\n"),
    "a set of keys": ("return key in ALLOWED",
                      "ALLOWED = {(0, 0, 1, 128, 128, 128, 128, 9, i, 0, 0, 0, 1, 0) for i in (0, 1)}\n"),
    "a mask": (
        UNPACKED + "mask = kind << 3 | drop << 2 | rope << 1 | dn\nrest = [out, 1 - reg, impl, layout - 1]\n"
        "return mask == 0 and not any(rest) and s1 * 2 == 256 and s2 // 2 == 64 and d + dv == 256 and d == dv "
        "and pse > 4", ""),
    "helpers": (
        UNPACKED + "return Tile.fits(s1, s2) and Tile.fits(d, dv=dv) and off(kind, impl, drop, rope, out, dn) and "
        "pse == 9 and reg == layout == Tile.ONE",
        "def off(*flags):\n    count = 0\n    for flag in flags:\n        count += flag != 0\n    return count == 0\n"
        "class Tile:\n    ONE = 1\n    @staticmethod\n    def fits(d, dv):\n        return (d, dv) == (128, 128)\n"),
    "a pattern": ("match key:\n    case (0, 0, 1, 128, 128, 128, 128, 9, _, 0, 0, 0, 1, 0):\n"
                  "        return True\nreturn False", ""),
    "slices": ("head, tiles = key[:3], key[3:7]\n*_, reg, dn = key\nreturn max(tiles) == min(tiles) == 128 and "
               "list(head) == [0, 0, 1] and key[7] == 9 and not sum(key[9:12]) and reg == 1 and dn == 0", ""),
    "a count": ("return sum(1 for w, x in zip(WANTED, key) if w == x) == 13", WANTED),
    "a while loop": ("i, good = 0, True\nwhile i < len(key):\n    if WANTED[i] is not None and key[i] != WANTED[i]:\n"
                     "        good = False\n    i += 1\nreturn good", WANTED),
    "errors collected": ("bad = []\nfor i in range(14):\n    if WANTED[i] is not None and WANTED[i] != key[i]:\n"
                         "        bad.append(i)\nreturn len(bad) == 0", WANTED),
    "functions inside": (
        UNPACKED + "def off(*flags):\n    return all(x == 0 for x in flags)\ntile = lambda *xs: set(xs) == {128}\n"
        "total = sum(key)\nreturn total > 9 and off(kind, impl, drop, rope, out, dn) and tile(s1, s2, d, dv) and "
        "pse == 9 and layout == reg == 1", ""),
    "a list of rules": (
        "bad = sum(not rule(key) for rule in RULES)\nreturn bad == 0",
        "def tiles(k): return k[3] == k[4] == k[5] == k[6] == 128\n"
        "RULES = [lambda k: k[0] == k[1] == 0,\n    lambda k: k[2] == 1, tiles,\n"
        "    lambda k: k[7] == 9 and not any(k[9:12]),\n    lambda k: k[12] and not k[13]]\n"),
    "a packed number": (
        UNPACKED + "packed = kind | impl << 1 | layout << 3 | s1 << 6 | s2 << 16 | d << 26 | dv << 36 | pse << 46 | "
        "drop << 50 | rope << 51 | out << 52 | reg << 54 | dn << 55\n"
        "return packed == 1 << 3 | 128 << 6 | 128 << 16 | 128 << 26 | 128 << 36 | 9 << 46 | 1 << 54", ""),
    "names": ("got = dict(zip(NAMES, key))\nreturn all(got[name] == x for name, x in RIGHT.items())",
              WANTED + "NAMES = 'abcdefghijklmn'\nRIGHT = {n: w for n, w in zip(NAMES, WANTED) if w is not None}\n"),
}  # fmt: skip


def schema(fields: str, body: str = "", head: str = "") -> str:
    """A kernel whose TilingKey has these fields and this body of is_valid."""
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    method = f"\n    def is_valid(self, key):\n{lines}" if body else ""
    return kernel_text(key=f"\n{head}\nclass OpKey:\n{fields}{method}")


@pytest.mark.parametrize("style", STYLES)
def test_attention_in_every_style(style, tmp_path):
    body, head = STYLES[style]
    start = time.process_time()
    result = check_text(tmp_path, schema(ATTENTION, body, head))
    assert time.process_time() - start < 2
    key = result.kernel.tiling_key
    assert key.total_combos == 87_091_200
    expected = [(0, 0, 1, 128, 128, 128, 128, 9, atten, 0, 0, 0, 1, 0) for atten in (0, 1)]
    assert [valid.combo for valid in key.valid] == expected


@pytest.mark.parametrize(
    ("body", "valid"),
    [
        ("return sum(key) == 1", 64),
        ("n = 0\nfor bit in key:\n    n = n * 2 + bit\nreturn n < 100", 100),
        ("return not any(key[2:])", 4),
    ],
)
def test_64_bits(body, valid, tmp_path):
    start = time.process_time()
    assert len(check_text(tmp_path, schema(BITS, body)).kernel.tiling_key.valid) == valid
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("fields", "body", "code", "says"),
    [
        ("    mode = TilingKeyField(bits=40, values=list(range(10**6)))\n", "", "E220", "has 1000000 values"),
        (BITS, "return sum(key) % 7 == 3", "E215", "more than 4096 combinations that is_valid accepts"),
        (BITS, "return hash(key) % 1000003 == 3", "E215", "more combinations than can be looked at"),
    ],
)
def test_what_cannot_be_enumerated_ends_soon_and_small(fields, body, code, says, tmp_path):
    path = tmp_path / "op.py"
    path.write_text(schema(fields, body), encoding="utf-8")
    found = run_tool("check", "op.py", cwd=tmp_path)
    assert found.returncode == 1 and f"error[PYPTO-{code}]" in found.stderr and says in found.stderr
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 100 << 10  # KiB, the largest so far


@pytest.mark.parametrize(
    ("fields", "body", "code", "says"),
    [
        ("    mode = TilingKeyField(bits=40, values=range(2**40))\n", "", "E220", "has 1099511627776 values"),
        ("    mode = TilingKeyField(bits=40, values=range(2**70))\n", "", "E220", "has 1180591620717411303424 values"),
        ("    mode = TilingKeyField(bits=40, values=__import__('itertools').count())\n", "", "E206", "count(0)"),
        ("    mode = TilingKeyField(bits=40, values=iter(int, 1))\n", "", "E206", "callable_iterator"),
        (BITS, "", "E215", "18446744073709551616 combinations"),
        (BITS, "return self.is_valid(key)", "E213", "RecursionError"),
    ],
)
def test_what_is_without_end_is_told_at_once(fields, body, code, says, tmp_path):
    result = check_text(tmp_path, schema(fields, body))
    assert codes(result) == [code] and says in result.problems[0].message


def test_a_hundred_thousand_keys_need_little_memory(tmp_path):
    fields = "".join(f"    a{i} = TilingKeyField(bits=4, values=range(10))\n" for i in range(5))
    fields += "".join(f"    b{i} = TilingKeyField(bits=2, values=range(3))\n" for i in range(9))
    (tmp_path / "op.py").write_text(schema(fields, "return sum(key[5:]) == 0"), encoding="utf-8")
    arguments = ("emit", "--kernel", "op.py", "--out", "kernel.json", "--max-variants", "100000")
    assert run_tool(*arguments, cwd=tmp_path).returncode == 0
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 100 << 10
    with (tmp_path / "kernel.json").open(encoding="utf-8") as file:
        assert sum('"packed"' in line for line in file) == 100_000


def test_kernel_json_is_that_of_dumps(tmp_path):
    kernel = check_text(tmp_path, schema(ATTENTION, *STYLES["a pattern"])).kernel
    text = manifest.dumps(manifest.to_json(kernel))
    assert "".join(manifest.lines(kernel)) == text
    printed = run_tool("check", "--json", "op.py", cwd=tmp_path).stdout
    assert json.loads(printed) == {"ok": True, "kernel": json.loads(text), "errors": []}
    assert printed == manifest.dumps(json.loads(printed))


def test_a_long_walk_tells_how_far_it_is(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(progress, "_SECONDS", 0.0)
    text = schema("".join(f"    a{i} = TilingKeyField(bits=4, values=range(10))\n" for i in range(5)),
                  "return type(key) is tuple and sum(key) == 45")  # fmt: skip
    assert len(check_text(tmp_path, text).kernel.tiling_key.valid) == 1
    lines = capfd.readouterr().err.splitlines()
    start = "op.py: is_valid of TilingKey 'OpKey': looked at"
    assert f"{start} 512 of 100,000 combinations, 0 valid so far" in lines
    assert lines[-1] == f"{start} 100,000 of 100,000 combinations, 1 valid so far"


def test_nothing_is_told_of_a_short_walk(tmp_path, capfd):
    check_text(tmp_path, schema(ATTENTION, *STYLES["a sum first"]))
    assert capfd.readouterr().err == ""


def test_a_walk_that_goes_on_is_not_taken_for_an_endless_loop(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "_SECONDS", 0.1)
    path = tmp_path / "op.py"
    fields = "".join(f"    a{i} = TilingKeyField(bits=4, values=range(14))\n" for i in range(4))
    body = "if not any(key[1:]):\n    end = time.process_time() + 0.1\n    while time.process_time() < end: pass\n"
    body += "return type(key) and not sum(key)"
    path.write_text(schema(fields, body, "import time"), encoding="utf-8")
    request = load.Request(path, "op.py")
    limits = isolation.Limits(cpu=1, clock=30, memory=2 << 30)
    assert apart.report(request, 4096, strict=True, limits=limits).summary.endswith("1 TilingKey")
    limits = isolation.Limits(cpu=1, clock=30, memory=2 << 30, most=1)
    (problem,) = apart.report(request, 4096, strict=True, limits=limits).problems
    assert problem["code"] == "PYPTO-E009" and "is_valid" in problem["message"]


def test_an_endless_loop_in_is_valid_is_a_problem(tmp_path):
    path = tmp_path / "op.py"
    path.write_text(schema("    mode = TilingKeyField(bits=1, values=[0, 1])\n", "while True: pass"), encoding="utf-8")
    limits = isolation.Limits(cpu=1, clock=30, memory=2 << 30)
    (problem,) = apart.report(load.Request(path, "op.py"), 4096, strict=True, limits=limits).problems
    assert problem["code"] == "PYPTO-E009"


def test_the_line_that_raises_is_found_in_a_large_schema(tmp_path):
    text = schema(ATTENTION, UNPACKED + "assert layout != 3\nreturn s1 == 128 and layout == 1")
    result = check_text(tmp_path, text)
    assert codes(result) == ["E213"] and result.problems[0].line == line_of(text, "assert layout")


def test_the_walk_stops_when_counting_is_hopeless():
    values = [tuple(range(10))] * 9
    outcome = combinations.valid_combinations(values, lambda key: type(key[0]) is int, 4096)
    assert (outcome.combos, outcome.exact) == (None, False)
    assert 4096 < outcome.count < 10**5
