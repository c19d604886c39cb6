"""Mutated kernels: the tool ends with a kernel or with coded problems, never with an exception of its own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pypto_rules.tools.contract.codes import RULES
from tests.tools.contract.support import check_file, kernel_text

SEED_TEXT = kernel_text()
_TEXT = (
    "0 1 -1 None True 'a' [] {} () lambda pl @ = : , . ( ) [ ] { } \n \t # \\ ** * -> pl.DT_FP16 pl.DYNAMIC int float "
    "bool str class def return yield import from tiling x mode OpKey OpTiling __x__ 1e9 0x10 'int[4]' int[4] ... async "
    "await global del assert raise with values bits is_valid 算 \x00 \u2028 ''' \"\"\""
)
PIECES = tuple(_TEXT.split(" "))


def mutate(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:place] + rng.choice(PIECES) + text[place:]
        elif kind == 1:
            text = text[:place] + text[place + rng.randint(1, 12) :]
        elif kind == 2:
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
        else:
            words = [word for word in text.replace("(", " ").replace(")", " ").split() if word]
            text = text.replace(rng.choice(words), rng.choice(PIECES), rng.randint(1, 3))
    return text


@pytest.mark.parametrize("block", range(8))
def test_mutated_kernels_end_in_order(block, tmp_path: Path):
    for seed in range(block * 150, block * 150 + 150):
        text = mutate(random.Random(seed), SEED_TEXT)
        path = tmp_path / "op.py"
        path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
        result = check_file(path)
        assert (result.kernel is None) == bool(result.problems), seed
        assert all(problem.code in RULES and problem.fix for problem in result.problems), seed


@pytest.mark.parametrize("block", range(4))
def test_mutated_bytes_end_in_order(block, tmp_path: Path):
    for seed in range(block * 100, block * 100 + 100):
        rng = random.Random(seed)
        raw = bytearray(SEED_TEXT.encode())
        for _ in range(rng.randint(1, 6)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        (tmp_path / "op.py").write_bytes(bytes(raw))
        result = check_file(tmp_path / "op.py")
        assert (result.kernel is None) == bool(result.problems), seed
