"""Mutated kernel bodies: the generator ends with code or with coded messages, never with an exception of its own."""

from __future__ import annotations

import ast
import copy
import random
import re

import pytest

from tests.tools.twin_codegen.harness import Built, Case
from toolchains.twin.codegen.codes import RULES

MODULE = """
import math
STEP, TABLE = 16, {"a": 1, 0: (2, 3)}
class Config:
    size = STEP * 4
def twice(out, src, factor=2.0, *, bias=0):
    if bias:
        pl.add(out, src, bias)
    pl.mul(out, src, factor)
    return factor * 2
@pl.inline
def pick(a, b, which):
    result = a
    if which > 1:
        result = b
    return result, which + 1
"""
BODY = """
tt = pl.TileType(shape=[1, STEP * 8], dtype=pl.DT_FP16, valid_shape=[-1, -1], compact=1)
wide = pl.TileType(shape=[1, 128], dtype=io_t)
a = pl.make_tile(tt, addr=0x0000, size=256)
b = pl.make_tile(tt, addr=0x4000, size=256)
group = pl.make_tile_group(type=wide, addrs=[0x8000, 0x9000], mutex_ids=[0, 1])
gx = pl.make_tensor(x, [1, tiling.n], [tiling.n, 1], dtype=pl.DT_FP16)
gy = pl.make_tensor(y, [1, 1024], dtype=io_t)
total, scale = tiling.n // 2, tiling.w * 0.5
count: int = -1
with pl.section_vector():
    for i in pl.range(pl.get_block_idx(), total, STEP):
        pl.set_validshape(a, [1, pl.min(total - i, 128)])
        pl.load(a, gx, [0, i])
        w = group.next()
        if mode == 0 and tiling.flag:
            pl.add(b, a, a)
        elif mode == 1:
            scale = twice(b, a, scale, bias=TABLE[0][1])
        else:
            pl.maximum(b, a, 0.0 if i > 3 else scale)
        while count < tiling.dims[i % 4]:
            count += 1 + (i << 1) % 7
            if not count or count in (2, 3):
                break
        last, count = pick(a, b, count)
        pl.cast(w, last, mode=pl.RoundMode.CAST_RINT)
        pl.store(gx, b, [0, i])
        pl.printf("%d %f", i, scale)
    assert Config.size > 3 and math.sqrt(4) == 2
    pl.exp(a, b)
"""
TILING = {"n": "int", "w": "float", "flag": "bool", "dims": "int[4]"}
PIECES = [
    "0",
    "-1",
    "1.5",
    "None",
    "True",
    "'a'",
    "()",
    "(1,)",
    "[2]",
    "{}",
    "pl",
    "x",
    "a",
    "gx",
    "group",
    "tiling",
    "tiling.dims",
    "scale",
    "mode",
    "io_t",
    "STEP",
    "TABLE",
    "Config",
    "twice",
    "math.pi",
    "pl.DT_INT8",
    "pl.add",
    "pl.Vf.add(1)",
    "pl.MemorySpace.Vec",
    "group[1]",
    "gx.shape",
    "tiling.dims[2]",
    "1<<70",
    "10**400",
    "1e39",
    "lambda:0",
    "i[0]",
    "-a",
    "not(a)",
    "a+1",
    "a.dtype",
    "x.shape",
    "io_t.bits()",
    "max(1)",
    "len(3)",
    "range(9)",
    "pick(1,2,3)",
    "twice()",
    "twice(*a)",
    "{'k':a}['k']",
    "f'{i}'",
    "(yield)",
    "[*a]",
    "{**TABLE}",
    "...",
    "b''",
    "1j",
    "i:=3",
    "undefined",
    "undefined.name",
    "__debug__",
    "_",
    "self",
    "math",
    "算",
]
STATEMENTS = [
    "return",
    "return 1",
    "break",
    "continue",
    "pass",
    "del a",
    "global a",
    "import os",
    "raise a",
    "a = b",
    "a, b = b, a",
    "a: int = 1",
    "mode = 1",
    "a += 1",
    "x[0] = 1",
    "tiling.n = 1",
    "'doc'",
    "for a in pl.range(3): pass",
    "for i, j in pl.range(2): pass",
    "while True: pass",
    "while a: break",
    "if a: b = 1",
    "if tiling.n: scale = 1",
    "with pl.section_vector(): pass",
    "try: pass",
    "finally: pass",
    "def f(): pass",
    "class C: pass",
    "assert a, b",
    "assert 0",
    "match a:",
    "  case 1: pass",
    "with open('x') as a, b: pass",
    "async def f(): pass",
    "print(a)",
    "pl.system.bar_all()",
    "[a, *b] = (1, 2, 3)",
    "(a) = b = 3",
]


def change_text(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(1, 3)):
        words = re.findall(r"[\w.]+|[^\w\s]", text)
        place, kind = rng.randrange(len(text)), rng.randrange(12)
        if kind == 0:
            text = text[:place] + rng.choice(PIECES) + text[place:]
        elif kind == 1:
            text = text[:place] + text[place + rng.randint(1, 10) :]
        elif kind == 2:
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
        else:
            text = text.replace(rng.choice(words), rng.choice(PIECES), rng.randint(1, 2))
    return text


def change_tree(rng: random.Random, text: str) -> str:
    """The same text with expressions, operators and statements exchanged: always valid Python, mostly nonsense."""
    tree = ast.parse(text)
    pool = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    ]
    for _ in range(rng.randint(1, 4)):
        blocks = [block for node in ast.walk(tree) for block in (getattr(node, "body", 0), getattr(node, "orelse", 0))
                  if isinstance(block, list) and block]  # fmt: skip
        block = rng.choice(blocks)
        place, kind = rng.randrange(len(block)), rng.randrange(5)
        if kind == 0:
            block.insert(place, copy.deepcopy(rng.choice(rng.choice(blocks))))
        elif kind == 1:
            block[place] = new_statement(rng)
        elif kind == 2:
            block[place] = ast.If(copy.deepcopy(rng.choice(pool)), [block[place]], [])
        else:
            exchange(rng, block[place], pool)
    return ast.unparse(ast.fix_missing_locations(tree))


def parses(expression: str) -> bool:
    try:
        return bool(ast.parse(expression, mode="eval"))
    except SyntaxError:
        return False


def new_statement(rng: random.Random) -> ast.stmt:
    while True:
        try:
            return ast.parse(rng.choice(STATEMENTS)).body[0]
        except SyntaxError:  # one line of a statement of several
            continue


def exchange(rng: random.Random, stmt: ast.stmt, pool: list[ast.expr]) -> None:
    """Put another expression in the place of one inside a statement."""
    places = [(node, name, index) for node in ast.walk(stmt) for name, value in ast.iter_fields(node)
              for index in range(len(value) if isinstance(value, list) else 1)
              if isinstance(value[index] if isinstance(value, list) else value, ast.expr)]  # fmt: skip
    places = [place for place in places if place[1] not in ("target", "targets", "optional_vars", "keys")]
    if not places:
        return
    node, name, index = rng.choice(places)
    new = copy.deepcopy(rng.choice(pool))
    if rng.random() < 0.3:
        new = ast.BinOp(
            new, rng.choice([ast.Add(), ast.Mod(), ast.LShift(), ast.Pow(), ast.Div()]), copy.deepcopy(rng.choice(pool))
        )
    value = getattr(node, name)
    if isinstance(value, list):
        value[index] = new
    else:
        setattr(node, name, new)


def generated(directory, module: str, body: str) -> Built:
    case = Case(body, ("x", "y"), TILING, {"mode": [0, 1]}, "io_t", module)
    return Built(case, directory, [{"io_t": "float"}, {"io_t": "int32"}])


def test_the_seed_is_a_kernel(tmp_path):
    assert generated(tmp_path, MODULE, BODY).errors == []


@pytest.mark.parametrize("change", [change_text, change_tree], ids=["text", "tree"])
@pytest.mark.parametrize("block", range(4))
def test_mutated_bodies_end_in_order(change, block, tmp_path):
    for seed in range(block * 60, block * 60 + 60):
        rng = random.Random(seed)
        part = rng.random() < 0.8
        module, body = (MODULE, change(rng, BODY)) if part else (change(rng, MODULE), BODY)
        result = generated(tmp_path, module, body).result
        assert bool(result.errors) != bool(result.texts), seed
        for error in result.errors:
            found = re.match(r"\S+case\.py:\d+:\d+: error\[(PYPTO-G\d{3})\]: .+; fix: \S", error)
            assert found and found[1] in RULES, (seed, error)
