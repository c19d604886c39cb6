"""The shared cases with mutated bodies, through both tools: code or coded messages, never an exception."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from tests.tools.frontend.support import both
from tests.tools.twin_codegen.mutations import change_tree

CASES = Path("tests/cases").resolve()
LARGEST = 8000  # bytes; the cases of thousands of fields are about other things than bodies


def alone(path: Path) -> bool:
    """Whether a kernel file needs no other file, and is small."""
    return len([*path.parent.glob("*.py")]) == 1 and path.stat().st_size < LARGEST


KERNELS = sorted(path for folder in ("own", "reports") for path in CASES.glob(f"{folder}/*/*.py") if alone(path))


def mutated(rng: random.Random, text: str) -> str:
    """The file with another body in its last function."""
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    if functions:
        body = "\n".join(ast.unparse(stmt) for stmt in functions[-1].body)
        functions[-1].body = ast.parse(change_tree(rng, body)).body
    return ast.unparse(tree)


def test_there_are_cases():
    assert len(KERNELS) > 60


@pytest.mark.parametrize("group", range(8))
def test_mutated_cases_end_in_order(group, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some cases write files while they load
    for seed, path in enumerate(KERNELS[group::8]):
        try:
            text = path.read_text(encoding="utf-8-sig")
            ast.parse(text)
        except (SyntaxError, ValueError):
            continue  # a case about files that are no Python
        for turn in range(2):
            outcome = both(tmp_path, mutated(random.Random(seed * 2 + turn), text), path.name)
            assert all(code.startswith("PYPTO-") for code in outcome.codes), path
