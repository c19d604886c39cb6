"""Binding the arguments of a call to parameter names."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from toolchains.twin.codegen.errors import did_you_mean
from toolchains.twin.codegen.state import State


@dataclass(frozen=True)
class Signature:
    """Parameters in order; the first `required` must be given; names in `keyword_only` only by keyword."""

    name: str
    parameters: tuple[str, ...]
    required: int
    keyword_only: tuple[str, ...] = ()

    def __str__(self) -> str:
        words = [*self.parameters[: self.required], *(f"{name}=" for name in self.parameters[self.required :])]
        return f"{self.name}({', '.join([*words, *(f'{name}=' for name in self.keyword_only)])})"


def bind(state: State, node: ast.Call, signature: Signature) -> dict[str, ast.expr]:
    """Argument nodes by parameter name."""
    _refuse_stars(state, node)
    names = signature.parameters
    if len(node.args) > len(names):
        found = f"{len(node.args)} positional arguments"
        state.fail(
            node,
            "G014",
            f"{signature.name} has too many arguments",
            found=found,
            allowed=str(signature),
            fix=f"pass at most {len(names)} by position",
        )
    bound = dict(zip(names, node.args, strict=False))
    for keyword in node.keywords:
        _add_keyword(state, keyword, signature, bound)
    missing = [name for name in names[: signature.required] if name not in bound]
    if missing:
        what = f"{signature.name} lacks the argument{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
        state.fail(node, "G014", what, allowed=str(signature), fix=f"add {missing[0]}")
    return bound


def _refuse_stars(state: State, node: ast.Call) -> None:
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            state.fail(argument, "G014", "* in a call is not supported in a kernel", fix="write the arguments out")
    for keyword in node.keywords:
        if keyword.arg is None:
            state.fail(
                keyword.value, "G014", "** in a call is not supported in a kernel", fix="write the arguments out"
            )


def _add_keyword(state: State, keyword: ast.keyword, signature: Signature, bound: dict[str, ast.expr]) -> None:
    name = keyword.arg or ""
    known = [*signature.parameters, *signature.keyword_only]
    if name not in known:
        near = did_you_mean(name, known)
        fix = f"write {near}=" if near else f"remove {name}="
        what = f"{signature.name} has no parameter {name}"
        state.fail(keyword, "G014", what, found=f"{name}=", allowed=str(signature), fix=fix)
    if name in bound:
        state.fail(
            keyword, "G014", f"{signature.name} gets {name} twice", allowed=str(signature), fix=f"remove {name}="
        )
    bound[name] = keyword.value
