"""The user's files: parsed, never run. Module-level names are evaluated when first needed."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

from toolchains.twin.codegen.errors import CodegenError, InputError, Message, Position
from toolchains.twin.codegen.values import Value


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
    """Parse the files. Raises InputError for an unreadable file, CodegenError for a syntax error."""
    return Sources(_parse(kernel), [_parse(path) for path in helpers if path != kernel and path.endswith(".py")])


def _parse(path: str) -> Module:
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; give an existing file to --kernel or --src") from error
    try:
        return Module(path, ast.parse(source, filename=path))
    except (SyntaxError, ValueError) as error:
        position = Position(path, getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1)
        what = f"the file is not valid Python: {getattr(error, 'msg', error)}"
        raise CodegenError(Message(position, "PYPTO-G001", what, fix="correct the syntax")) from error


def kernel_function(sources: Sources, name: str) -> ast.FunctionDef:
    """The kernel's definition; the last one of that name, as in Python."""
    found = [node for node in sources.kernel.tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if found:
        return found[-1]
    position = Position(sources.kernel.path, 1, 1)
    what = f"there is no function {name}, the kernel of the manifest"
    raise CodegenError(
        Message(position, "PYPTO-G002", what, fix="build again; kernel file and manifest do not belong together")
    )
