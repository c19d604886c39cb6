"""The user's files: parsed, never run. Module-level names are evaluated when first needed."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from pypto_rules.tools.contract.problems import Location
from toolchains.twin.codegen.errors import CodegenError, Message, place_of
from toolchains.twin.codegen.values import Value

_NEWLINE = re.compile(r"\r\n|\r|\n")  # not splitlines(): Python does not end a line at form feeds or U+2028


@dataclass(eq=False)
class Module:
    """One file. `names` is its namespace once `namespace.evaluate` has run; None while it has not."""

    path: str
    tree: ast.Module
    names: dict[str, Value] | None = None


@dataclass(eq=False)
class Sources:
    """The kernel file and its helper modules."""

    kernel: Module
    helpers: list[Module] = field(default_factory=list)

    def find(self, dotted: str) -> Module | None:
        """The helper module that `import dotted` names: by the last parts of its path."""
        parts = dotted.split(".")
        for module in self.helpers:
            path = Path(module.path)
            name = path.parent.parts if path.stem == "__init__" else (*path.parent.parts, path.stem)
            if list(name[-len(parts) :]) == parts:
                return module
        return None


def load(kernel: str, helpers: list[str]) -> Sources:
    """Parse the files. Raises CodegenError for one that cannot be read or parsed."""
    return Sources(_parse(kernel), [_parse(path) for path in helpers if path != kernel and path.endswith(".py")])


def lines(path: str) -> list[str] | None:
    """The lines of a file for messages; None if it cannot be read."""
    try:
        return _NEWLINE.split(Path(path).read_text(encoding="utf-8-sig", errors="replace"))
    except OSError:
        return None


def _parse(path: str) -> Module:
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        what = f"cannot read the file: {error.strerror}"
        fix = "give an existing file to --kernel or --src"
        raise CodegenError(Message(Location(path), "PYPTO-G005", what, fix=fix)) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they go around the messages, and the contract tool is silent about them
            tree = ast.parse(source, filename=path)
    except (SyntaxError, ValueError) as error:
        place = Location(path, getattr(error, "lineno", 1) or 1, max(getattr(error, "offset", 1) or 1, 1))
        what = f"the file is not valid Python: {getattr(error, 'msg', error)}"
        raise CodegenError(Message(place, "PYPTO-G001", what, fix="correct the syntax")) from error
    except (RecursionError, MemoryError) as error:
        what = "the file is nested too deeply for Python's parser"
        raise CodegenError(Message(Location(path), "PYPTO-G003", what, fix="split expressions and blocks")) from error
    if not source.isascii():
        _count_characters(tree, lines(path) or [])
    return Module(path, tree)


def _count_characters(tree: ast.Module, text: list[str]) -> None:
    """Make `col_offset` count characters, as messages do; Python's parser counts bytes of UTF-8."""
    for node in ast.walk(tree):
        line = text[node.lineno - 1] if 0 < getattr(node, "lineno", 0) <= len(text) else ""
        if not line.isascii():
            node.col_offset = len(line.encode()[: node.col_offset].decode(errors="replace"))


def too_deep(sources: Sources) -> Message:
    """The error for code whose nesting Python's stack does not hold: at the deepest statement."""
    deepest, place = 0, Location(sources.kernel.path)
    for module in (sources.kernel, *sources.helpers):
        # Where each node hangs: depth below the module, and the statement it is part of.
        waiting: list[tuple[ast.AST, int, ast.AST]] = [(module.tree, 0, module.tree)]
        while waiting:
            node, depth, stmt = waiting.pop()
            stmt = node if isinstance(node, ast.stmt) else stmt
            if depth > deepest:
                deepest, place = depth, place_of(module.path, stmt)
            waiting += [(child, depth + 1, stmt) for child in ast.iter_child_nodes(node)]
    what = "an expression or block is nested too deeply"
    return Message(place, "PYPTO-G003", what, found=f"{deepest} levels", fix="split it into several statements")


def kernel_function(sources: Sources, name: str) -> ast.FunctionDef:
    """The kernel's definition; the last one of that name, as in Python."""
    found = [node for node in sources.kernel.tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if found:
        return found[-1]
    for module in (sources.kernel, *sources.helpers):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                what = f"the kernel {name} is not defined at the top level of {Path(sources.kernel.path).name}"
                fix = "define it there, outside of functions and other blocks; what it needs may stay in helpers"
                raise CodegenError(Message(place_of(module.path, node), "PYPTO-G002", what, fix=fix))
    what = f"there is no function {name}, the kernel of the manifest"
    fix = "build again; kernel file and manifest do not belong together"
    raise CodegenError(Message(Location(sources.kernel.path), "PYPTO-G002", what, fix=fix))
