"""Mutated kernel bodies: the generator ends with code or with coded messages, never with an exception of its own."""

from __future__ import annotations

import random
import re

import pytest

from tests.tools.twin_codegen.harness import Built, Case
from tests.tools.twin_codegen.mutations import change_text, change_tree
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


def generated(directory, module: str, body: str) -> Built:
    case = Case(body, ("x", "y"), TILING, {"mode": [0, 1]}, "io_t", module)
    return Built(case, directory, [{"io_t": "float"}, {"io_t": "int32"}])


def test_the_seed_is_a_kernel(tmp_path):
    assert generated(tmp_path, MODULE, BODY).errors == []


@pytest.mark.parametrize("change", [change_text, change_tree], ids=["text", "tree"])
@pytest.mark.parametrize("block", range(4))
def test_mutated_bodies_end_in_order(change, block, tmp_path):
    for seed in range(block * 40, block * 40 + 40):
        rng = random.Random(seed)
        part = rng.random() < 0.8
        module, body = (MODULE, change(rng, BODY)) if part else (change(rng, MODULE), BODY)
        result = generated(tmp_path, module, body).result
        assert bool(result.errors) != bool(result.texts), seed
        for error in result.errors:
            found = re.match(r"\S+case\.py:\d+:\d+: error\[(PYPTO-G\d{3})\]: .+; fix: \S", error)
            assert found and found[1] in RULES, (seed, error)
