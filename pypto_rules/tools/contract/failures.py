"""What an exception of the user's code becomes: a problem at the user's own line, with the user's own callers."""

from __future__ import annotations

import ast
import os
import types
from collections.abc import Iterator
from pathlib import Path

from pypto_rules.tools.contract import guard, places, standins
from pypto_rules.tools.contract import source as sources
from pypto_rules.tools.contract.problems import Location, Problem, make

_MOST_CALLERS = 5
_CALLED_BY_USERS = ("guard.py", "standins.py")
_ENDS = ("_exit", "abort")  # of os: they leave no exception that would tell the line


def user_frames(error: BaseException, index: sources.SourceIndex) -> list[Location]:
    """The places in the user's files that an exception came through, the innermost first."""
    return user_places(_of_traceback(error.__traceback__), index)


def user_places(frames: Iterator[tuple[types.CodeType, int, int]], index: sources.SourceIndex) -> list[Location]:
    """The user's files among frames (code, line, last instruction), given outermost first; returned innermost first."""
    python = (*places.standard_library(), places.front_end())
    own = os.path.dirname(os.path.abspath(__file__)) + os.sep
    found = []
    for code, line, instruction in frames:
        name = code.co_filename
        if name.startswith(own):
            if os.path.basename(name) not in _CALLED_BY_USERS:
                found.clear()  # whoever called the tool is no part of the user's story
        elif name == str(index.kernel.path) or (os.path.isabs(name) and not name.startswith(python)):
            found.append((code, line, instruction))
    innermost = dict.fromkeys(found[::-1])  # a recursion comes through the same places again and again
    return [_place(*frame, index) for frame in list(innermost)[: _MOST_CALLERS + 1]]


def _of_traceback(trace: types.TracebackType | None) -> Iterator[tuple[types.CodeType, int, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code, trace.tb_lineno, trace.tb_lasti
        trace = trace.tb_next


def _place(code: types.CodeType, line: int, instruction: int, index: sources.SourceIndex) -> Location:
    column = None
    if hasattr(code, "co_positions"):  # Python 3.11 on
        position = next((p for i, p in enumerate(code.co_positions()) if i == instruction // 2), None)
        if position is not None and position[0] == line:
            column = position[2]
    source = index.file(code.co_filename)
    if source is None:
        return Location(index.shown(Path(code.co_filename)), line)
    if column is None:
        text = source.lines[line - 1] if line <= len(source.lines) else ""
        column = len(text) - len(text.lstrip())
    return source.at_offset(line, column)


def describe(error: BaseException) -> str:
    """Type and text of an exception, whatever its __str__ does."""
    try:
        text = str(error)
    except Exception:  # a broken __str__ of the user's
        text = ""
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def load_problem(error: BaseException, index: sources.SourceIndex) -> Problem:
    """The problem for an exception of the user's module code."""
    if isinstance(error, SyntaxError):
        path = Path(error.filename) if error.filename else index.kernel.path
        return sources.syntax_problem(error, index.shown(path))
    if isinstance(error, guard.Refused):
        return attempt_problem(error.attempt, index)
    at, *callers = user_frames(error, index) or [Location(index.kernel.shown)]
    array = _array_member(error, at, index)
    if array is not None:
        return array
    code, message, fix = _kind(error)
    return make(code, at, message, fix, callers)


def attempt_problem(attempt: guard.Attempt, index: sources.SourceIndex) -> Problem:
    """The problem for a step that the guard refused."""
    at, *callers = user_places(iter(attempt.frames), index) or [Location(index.kernel.shown)]
    if attempt.kind == "read":
        message = f"the file reads {attempt.what} while it loads; allowed are itself and its declared helper modules"
        fix = "list a helper module in deps of the operator; write data into a helper module as Python values"
        return make("PYPTO-E011", at, message, fix, callers)
    did = f"writes {attempt.what}" if attempt.kind == "write" else f"starts {attempt.what}"
    message = f"the file {did} while it loads; allowed is to compute its declarations, in a directory of its own"
    return make("PYPTO-E010", at, message, "put the code under 'if __name__ == \"__main__\":'", callers)


def death_problem(how: str, kernel: sources.SourceFile) -> Problem:
    """The problem for a kernel file that ended the process it was loaded in; `how` says how."""
    if how.startswith("took"):
        message = f"loading the file, or asking its is_valid, {how}; allowed is what declarations need"
        fix = "move long computations into the kernel or under 'if __name__ == \"__main__\":'"
        return make("PYPTO-E009", Location(kernel.shown), message, fix)
    ends = [node for node in ast.walk(kernel.tree) if isinstance(node, ast.Attribute) and node.attr in _ENDS]
    at = kernel.at(ends[0]) if ends else Location(kernel.shown)
    fix = "put the code under 'if __name__ == \"__main__\":'"
    return make("PYPTO-E007", at, f"the process that loads the file {how}", fix)


def _kind(error: BaseException) -> tuple[str, str, str]:
    """Code, message and fix for the kinds of exceptions that say more than that one was raised."""
    if isinstance(error, standins.StandInUsed):
        message = f"{error.name} is used while the kernel file loads, but a build has no {error.name.partition('.')[0]}"
        return "PYPTO-E006", message, "move the use into a host function, or compute the constant with plain Python"
    if isinstance(error, ModuleNotFoundError):
        name = error.name or str(error)
        message = (
            f"cannot import '{name}': it is neither a declared helper module nor in the standard library; what is not "
            "declared, files beside the kernel and packages of the machine alike, is invisible to a build"
        )
        fix = f"list {name.partition('.')[0]}.py, or its py_library, in deps of the operator; or drop the import"
        return "PYPTO-E005", message, fix
    if isinstance(error, SystemExit):
        fix = "put the code under 'if __name__ == \"__main__\":'"
        return "PYPTO-E007", f"the file ends the process while it loads: {describe(error)}", fix
    if type(error).__name__ == "DeclarationError":
        return "PYPTO-E004", str(error), error.fix  # type: ignore[attr-defined]
    fix = "correct this line; the build executes the file to read its declarations"
    return "PYPTO-E004", f"the file raises {describe(error)} while it loads", fix


def array_problem(source: sources.SourceFile, member: ast.AnnAssign) -> Problem:
    """The problem for a class member annotated `int[4]` and the like, which Python evaluates and fails on."""
    text = ast.unparse(member.annotation)
    name = ast.unparse(member.target)
    message = (
        f"field '{name}': Python evaluates the annotation {text} and fails, since {text.partition('[')[0]} "
        "is not subscriptable"
    )
    fix = f"add 'from __future__ import annotations' as the first import, or write {name}: \"{text}\""
    return make("PYPTO-E311", source.at(member), message, fix)


def _array_member(error: BaseException, at: Location, index: sources.SourceIndex) -> Problem | None:
    if not isinstance(error, TypeError) or "not subscriptable" not in str(error):
        return None
    names = dict.fromkeys(code.co_filename for code, _, _ in _of_traceback(error.__traceback__))
    for source in (index.file(name) for name in names if os.path.isabs(name)):
        if source is None or source.shown != at.path:
            continue
        for member in sources.evaluated_arrays(source.tree):
            if member.lineno == at.line:
                return array_problem(source, member)
    return None
