"""docs/errors.md: an entry for every code; its failing snippet gives that code alone, its corrected one no error."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pypto_rules.tools.contract import apart, isolation, load, opdef
from pypto_rules.tools.contract.codes import RULES
from tests.docs.document import Document, Snippet
from tests.tools.contract.support import check  # by way of support, which finds the front end

DOCUMENT = Document("docs/errors.md")
CODES, ENTRIES, SKELETON = DOCUMENT.codes, DOCUMENT.entries, DOCUMENT.skeleton
QUICK = isolation.Limits(cpu=1, clock=5, memory=2 << 30)
_KERNEL = re.compile(r"^(async )?def op", re.MULTILINE)


def parts_of(text: str) -> dict[str, str]:
    """The classes and functions of a file with their decorators, and under "" what comes before the first."""
    lines = text.split("\n")
    parts, start = {}, 0
    for node in ast.parse(text).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            parts.setdefault("", "\n".join(lines[start:first]))
            parts[node.name] = "\n".join(lines[first : node.end_lineno]) + "\n"
    return parts


def completed(text: str) -> str:
    """The kernel file that a snippet stands for: what it does not define comes from the file at the document's top."""
    parts = parts_of(SKELETON)
    future = "from __future__ import annotations\n"
    head = parts[""] if future not in text else future + parts[""]
    own = text.replace(future, "")
    before = [part for name, part in parts.items() if name.startswith("Op") and f"class {name}" not in own]
    return "\n\n".join([head, *before, own, *([] if _KERNEL.search(own) else [parts["op"]])])


def codes_of(snippet: Snippet, setup: dict[str, str], directory: Path, broken: bool) -> list[str]:
    """The codes of the problems the tool finds."""
    path = directory / "op.py"
    encoding = setup.get("encoding", "utf-8") if broken else "utf-8"
    if not (broken and "missing" in setup):
        path.write_text(completed(snippet.text), encoding=encoding)
    for name, text in snippet.files.items():
        (directory / name).write_text(text, encoding="utf-8")
    helpers = tuple((directory / name, name) for name in snippet.files if name.endswith(".py"))
    described = opdef.read(directory / "op.json", "op.json") if "op.json" in snippet.files else None
    request = load.Request(path, path.name, helpers=helpers, op_def=described)
    limit = int(setup.get("max_variants", 4096))
    if "apart" in setup:
        return [problem["code"] for problem in apart.report(request, limit, strict=True, limits=QUICK).problems]
    return [problem.code for problem in check.check(request, limit).problems]


def test_every_code_has_an_entry_in_order_and_no_other():
    assert list(RULES) == CODES


@pytest.mark.parametrize("code", RULES)
def test_the_heading_is_the_rule_and_the_entry_says_why(code):
    entry = ENTRIES[code]
    assert entry.rule == RULES[code]
    assert len(entry.prose) > 60, "say why the rule is there"
    assert entry.failing.text and entry.corrected.text


@pytest.mark.parametrize("code", RULES)
def test_the_failing_snippet_gives_this_code_alone(code, tmp_path):
    entry = ENTRIES[code]
    assert codes_of(entry.failing, entry.setup, tmp_path, True) == [code]


@pytest.mark.parametrize("code", RULES)
def test_the_corrected_snippet_gives_none(code, tmp_path):
    entry = ENTRIES[code]
    assert codes_of(entry.corrected, entry.setup, tmp_path, False) == []
