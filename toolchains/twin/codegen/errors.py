"""Errors a kernel author reads: what is wrong, what was found, what is allowed, the edit that fixes it."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Position:
    """Where in the user's files: `path` as it was given on the command line, 1-based line and column."""

    path: str
    line: int
    col: int

    @staticmethod
    def of(path: str, node: ast.AST) -> Position:
        """The position where `node` begins."""
        return Position(path, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


@dataclass(frozen=True)
class Message:
    """One error. Empty parts are left out of the text."""

    position: Position
    code: str
    what: str
    found: str = ""
    allowed: str = ""
    fix: str = ""

    def text(self, variant: str = "") -> str:
        """`path:line:col: error[CODE]: what; found …; allowed …; fix: …`, with the variant it was found in."""
        parts = [self.what]
        parts += [f"found {self.found}"] if self.found else []
        parts += [f"allowed {self.allowed}"] if self.allowed else []
        parts += [f"fix: {self.fix}"] if self.fix else []
        where = self.position
        note = f" [{variant}]" if variant else ""
        return f"{where.path}:{where.line}:{where.col}: error[{self.code}]: {'; '.join(parts)}{note}"


class CodegenError(Exception):
    """A construct this generator refuses; carries the message for the author."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text())
        self.message = message


class InputError(Exception):
    """An input of the tool itself (not of the kernel) is wrong; the text says which and how to mend it."""


class Diagnostics:
    """Errors over all variants: each once, with the variant it first failed in."""

    def __init__(self) -> None:
        self._first: dict[Message, str] = {}
        self._variants: dict[Message, int] = {}
        self._total = 0

    def add(self, message: Message, variant: str) -> None:
        """Record an error of a variant; a repetition in the same variant counts once."""
        if message not in self._first:
            self._first[message] = variant
            self._variants[message] = 0
        self._variants[message] += 1

    def finish_variant(self) -> None:
        """One more variant is done."""
        self._total += 1

    def __bool__(self) -> bool:
        return bool(self._first)

    def messages(self) -> list[Message]:
        """In file order."""
        return sorted(self._first, key=lambda m: (m.position.path, m.position.line, m.position.col, m.code, m.what))

    def texts(self) -> list[str]:
        """The lines for the user."""
        return [message.text(self._note(message)) for message in self.messages()]

    def _note(self, message: Message) -> str:
        first, count = self._first[message], self._variants[message]
        if self._total <= 1 or not first:
            return first
        if count >= self._total:
            return f"{first}; the same in all {self._total} variants"
        return f"{first}; fails in {count} of {self._total} variants"


def fail(path: str, node: ast.AST, code: str, what: str, found: str = "", allowed: str = "", fix: str = "") -> None:
    """Raise a CodegenError at `node`."""
    raise CodegenError(Message(Position.of(path, node), code, what, found, allowed, fix))


def did_you_mean(name: str, known: list[str]) -> str | None:
    """The known name nearest to `name`, if one is near."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1, cutoff=0.76)
    return near[0] if near else None
