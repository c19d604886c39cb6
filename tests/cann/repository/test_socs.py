"""Starlark and Python know the same SoCs, and the same names of their architectures."""

import ast
from pathlib import Path

from toolchains.cann.codegen.socs import SOCS


def test_both_tables_say_the_same():
    source = ast.parse(Path("toolchains/cann/socs.bzl").read_text(encoding="utf-8"))
    (table,) = [node.value for node in source.body if isinstance(node, ast.Assign) and node.targets[0].id == "ARCHES"]
    assert ast.literal_eval(table) == {name: list(soc.pypto_arches) for name, soc in SOCS.items()}
