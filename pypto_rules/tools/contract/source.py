"""The user's source files: text, syntax tree, and the positions of what the checks talk about."""

from __future__ import annotations

import ast
import codecs
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract.problems import ContractError, Location, make

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_NEWLINE = re.compile(r"\r\n|\r|\n")  # not splitlines(): Python does not end a line at form feeds or U+2028


@dataclass
class SourceFile:
    """One file: `shown` is the name errors use for it."""

    path: Path
    shown: str
    text: str
    tree: ast.Module
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = _NEWLINE.split(self.text)

    def at(self, node: Any) -> Location:
        """The location of a syntax node."""
        line = getattr(node, "lineno", 1)
        return self.at_offset(line, getattr(node, "col_offset", 0))

    def at_name(self, node: FunctionNode | ast.ClassDef) -> Location:
        """The location of the `def` or `class` keyword's line, not of the decorators above."""
        return self.at_offset(node.lineno, node.col_offset)

    def at_offset(self, line: int, offset: int) -> Location:
        """The location of a byte offset in a line, as syntax nodes give it."""
        if not 0 < line <= len(self.lines):
            return Location(self.shown)
        before = self.lines[line - 1].encode("utf-8")[:offset]
        return Location(self.shown, line, len(before.decode("utf-8", errors="replace")) + 1)


def read(path: Path, shown: str) -> SourceFile:
    """Read and parse a file of the user's; ContractError says what is wrong with it."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        fix = "check the path and that it is a readable .py file"
        raise ContractError(make("PYPTO-E001", Location(shown), f"cannot read the file: {reason}", fix)) from None
    text = _decode(raw, shown)
    _check_nul(text, shown)
    try:
        tree = ast.parse(text, filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ContractError(syntax_problem(error, shown)) from None
    return SourceFile(path, shown, text, tree)


def _decode(raw: bytes, shown: str) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = _NEWLINE.split(raw[: error.start].decode("utf-8-sig"))
        message = (
            f"the file is not UTF-8; found byte 0x{raw[error.start]:02x} at offset {error.start}; allowed is UTF-8"
        )
        fix = "save the file as UTF-8 (and drop any other coding line)"
        place = Location(shown, len(before), len(before[-1]) + 1)
        raise ContractError(make("PYPTO-E002", place, message, fix)) from None
    for number, line in enumerate(_NEWLINE.split(text)[:2], 1):
        coding = _CODING.match(line)
        if coding is not None and not _same_in(coding[1], raw, text):
            message = f"the file says that its coding is {coding[1]}; Python would read other text; allowed is UTF-8"
            place = Location(shown, number, coding.start(1) + 1)
            raise ContractError(make("PYPTO-E002", place, message, "drop the coding line, or write utf-8 in it"))
    return text


def _same_in(coding: str, raw: bytes, text: str) -> bool:
    try:
        return raw.removeprefix(codecs.BOM_UTF8).decode(coding) == text
    except (LookupError, UnicodeError):  # no such coding, or one in which the file makes no sense
        return False


def _check_nul(text: str, shown: str) -> None:
    before, nul, _ = text.partition("\0")
    if nul:
        lines = _NEWLINE.split(before)
        place = Location(shown, len(lines), len(lines[-1]) + 1)
        message = "Python syntax error: found a NUL character; allowed is text"
        raise ContractError(make("PYPTO-E003", place, message, "remove it, or restore the file"))


def syntax_problem(error: BaseException, shown: str) -> Any:
    """The problem for what the Python parser said."""
    line = getattr(error, "lineno", None) or 1
    # Where Python sees mixed tabs and spaces depends on its version; it is the start of the line that is wrong.
    col = (getattr(error, "offset", None) or 1) if not isinstance(error, TabError) else 1
    if isinstance(error, (RecursionError, MemoryError)):
        message = "an expression is nested too deeply; allowed is what Python can parse"
        return make("PYPTO-E003", Location(shown, line), message, "split it into several statements")
    what = getattr(error, "msg", None) or str(error) or type(error).__name__
    return make("PYPTO-E003", Location(shown, line, max(col, 1)), f"Python syntax error: {what}", "correct the syntax")


class SourceIndex:
    """The files a check has met, found by path; helper modules are parsed when first asked for."""

    def __init__(self, kernel: SourceFile, shown_names: dict[Path, str]) -> None:
        self.kernel = kernel
        self._files: dict[Path, SourceFile | None] = {kernel.path: kernel}
        self._shown = shown_names

    def shown(self, path: Path) -> str:
        """The name errors use for a path: as the user gave it, or relative to the kernel file."""
        if path in self._files and self._files[path] is not None:
            return self._files[path].shown  # type: ignore[union-attr]
        if path in self._shown:
            return self._shown[path]
        try:
            relative = path.relative_to(self.kernel.path.parent)
        except ValueError:
            return path.name
        return str(Path(self.kernel.shown).parent / relative)

    def file(self, path: str | Path | None) -> SourceFile | None:
        """The parsed file, None when it has no readable source."""
        if path is None:
            return None
        path = Path(path)
        if path not in self._files:
            try:
                self._files[path] = read(path, self.shown(path))
            except ContractError:
                self._files[path] = None
        return self._files[path]

    def lines(self, shown: str) -> list[str] | None:
        """The lines of the file that errors call `shown`."""
        for source in self._files.values():
            if source is not None and source.shown == shown:
                return source.lines
        return None

    def class_node(self, cls: type) -> tuple[SourceFile, ast.ClassDef] | None:
        """Where a class is written."""
        module = sys.modules.get(cls.__module__)
        source = self.file(getattr(module, "__file__", None))
        if source is None:
            return None
        names = tuple(name for name in cls.__qualname__.split(".") if name != "<locals>")
        found = [(path, node) for path, node in _definitions(source.tree, ()) if isinstance(node, ast.ClassDef)]
        # The last one wins, as it does at run time; a class made by a call has no place of its own in the file.
        exact = [node for path, node in found if path == names] or [node for _, node in found if node.name == names[-1]]
        return (source, exact[-1]) if exact else None

    def function_node(self, function: Any) -> tuple[SourceFile, FunctionNode] | None:
        """Where a function is written."""
        code = getattr(function, "__code__", None)
        if code is None:
            return None
        source = self.file(code.co_filename)
        if source is None:
            return None
        for node in ast.walk(source.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                if first <= code.co_firstlineno <= node.lineno:
                    return source, node
        return None


def _definitions(node: ast.AST, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ast.AST]]:
    """Classes and functions at any depth, with the names that lead to them."""
    waiting = [(path, child) for child in ast.iter_child_nodes(node)]
    while waiting:
        path, child = waiting.pop(0)
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            path = (*path, child.name)
            yield path, child
        if isinstance(child, (ast.stmt, ast.ExceptHandler)):
            waiting += [(path, below) for below in ast.iter_child_nodes(child)]


def has_future_annotations(tree: ast.Module) -> bool:
    """Whether annotations of the file are kept as text."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )


def evaluated_arrays(tree: ast.Module) -> list[ast.AnnAssign]:
    """Class members annotated `int[4]` and the like, which Python would evaluate and fail on."""
    if has_future_annotations(tree):
        return []
    return [
        member
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for member in node.body
        if isinstance(member, ast.AnnAssign)
        and isinstance(member.annotation, ast.Subscript)
        and isinstance(member.annotation.value, ast.Name)
        and member.annotation.value.id in ("int", "float", "bool")
    ]


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions and classes inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def jit_functions(tree: ast.Module) -> list[FunctionNode]:
    """The functions with a decorator called `jit`, at any depth, in the order of the file."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(map(_is_jit, node.decorator_list))
    ]
    return sorted(found, key=lambda node: node.lineno)


def _is_jit(decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", None)) == "jit"


def jit_call(node: FunctionNode) -> ast.AST | None:
    """The `jit` decorator of a function."""
    for decorator in node.decorator_list:
        if _is_jit(decorator):
            return decorator
    return node.decorator_list[-1] if node.decorator_list else None


def keyword(node: FunctionNode, name: str) -> ast.keyword | None:
    """A keyword of the `jit` decorator."""
    call = jit_call(node)
    for word in call.keywords if isinstance(call, ast.Call) else []:
        if word.arg == name:
            return word
    return None


@dataclass(frozen=True)
class DictPlaces:
    """Where a dict is written, and each of its entries when it is written out; `repeated` are keys given again."""

    whole: Location
    keys: dict[Any, Location]
    values: dict[Any, Location]
    repeated: tuple[tuple[Any, Location], ...]

    def key(self, key: Any) -> Location:
        """Where a key is."""
        return self.keys.get(key, self.whole)

    def value(self, key: Any) -> Location:
        """Where the value of a key is."""
        return self.values.get(key, self.whole)


def dict_places(file: SourceFile, node: ast.AST | None, whole: Location) -> DictPlaces:
    """The places of a dict display; of anything else only the whole."""
    keys: dict[Any, Location] = {}
    values: dict[Any, Location] = {}
    repeated = []
    for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else []:
        if not isinstance(key, ast.Constant):
            continue
        if key.value in keys:
            repeated.append((key.value, file.at(key)))
        keys[key.value], values[key.value] = file.at(key), file.at(value)
    return DictPlaces(whole, keys, values, tuple(repeated))


def arguments(node: FunctionNode) -> dict[str, ast.arg]:
    """Every argument of a function by name."""
    args = node.args
    rest = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return {arg.arg: arg for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs, *rest]}


def assignments(body: list[ast.stmt], functions: bool = False) -> dict[str, list[ast.stmt]]:
    """Plain and annotated assignments and imports of a class or module body, by name; on demand also functions."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for name in _bound_names(statement):
            found.setdefault(name, []).append(statement)
        if functions and isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.setdefault(statement.name, []).append(statement)
    return found


def _bound_names(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Assign):
        return [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in statement.names]
    return []
