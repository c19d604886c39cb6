"""Problems: where, what, and the edit that removes it; collected so that one run shows all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pypto_rules.tools.contract.codes import RULES


@dataclass(frozen=True, order=True)
class Location:
    """A place in a file the user wrote; lines and columns count from 1."""

    path: str
    line: int = 1
    col: int = 1


@dataclass(frozen=True)
class Problem:
    """One violated rule; `callers` are the user's frames that led there, the innermost first."""

    code: str
    path: str
    line: int
    col: int
    message: str
    fix: str
    callers: tuple[Location, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The problem with the field names of `contract check --json`."""
        return asdict(self)

    def one_line(self) -> str:
        """The problem as compilers print theirs."""
        return f"{self.path}:{self.line}:{self.col}: error[{self.code}]: {self.message}; fix: {self.fix}"


class ContractError(Exception):
    """The check cannot go on; the problem says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.one_line())
        self.problem = problem


@dataclass
class Problems:
    """Collects problems in the order of the file, each once."""

    found: list[Problem] = field(default_factory=list)

    def add(self, code: str, at: Location, message: str, fix: str, callers: Sequence[Location] = ()) -> None:
        """Record a problem."""
        self.include(make(code, at, message, fix, callers))

    def include(self, problem: Problem) -> None:
        """Record a problem that is already made."""
        if problem not in self.found:
            self.found.append(problem)

    def sorted(self) -> list[Problem]:
        """All problems by position."""
        return sorted(self.found, key=lambda p: (p.path, p.line, p.col, p.code))

    def __bool__(self) -> bool:
        return bool(self.found)


def make(code: str, at: Location, message: str, fix: str, callers: Sequence[Location] = ()) -> Problem:
    """A problem; the code must be a registered one, the texts one line each."""
    if code not in RULES:
        raise KeyError(f"{code} is not registered in codes.py")
    return Problem(code, at.path, at.line, at.col, " ".join(message.split()), " ".join(fix.split()), tuple(callers))


def render(problem: Problem, lines_of: Callable[[str], Sequence[str] | None]) -> str:
    """The problem as text; with source lines and carets where `lines_of` has the lines of a path."""
    at = Location(problem.path, problem.line, problem.col)
    text = problem.one_line() + quoted(at, lines_of(at.path))
    for caller in problem.callers:
        text += f"\n  called from {caller.path}:{caller.line}:{caller.col}" + quoted(caller, lines_of(caller.path))
    return text


def quoted(at: Location, lines: Sequence[str] | None) -> str:
    """The source line and a caret, each on a line of its own; nothing when there is no such line."""
    if not lines or not 0 < at.line <= len(lines):
        return ""
    line = lines[at.line - 1].rstrip()
    if not line.strip():
        return ""
    # Tabs are kept in the caret line so that it stays aligned however wide they are shown.
    pad = "".join("\t" if char == "\t" else " " for char in line[: at.col - 1])
    return f"\n    {line}\n    {pad}^"
