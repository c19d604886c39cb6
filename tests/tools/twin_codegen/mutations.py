"""Changes of kernel bodies for fuzz tests: to the text, often no Python any more, and to the tree, all of it Python."""

from __future__ import annotations

import ast
import copy
import random
import re

_PIECES = (
    "0 -1 1.5 None True 'a' () (1,) [2] {} pl x a gx group tiling tiling.dims scale mode io_t STEP TABLE Config twice "
    "math.pi pl.DT_INT8 pl.add pl.Vf.add(1) pl.MemorySpace.Vec group[1] gx.shape tiling.dims[2] 1<<70 10**400 1e39 "
    "lambda:0 i[0] -a not(a) a+1 a.dtype x.shape io_t.bits() max(1) len(3) range(9) pick(1,2,3) twice() twice(*a) "
    "{'k':a}['k'] f'{i}' (yield) [*a] {**TABLE} ... b'' 1j i:=3 undefined undefined.name __debug__ _ self math 算"
)
PIECES = tuple(_PIECES.split(" "))
_STATEMENTS = """
return
return 1
break
continue
pass
del a
global a
import os
raise a
a = b
a, b = b, a
a: int = 1
mode = 1
a += 1
x[0] = 1
tiling.n = 1
'doc'
for a in pl.range(3): pass
for i, j in pl.range(2): pass
for i in pl.range(2): a = i
while True: pass
while a: break
if a: b = 1
if tiling.n: scale = 1
with pl.section_vector(): pass
with open('x') as a, b: pass
def f(): pass
class C: pass
async def f(): pass
assert a, b
assert 0
print(a)
pl.system.bar_all()
[a, *b] = (1, 2, 3)
(a) = b = 3
"""
STATEMENTS = (*_STATEMENTS.strip().split("\n"), "try:\n a\nfinally:\n b", "match a:\n case 1: pass")


def parses(expression: str) -> bool:
    try:
        return bool(ast.parse(expression, mode="eval"))
    except SyntaxError:
        return False


EXPRESSIONS = tuple(ast.parse(piece, mode="eval").body for piece in PIECES if parses(piece))


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
    own = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    pool = [*EXPRESSIONS, *(node for node in own if isinstance(getattr(node, "ctx", ast.Load()), ast.Load))]
    for _ in range(rng.randint(1, 4)):
        blocks = [block for node in ast.walk(tree) for block in (getattr(node, "body", 0), getattr(node, "orelse", 0))
                  if isinstance(block, list) and block]  # fmt: skip
        block = rng.choice(blocks)
        place, kind = rng.randrange(len(block)), rng.randrange(5)
        if kind == 0:
            block.insert(place, copy.deepcopy(rng.choice(rng.choice(blocks))))
        elif kind == 1:
            block[place] = ast.parse(rng.choice(STATEMENTS)).body[0]
        elif kind == 2:
            block[place] = ast.If(copy.deepcopy(rng.choice(pool)), [block[place]], [])
        else:
            exchange(rng, block[place], pool)
    return ast.unparse(ast.fix_missing_locations(tree))


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
        operator = rng.choice([ast.Add(), ast.Mult(), ast.Mod(), ast.LShift(), ast.Pow(), ast.Div(), ast.FloorDiv()])
        new = ast.BinOp(new, operator, copy.deepcopy(rng.choice(pool)))
    value = getattr(node, name)
    if isinstance(value, list):
        value[index] = new
    else:
        setattr(node, name, new)
