"""The architecture a kernel file pins (`@pl.jit(arch=...)`) against the SoC it is built for."""

from __future__ import annotations

import ast

from toolchains.twin.codegen import load
from toolchains.twin.codegen.errors import CodegenError, Message, place_of
from toolchains.twin.runtime import socs

# NPU arch 3510 is a5; a2 and a3 are both 2201 (cann-flow, sections 1.3 and 5).
_A5 = ("a5", "3510")
_BEFORE_A5 = ("a2", "a3")


def check(sources: load.Sources, kernel_name: str, arch: str | None, soc: str) -> None:
    """Raise a CodegenError if code for `arch` is not code for `soc`; a file that pins none fits every SoC."""
    matching = _A5 if socs.SOCS[soc].arch_a5 else _BEFORE_A5
    if arch in (None, "auto", *matching):
        return
    node = _option(load.kernel_function(sources, kernel_name))
    fitting = ", ".join(name for name, model in socs.SOCS.items() if model.arch_a5 == (arch in _A5))
    raise CodegenError(
        Message(
            place_of(sources.kernel.path, node),
            "PYPTO-G004",
            f"the file pins another architecture than that of {soc}",
            found=f'arch="{arch}", which is for {fitting}',
            allowed=f'"{matching[0]}" for {soc}, or no arch at all',
            fix="remove arch: the SoC of the build selects it",
        )
    )


def _option(function: ast.FunctionDef) -> ast.AST:
    """The decorator's `arch` argument, or the function if it is not written out there."""
    for decorator in function.decorator_list:
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else []:
            if keyword.arg == "arch":
                return keyword.value
    return function
