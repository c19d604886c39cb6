"""Execute a kernel file alone: its own helpers, the front end and the standard library; nothing else of the machine."""

from __future__ import annotations
import __future__

import contextlib
import io
import os
import sys
import sysconfig
import types
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract import source as sources
from pypto_rules.tools.contract import standins
from pypto_rules.tools.contract.problems import ContractError, Location, Problem, Problems, make

MODULE_NAME = "_pypto_kernel"


@dataclass(frozen=True)
class Request:
    """What to load. Paths are absolute; `shown` is what errors call the kernel file."""

    kernel: Path
    shown: str
    helpers: tuple[tuple[Path, str], ...] = ()
    import_roots: tuple[Path, ...] = ()

    def search_path(self) -> list[str]:
        """Directories whose modules the kernel may import."""
        directories = [self.kernel.parent, *self.import_roots, *(path.parent for path, _ in self.helpers)]
        return list(dict.fromkeys(str(directory) for directory in directories))


@dataclass
class Loaded:
    """The executed module and the sources behind it."""

    module: types.ModuleType
    index: sources.SourceIndex


def _standard_library() -> list[str]:
    places = {os.path.abspath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
    kept = []
    for entry in sys.path:
        absolute = os.path.abspath(entry) if entry else ""
        inside = any(absolute == place or absolute.startswith(place + os.sep) for place in places)
        zipped = absolute.endswith(f"python{sys.version_info[0]}{sys.version_info[1]}.zip")
        if (inside or zipped) and "site-packages" not in absolute and "dist-packages" not in absolute:
            kept.append(entry)
    return kept


def _front_end_directory() -> str:
    import pypto_pro

    return str(Path(os.path.abspath(pypto_pro.__file__ or "")).parent.parent)


def _stays(module: str) -> bool:
    package = module.partition(".")[0]
    return package in sys.stdlib_module_names or package in ("__main__", "pypto_pro", "pypto_rules")


@contextlib.contextmanager
def isolated(request: Request) -> Iterator[None]:
    """The interpreter state a kernel file is executed in; restored afterwards."""
    import pypto_pro.language
    import pypto_pro.runtime.tilingkey  # noqa: F401

    path, bytecode, stdin, modules = sys.path[:], sys.dont_write_bytecode, sys.stdin, dict(sys.modules)
    for name in [name for name in sys.modules if not _stays(name)]:
        del sys.modules[name]  # imported by this process, but not by what the kernel file may import
    # The standard library goes first: a kernel called select.py must not become the library's own select.
    sys.path[:] = [*_standard_library(), _front_end_directory(), *request.search_path()]
    sys.dont_write_bytecode = True
    sys.stdin = io.StringIO()
    try:
        with standins.installed(), contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they name absolute paths; what matters is reported as a problem
            yield
    finally:
        sys.path[:] = path
        sys.dont_write_bytecode = bytecode
        sys.stdin = stdin
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.modules.update(modules)


def load(request: Request, problems: Problems) -> Loaded:
    """Execute the kernel file. Call inside `isolated`. ContractError when it cannot be loaded."""
    kernel = sources.read(request.kernel, request.shown)
    index = sources.SourceIndex(kernel, dict(request.helpers))
    _check_helper_names(request, problems)
    module = types.ModuleType(MODULE_NAME)
    module.__file__ = str(request.kernel)
    sys.modules[MODULE_NAME] = module  # dataclasses look their module up by name
    if request.kernel.stem not in sys.stdlib_module_names:
        sys.modules.setdefault(request.kernel.stem, module)  # for helpers that import the kernel's file
    try:
        exec(_compile(kernel, problems), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the user's code raises is the user's to read
        raise ContractError(load_problem(error, index)) from None
    return Loaded(module, index)


def _compile(kernel: sources.SourceFile, problems: Problems) -> types.CodeType:
    arrays = sources.evaluated_arrays(kernel.tree)
    for member in arrays:
        _add_array_problem(kernel, member, problems)
    # With the array annotations reported, keeping annotations as text lets the other problems be found too.
    flags = __future__.annotations.compiler_flag if arrays else 0
    try:
        return compile(kernel.text, str(kernel.path), "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ContractError(sources.syntax_problem(error, kernel.shown)) from None


def _add_array_problem(source: sources.SourceFile, member: Any, problems: Problems) -> None:
    problem = _array_problem(source, member)
    problems.add(problem.code, Location(problem.path, problem.line, problem.col), problem.message, problem.fix)


def _array_problem(source: sources.SourceFile, member: Any) -> Problem:
    import ast

    text = ast.unparse(member.annotation)
    name = ast.unparse(member.target)
    message = (
        f"field '{name}': Python evaluates the annotation {text} and fails, since {text.partition('[')[0]} "
        "is not subscriptable"
    )
    fix = f"add 'from __future__ import annotations' as the first import, or write {name}: \"{text}\""
    return make("PYPTO-E311", source.at(member), message, fix)


def _check_helper_names(request: Request, problems: Problems) -> None:
    for path, shown in request.helpers:
        if path.suffix == ".py" and path.stem in sys.stdlib_module_names:
            message = f"helper module '{path.stem}' has the name of a module of the standard library, which wins"
            problems.add("PYPTO-E008", Location(shown), message, f"rename the file, for example to op_{path.stem}.py")


def user_location(error: BaseException, index: sources.SourceIndex) -> Location | None:
    """The innermost place in the user's own files that an exception came through."""
    front_end = _front_end_directory()
    own = str(Path(__file__).parent)
    skipped = (*_standard_library(), front_end, own)
    location = None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        name = code.co_filename
        if name == str(index.kernel.path) or (os.path.isabs(name) and not name.startswith(skipped)):
            location = _frame_location(trace, Path(name), index)
        trace = trace.tb_next
    return location


def _frame_location(trace: types.TracebackType, path: Path, index: sources.SourceIndex) -> Location:
    code, offset, column = trace.tb_frame.f_code, trace.tb_lasti // 2, None
    if hasattr(code, "co_positions"):  # Python 3.11 on
        position = next((p for i, p in enumerate(code.co_positions()) if i == offset), None)
        if position is not None and position[0] == trace.tb_lineno:
            column = position[2]
    source = index.file(path)
    if source is None:
        return Location(index.shown(path), trace.tb_lineno)
    if column is None:
        line = source.lines[trace.tb_lineno - 1] if trace.tb_lineno <= len(source.lines) else ""
        column = len(line) - len(line.lstrip())
    return source.at_offset(trace.tb_lineno, column)


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
    at = user_location(error, index) or Location(index.kernel.shown)
    if isinstance(error, SyntaxError):
        path = Path(error.filename) if error.filename else index.kernel.path
        return sources.syntax_problem(error, index.shown(path))
    if isinstance(error, standins.StandInUsed):
        message = f"{error.name} is used while the kernel file loads, but a build has no {error.name.partition('.')[0]}"
        fix = "move the use into a host function, or compute the constant with plain Python or math"
        return make("PYPTO-E006", at, message, fix)
    if isinstance(error, ModuleNotFoundError):
        name = error.name or str(error)
        message = (
            f"cannot import '{name}': it is neither a declared helper module nor in the standard library; what is not "
            "declared, files beside the kernel and packages of the machine alike, is invisible to a build"
        )
        fix = (
            f"list {name.partition('.')[0]}.py, or the py_library it is in, in deps of the operator; or drop the import"
        )
        return make("PYPTO-E005", at, message, fix)
    if isinstance(error, SystemExit):
        fix = "put the code under 'if __name__ == \"__main__\":'"
        return make("PYPTO-E007", at, f"the file ends the process while it loads: {describe(error)}", fix)
    array = _array_member(error, at, index)
    if array is not None:
        return array
    if type(error).__name__ == "DeclarationError":
        return make("PYPTO-E004", at, str(error), "move the call into the kernel, or drop it")
    message = f"the file raises {describe(error)} while it loads"
    return make("PYPTO-E004", at, message, "correct this line; the build executes the file to read its declarations")


def _array_member(error: BaseException, at: Location, index: sources.SourceIndex) -> Problem | None:
    if not isinstance(error, TypeError) or "not subscriptable" not in str(error):
        return None
    for path in _paths(error):
        source = index.file(path)
        for member in sources.evaluated_arrays(source.tree) if source is not None else []:
            if source is not None and source.shown == at.path and member.lineno == at.line:
                return _array_problem(source, member)
    return None


def _paths(error: BaseException) -> Sequence[str]:
    found = []
    trace = error.__traceback__
    while trace is not None:
        found.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return [name for name in found if os.path.isabs(name)]
