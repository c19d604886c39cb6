"""The registry of codes: every code that a message has is registered, every registered one is used."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pypto_rules.tools.contract.problems import Location
from toolchains.twin.codegen import codes, errors

FILES = [path for path in sorted(Path(errors.__file__).parent.glob("*.py")) if path.name != "codes.py"]
RAISES = ("fail", "Message")


def calls() -> list[ast.Call]:
    """The calls that make messages."""
    nodes = [node for path in FILES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    named = [
        (node, getattr(node.func, "attr", getattr(node.func, "id", ""))) for node in nodes if isinstance(node, ast.Call)
    ]
    return [node for node, name in named if name in RAISES]


def test_every_code_used_is_registered_and_every_registered_one_is_used():
    used = [arg.value for call in calls() for arg in call.args if isinstance(arg, ast.Constant)]
    used = {f"PYPTO-{found[0]}" for value in used if (found := re.search(r"G\d{3}$", str(value)))}
    assert used == set(codes.RULES)


def test_codes_are_in_order_and_rules_are_sentences_of_their_own():
    assert list(codes.RULES) == sorted(codes.RULES)
    assert len(set(codes.RULES.values())) == len(codes.RULES)
    assert all(re.fullmatch(r"PYPTO-G\d{3}", code) for code in codes.RULES)


def test_every_message_says_how_to_mend_it():
    assert [ast.unparse(call) for call in calls() if "fix" not in {keyword.arg for keyword in call.keywords}] == []


def test_a_message_with_an_unknown_code_is_a_fault_of_the_tool():
    with pytest.raises(KeyError, match=r"PYPTO-G999 is not registered in codes\.py"):
        errors.Message(Location("op.py"), "PYPTO-G999", "what", fix="fix")
