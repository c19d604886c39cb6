"""Scalar arithmetic and control flow: compiled results against Python's own."""

from __future__ import annotations

import random
import textwrap
from types import SimpleNamespace

import numpy as np
import pytest

from tests.tools.twin_codegen.harness import Built, Case, scalar_case, scalars

PAIR = {"a": "int", "b": "int"}
PL = SimpleNamespace(range=range, min=min, max=max)


def python(setup: str, expressions: list[str], values: dict[str, int], **names: object) -> list[int]:
    """What Python computes."""
    scope = {"pl": PL, "tiling": SimpleNamespace(**values), "mode": 0, **names}
    exec(textwrap.dedent(setup), scope)
    return [int(eval(expression, scope)) for expression in expressions]


def check(tmp_path, setup: str, expressions: list[str], values: dict[str, int], **kwargs) -> None:
    """Compiled and Python results are equal."""
    kwargs.setdefault("tiling", PAIR)
    assert scalars(tmp_path, expressions, values, setup, **kwargs) == python(setup, expressions, values)


@pytest.mark.parametrize(("a", "b"), [(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (-6, 3)])
def test_division_rounds_to_minus_infinity(tmp_path, a, b):
    check(
        tmp_path,
        "",
        ["tiling.a // tiling.b", "tiling.a % tiling.b", "tiling.a // 4", "tiling.a % -4"],
        {"a": a, "b": b},
    )


@pytest.mark.parametrize("a", [5, 0, -3])
def test_operators(tmp_path, a):
    expressions = [
        "tiling.a + tiling.b * 2 - 1", "-tiling.a", "+tiling.a", "~tiling.a", "tiling.a << 3", "tiling.a >> 1",
        "tiling.a & 6", "tiling.a | 9", "tiling.a ^ tiling.b", "(tiling.a & 3) | tiling.b ^ 1",
        "3 - tiling.a - tiling.b",
        "3 - (tiling.a - tiling.b)", "2 ** 10", "pl.min(tiling.a, tiling.b)", "max(tiling.a, 2)",
        "min(tiling.a, 2, tiling.b)",
        "(tiling.a > 0) + (tiling.b > 0)", "-(-tiling.a)", "tiling.a * (tiling.b + 1)", "abs(-3) + len((1, 2))",
        "7 // 2 * 2",
    ]  # fmt: skip
    check(tmp_path, "", expressions, {"a": a, "b": 4})


@pytest.mark.parametrize("a", [-1, 0, 4, 9])
def test_conditions(tmp_path, a):
    expressions = [
        "1 if tiling.a < tiling.b else 2", "1 if 0 <= tiling.a < tiling.b < 8 else 2", "tiling.a and tiling.b",
        "tiling.a or tiling.b", "1 if not tiling.a else 3",
        "1 if tiling.a > 0 and tiling.b > 0 or tiling.a == -1 else 2",
        "1 if tiling.a in (4, 9) else 2", "1 if tiling.a not in (tiling.b, 9) else 2", "1 if tiling.a else 2",
        "5 if tiling.a == 0 and mode == 1 else 6", "5 if tiling.a == 0 or mode == 0 else 6",
        "(1 if tiling.a > 3 else 2) + 1", "1 if tiling.a != tiling.b and (tiling.a < 1 or tiling.a > 5) else 0",
        "1 if tiling.a != 0 and 12 // tiling.a > 1 else 0", "1 if (tiling.a > 1) == (tiling.b > 1) else 0",
        "1 if (tiling.a > 1) & (tiling.b > 1) | (tiling.a == 0) else 0", "(tiling.a and 3) or tiling.b",
    ]  # fmt: skip
    check(tmp_path, "", expressions, {"a": a, "b": 4})


PROGRAMS = {
    "range_forms": """
        s = 0
        for i in pl.range(tiling.a):
            s += i
        for i in pl.range(2, tiling.a):
            s = s * 3 + i
        for i in range(tiling.a, -tiling.b, -2):
            s = s + i * 7
        for i in pl.range(5):
            s -= i
    """,
    "runtime_step": """
        s = 0
        step = tiling.b - 4
        for i in pl.range(10, 0, step):
            s = s * 2 + i
    """,
    "nested_break_continue": """
        s = 0
        for i in pl.range(tiling.a):
            if i == 2:
                continue
            for j in pl.range(tiling.a):
                if j > i:
                    break
                if j % 2 == 1:
                    continue
                s += i * 10 + j
            s += 1
    """,
    "while_loop": """
        s = tiling.a
        n = 0
        while s != 1 and n < 50:
            if s % 2 == 0:
                s = s // 2
            else:
                s = 3 * s + 1
            n += 1
        s = n
    """,
    "while_true": """
        s = 0
        while True:
            s += tiling.a + 1
            if s > 30:
                break
    """,
    "loop_variable_outlives": """
        i = 99
        for i in pl.range(tiling.a):
            pass
        s = i
    """,
    "loop_variable_after_constant_loop": """
        for i in pl.range(3):
            t = i * 2
        s = i * 10 + t
    """,
    "loop_variable_changed_inside": """
        s = 0
        for i in pl.range(tiling.a):
            i = i * 2
            s += i
    """,
    "swap_and_tuples": """
        p, q = 1, tiling.a
        for i in pl.range(4):
            p, q = q, p + q
        pair = (p, q)
        x, y = pair
        s = x * 100 + y + pair[1]
    """,
    "constant_changed_in_branch": """
        k = 4
        if tiling.a > 3:
            k = 8
        s = k * 2
        if tiling.a > 100:
            k = 1
        else:
            k = 1
        s += k
    """,
    "elif_chain": """
        if tiling.a == 1:
            s = 10
        elif tiling.a == 6:
            s = tiling.b
        elif tiling.a == 7:
            s = 30
        else:
            s = 40
    """,
    "branches_in_loop_carry": """
        s = 0
        flag = False
        last = 5
        for i in pl.range(tiling.a):
            if flag:
                s += last
            flag = i % 2 == 0
            last = i
        if flag:
            s += 1000
    """,
    "zero_trip": """
        s = 3
        for i in pl.range(tiling.b, 0):
            s = 77
        for i in pl.range(0):
            s = 78
        while False:
            s = 79
    """,
    "copies_are_values": """
        s = tiling.a
        t = s
        s = s + 1
        u = s
        for i in pl.range(3):
            s += t
        s = s * 100 + t * 10 + u
    """,
    "return_early": """
        s = 1
        for i in pl.range(3):
            s = s + i
    """,
    "shadowed_names": """
        block = 1
        tiling_ = 2
        register = tiling.a
        int64_t = tiling.b + 2
        uint8_t = int64_t + 1
        EOF = register + block
        s = block + register * 10 + int64_t + EOF + tiling_ + uint8_t
    """,
    "annotated": """
        off: int = tiling.a * 2
        s: int = off + 1
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("a", [0, 6])
def test_programs(tmp_path, name, a):
    check(tmp_path, PROGRAMS[name], ["s"], {"a": a, "b": 1})


def test_arrays_bools_and_floats_of_tiling_data(tmp_path):
    setup = """
        s = 0
        for i in pl.range(4):
            s = s * 10 + tiling.dims[i]
        if tiling.on:
            s += 100000
        if tiling.flags[tiling.dims[0]]:
            s += 200000
        if tiling.scale[1] * 2.0 > 4.9:
            s += 400000
    """
    tiling = {"on": "bool", "dims": "int[4]", "scale": "float[2]", "flags": "bool[3]"}
    values = {"on": True, "dims": [1, 2, 3, 4], "scale": [1.0, 2.5], "flags": [False, True, False]}
    assert scalars(tmp_path, ["s", "tiling.dims[3]"], values, setup, tiling=tiling) == [701234, 4]


def test_run_time_index_is_checked(tmp_path):
    case = scalar_case(["tiling.dims[tiling.i]"], tiling={"dims": "int[4]", "i": "int"})
    built = Built(case, tmp_path)
    z = np.zeros(64, np.int64)
    built.ok([z], {"dims": [5, 6, 7, 8], "i": 3})
    assert z[0] == 8
    result, message, site = built.run([z], {"dims": [5, 6, 7, 8], "i": 4})
    entry = built.result.source_map["sources"]["case-nodtype-mode0-vector.cpp"][site]
    assert result == 1 and "4" in message and entry["op"] == "tiling.dims[]"
    assert entry["file"].endswith("case.py") and "tiling.dims[tiling.i]" in case.text().splitlines()[entry["line"] - 1]


@pytest.mark.parametrize(("expression", "op"), [("1 // tiling.n", "//"), ("1 % tiling.n", "%"),
                                                ("9223372036854775807 + (1 - tiling.n)", "+")])  # fmt: skip
def test_what_python_would_refuse_is_an_error_at_run_time(tmp_path, expression, op):
    built = Built(scalar_case([expression]), tmp_path)
    result, _, site = built.run([np.zeros(64, np.int64)], {"n": 0})
    assert result == 1
    assert built.result.source_map["sources"]["case-nodtype-mode0-vector.cpp"][site]["op"] == op


HELPERS = """
def ceil_div(a, b):
    return (a + b - 1) // b

def scale(a, factor=2, *, offset=1):
    "Doc."
    total = a * factor
    for i in pl.range(2):
        total += offset
    return total

def pick(flag, a, b):
    if flag == 1:
        return a
    return b

def total(n):
    s = 0
    for i in pl.range(n):
        s += ceil_div(i, 2)
    return s
"""


def test_helper_functions(tmp_path):
    expressions = [
        "ceil_div(tiling.a, 4)", "scale(tiling.a)", "scale(tiling.a, 3, offset=tiling.b)",
        "scale(a=2, factor=tiling.b)",
        "pick(mode, tiling.a, tiling.b)", "pick(1, tiling.a, tiling.b)", "total(tiling.a)",
        "1 if tiling.b > 0 and total(tiling.b) > 100 else 2", "scale(ceil_div(tiling.a, 2)) + total(3)",
    ]  # fmt: skip
    values = {"a": 9, "b": 4}
    assert scalars(tmp_path, expressions, values, head=HELPERS, tiling=PAIR) == python(HELPERS, expressions, values)


def test_helper_in_a_while_condition_is_evaluated_each_time(tmp_path):
    setup = """
        s = 0
        while total(s) < tiling.a:
            s += 1
    """
    assert scalars(tmp_path, ["s"], {"a": 9, "b": 0}, setup, head=HELPERS, tiling=PAIR) == [6]


def test_modules_and_constants(tmp_path):
    helpers = {
        "my_consts.py": """
            BASE = 3
            TABLE = (BASE * 2, BASE << 3)
            SIZES = {"small": 4, "large": TABLE[1]}
            class Cfg:
                ROWS = 5
                COLS = ROWS * 2
        """,
        "more.py": """
            import my_consts as consts
            from my_consts import BASE
            def area(scale): return consts.Cfg.ROWS * consts.Cfg.COLS * scale + BASE
        """,
    }
    head = "import math\nimport my_consts\nfrom my_consts import TABLE, Cfg as C\nfrom more import area\n"
    head += "LOCAL = TABLE[1] + 1\n"
    expressions = ["my_consts.BASE", "TABLE[0]", "C.COLS", "area(tiling.n)", "LOCAL", "my_consts.SIZES['large']",
                   "math.ceil(2.5)", "TABLE[mode]"]  # fmt: skip
    assert scalars(tmp_path, expressions, {"n": 2}, head=head, helpers=helpers) == [3, 6, 10, 103, 25, 24, 3, 6]


def test_a_wider_type_is_found_by_lowering_again(tmp_path):
    setup = """
        f = 1
        for i in pl.range(3):
            f = f * tiling.w
        g = 0
        if tiling.w > 1.0:
            g = tiling.w * 2.0
        t = True
        for i in pl.range(2):
            t = t + i
    """
    expressions = ["1 if f == 3.375 else 0", "1 if g == 3.0 else 0", "t"]
    assert scalars(tmp_path, expressions, {"w": 1.5}, setup, tiling={"w": "float"}) == [1, 1, 2]


def test_floats_are_fp32(tmp_path):
    expressions = [
        "1 if tiling.w * 0.1 == tiling.v else 0", "1 if tiling.n / 4 == 2.5 else 0", "1 if 7 / 2 == 3.5 else 0",
        "1 if tiling.w // 2.0 == 1.0 else 0", "1 if -tiling.w < 0.0 else 0", "1 if tiling.n * 0.5 == 5.0 else 0",
        "1 if pl.max(tiling.w, 4.0) == 4.0 else 0", "1 if pl.const(0.1, pl.DT_FP16) * 8 == 0.7998046875 else 0",
        "1 if 1 - 0.5 == tiling.w % 1.0 + 0.5 else 0",
    ]  # fmt: skip
    values = {"w": 3.0, "v": np.float32(3.0) * np.float32(0.1), "n": 10}
    assert scalars(tmp_path, expressions, values, tiling={"w": "float", "v": "float", "n": "int"}) == [1] * len(
        expressions
    )


# -- random programs ------------------------------------------------------------------------------------------------


def expression(rng: random.Random, names: list[str], depth: int) -> str:
    """A random integer expression."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*names, str(rng.randint(-9, 9)), "tiling.a", "tiling.b"])
    left, right = (expression(rng, names, depth - 1) for _ in range(2))
    kind = rng.randrange(9)
    if kind < 4:
        return f"({left} {rng.choice(['+', '-', '*'])} {right}) % 1009"
    if kind == 4:
        return f"({left} {rng.choice(['//', '%'])} (abs({rng.randint(1, 9)}) + 1))"
    if kind == 5:
        return f"(-{left} {rng.choice(['&', '|', '^'])} {right})"
    if kind == 6:
        return f"({left} if {condition(rng, names, depth - 1)} else {right})"
    if kind == 7:
        return f"{rng.choice(['min', 'max', 'pl.min', 'pl.max'])}({left}, {right})"
    return f"({left} {rng.choice(['and', 'or'])} {right})"


def condition(rng: random.Random, names: list[str], depth: int) -> str:
    """A random condition."""
    left, right, third = (expression(rng, names, max(depth - 1, 0)) for _ in range(3))
    one = f"{left} {rng.choice(['<', '<=', '==', '!=', '>', '>='])} {right}"
    return rng.choice([one, f"not {one}", f"{one} and {third} > 0", f"{one} or {third}", f"{left} < {right} <= {third}",
                       f"{left} in ({right}, 3)"])  # fmt: skip


def program(rng: random.Random, names: list[str], depth: int, loop: int) -> list[str]:
    """Random statements over `names`, which all have values."""
    lines: list[str] = []
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(8)
        name = rng.choice(names[:5])
        if depth == 0 or kind < 3:
            lines.append(f"{name} = {expression(rng, names, 2)}")
        elif kind == 3:
            lines.append(f"{name} += {expression(rng, names, 1)} % 97")
        elif kind < 6:
            lines.append(f"if {condition(rng, names, 1)}:")
            lines += ["    " + line for line in program(rng, names, depth - 1, loop)]
            if rng.random() < 0.6:
                lines.append("else:")
                lines += ["    " + line for line in program(rng, names, depth - 1, loop)]
        else:
            index = f"i{depth}"
            bounds = rng.choice(["3", "tiling.a % 4", "4, 0, -1", f"{rng.randint(0, 2)}, tiling.b % 5"])
            lines.append(f"for {index} in pl.range({bounds}):")
            lines += ["    " + line for line in program(rng, [*names, index], depth - 1, loop + 1)]
            if rng.random() < 0.4:
                lines.append(f"    if {condition(rng, names, 1)}:")
                lines.append(f"        {rng.choice(['break', 'continue'])}")
                lines.append(f"    {name} = {name} + 1")
    return lines


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(tmp_path, seed):
    rng = random.Random(seed)
    names = ["p", "q", "r", "s", "t"]
    start = [f"{name} = {rng.choice([str(rng.randint(-5, 5)), 'tiling.a', 'tiling.b + 1'])}" for name in names]
    body = [*start, *program(rng, names, 3, 0), *program(rng, names, 3, 0)]
    body += [f"{name} = {name} % 100003" for name in names]
    setup = "\n".join(body)
    built = Built(scalar_case(names, setup, tiling=PAIR), tmp_path)
    for a, b in [(0, 0), (5, 3), (-4, 11), (13, -2)]:
        z = np.zeros(64, np.int64)
        built.ok([z], {"a": a, "b": b})
        assert z[: len(names)].tolist() == python(setup, names, {"a": a, "b": b}), setup


def test_random_expressions(tmp_path):
    rng = random.Random(7)
    expressions = [expression(rng, [], 4) for _ in range(60)]
    built = Built(scalar_case(expressions, tiling=PAIR), tmp_path)
    for a, b in [(0, 1), (17, -5), (-3, 8)]:
        z = np.zeros(64, np.int64)
        built.ok([z], {"a": a, "b": b})
        assert z[:60].tolist() == python("", expressions, {"a": a, "b": b})


def test_early_return(tmp_path):
    body = """
        tt = pl.TileType(shape=[1, 8], dtype=pl.DT_INT64)
        out = pl.make_tile(tt, addr=0, size=64)
        gz = pl.make_tensor(z, [1, 8], dtype=pl.DT_INT64)
        with pl.section_vector():
            if pl.get_block_idx() >= tiling.n:
                return
            pl.expands(out, pl.get_block_idx() + 1)
            pl.set_validshape(out, [1, 1])
            pl.store(gz, out, [0, pl.get_block_idx()])
    """
    built = Built(Case(body, params=("z",)), tmp_path)
    z = np.zeros(8, np.int64)
    built.ok([z], {"n": 3}, block_dim=5)
    assert z.tolist() == [1, 2, 3, 0, 0, 0, 0, 0]
