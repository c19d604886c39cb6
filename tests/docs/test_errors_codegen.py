"""docs/errors-codegen.md: an entry for every code; its failing snippet gives that code alone, the corrected none."""

from __future__ import annotations

import ast
import re
import sys
import textwrap

import pytest

from tests.docs.document import Document
from tests.tools.frontend.support import Outcome, both, generate
from toolchains.twin.codegen.cli import DEPTH
from toolchains.twin.codegen.codes import RULES

DOCUMENT = Document("docs/errors-codegen.md")
_KERNEL = re.compile(r"^@pl\.jit.*", re.MULTILINE | re.DOTALL)
_BODY = re.compile(r"^( *)\.\.\.\n", re.MULTILINE)


def completed(text: str, terms: int) -> str:
    """The kernel file that a snippet stands for: its functions above the kernel, its other statements in its body."""
    text = text.replace("…", " + 1" * terms)
    if _KERNEL.search(text):
        return _KERNEL.sub("", DOCUMENT.skeleton) + text
    functions = [node for node in definitions(text) if isinstance(node, ast.FunctionDef)]
    lines = text.split("\n")
    body = "\n".join(
        line for number, line in enumerate(lines, 1) if all(not covers(node, number) for node in functions)
    )
    above = "\n\n".join("\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in functions)
    whole = _BODY.sub(lambda match: textwrap.indent(body, match[1]), DOCUMENT.skeleton)
    return whole.replace("@pl.jit", f"{above}\n\n\n@pl.jit") if above else whole


def definitions(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except (SyntaxError, RecursionError):
        return []


def covers(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or 0)


@pytest.fixture(autouse=True)
def depth_of_the_tool(monkeypatch):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(DEPTH)
    yield
    sys.setrecursionlimit(limit)


def test_every_code_has_an_entry_in_order_and_no_other():
    assert list(RULES) == DOCUMENT.codes


@pytest.mark.parametrize("code", RULES)
def test_the_heading_is_the_rule_and_the_entry_says_why(code):
    entry = DOCUMENT.entries[code]
    assert entry.rule == RULES[code]
    assert len(entry.prose) > 60, "say why the rule is there"
    assert entry.failing.text and entry.corrected.text


@pytest.mark.parametrize("code", RULES)
def test_the_failing_snippet_gives_this_code_alone_and_the_corrected_one_none(code, tmp_path):
    entry = DOCUMENT.entries[code]
    terms = int(entry.setup.get("terms", 0))
    assert both(tmp_path, completed(entry.corrected.text, terms)) == Outcome([], [])
    failing = completed(entry.failing.text, terms)
    if "alone" not in entry.setup:
        assert both(tmp_path, failing).codes == [code]
        return
    # The code generator by itself, with the manifest of the corrected file.
    (tmp_path / "op.py").unlink() if "missing" in entry.setup else (tmp_path / "op.py").write_text(failing)
    assert Outcome([], generate(tmp_path)).codes == [code]
