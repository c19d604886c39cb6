"""Errors a kernel author reads: what is wrong, what was found, what is allowed, the edit that fixes it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field

from pypto_rules.tools.contract.problems import Location, quoted
from toolchains.twin.codegen.codes import RULES

LinesOf = Callable[[str], Sequence[str] | None]


def place_of(path: str, node: ast.AST) -> Location:
    """Where `node` begins in the file `path`, as it was given on the command line."""
    return Location(path, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


@dataclass(frozen=True)
class Message:
    """One error. `found` and `allowed` may be empty; `callers` are the calls that led there, the innermost first."""

    place: Location
    code: str
    what: str
    _: KW_ONLY
    found: str = ""
    allowed: str = ""
    fix: str
    callers: tuple[Location, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.code not in RULES:
            raise KeyError(f"{self.code} is not registered in codes.py")

    def one_line(self) -> str:
        """`path:line:col: error[CODE]: what; found …; allowed …; fix: …`."""
        named = (("found ", self.found), ("allowed ", self.allowed), ("fix: ", self.fix))
        parts = [self.what, *(word + text for word, text in named if text)]
        at = self.place
        return f"{at.path}:{at.line}:{at.col}: error[{self.code}]: {' '.join('; '.join(parts).split())}"

    def text(self, lines_of: LinesOf, variant: str = "") -> str:
        """The line with the variant it was found in, the source line and a caret, and the same for the callers."""
        note = f" [{variant}]" if variant else ""
        text = self.one_line() + note + quoted(self.place, lines_of(self.place.path))
        for at in self.callers:
            text += f"\n  called from {at.path}:{at.line}:{at.col}" + quoted(at, lines_of(at.path))
        return text


class CodegenError(Exception):
    """A construct this generator refuses; carries the message for the author."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.one_line())
        self.message = message


class Diagnostics:
    """Errors over all variants: each once, with the variant it first failed in."""

    def __init__(self) -> None:
        self._first: dict[Message, str] = {}
        self._variants: dict[Message, int] = {}
        self._total = 0

    def add(self, message: Message, variant: str = "") -> None:
        """Record an error, of a variant if one is named; a repetition in the same variant counts once."""
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
        return sorted(self._first, key=lambda m: (m.place, m.code, m.what))

    def texts(self, lines_of: LinesOf) -> list[str]:
        """What the user reads; `lines_of` has the lines of a path."""
        return [message.text(lines_of, self._note(message)) for message in self.messages()]

    def _note(self, message: Message) -> str:
        first, count = self._first[message], self._variants[message]
        if self._total <= 1 or not first:
            return first
        if count >= self._total:
            return f"{first}; the same in all {self._total} variants"
        return f"{first}; fails in {count} of {self._total} variants"


def did_you_mean(name: str, known: list[str]) -> str | None:
    """The known name nearest to `name`, if one is near."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1, cutoff=0.76)
    return near[0] if near else None
