"""Starlark and Python know the same SoCs, and the same names of their architectures."""

import ast
from pathlib import Path

from toolchains.cann.codegen.socs import SOCS


def table(name):
    source = ast.parse(Path("toolchains/cann/socs.bzl").read_text(encoding="utf-8"))
    (value,) = [node.value for node in source.body if isinstance(node, ast.Assign) and node.targets[0].id == name]
    return ast.literal_eval(value)


def test_both_tables_say_the_same():
    assert table("ARCHES") == {name: list(soc.pypto_arches) for name, soc in SOCS.items()}
    assert table("CHIPS") == {name: soc.chip for name, soc in SOCS.items()}
