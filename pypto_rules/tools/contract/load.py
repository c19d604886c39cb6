"""Execute a kernel file alone: its own helpers, the front end and the standard library; nothing else of the machine."""

from __future__ import annotations
import __future__

import contextlib
import io
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pypto_rules.tools.contract import failures, opdef, places, standins
from pypto_rules.tools.contract import source as sources
from pypto_rules.tools.contract.problems import ContractError, Location, Problems

MODULE_NAME = "_pypto_kernel"


@dataclass(frozen=True)
class Request:
    """What to load and check. Paths are absolute; `shown` is what errors call the kernel file."""

    kernel: Path
    shown: str
    helpers: tuple[tuple[Path, str], ...] = ()
    op_def: opdef.OpDef | None = None
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


def _stays(module: str) -> bool:
    package = module.partition(".")[0]
    return package in sys.stdlib_module_names or package in ("__main__", "pypto_pro", "pypto_rules")


@contextlib.contextmanager
def isolated(request: Request) -> Iterator[None]:
    """The interpreter state a kernel file is executed in; restored afterwards."""
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    import pypto_pro.language
    import pypto_pro.runtime.tilingkey  # noqa: F401

    path, stdin, modules = sys.path[:], sys.stdin, dict(sys.modules)
    for name in [name for name in sys.modules if not _stays(name)]:
        del sys.modules[name]  # imported by this process, but not by what the kernel file may import
    # The standard library goes first: a kernel called select.py must not become the library's own select.
    sys.path[:] = [*places.standard_library(), places.front_end(), *request.search_path()]
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


def read(request: Request) -> sources.SourceIndex:
    """Read and parse the kernel file. ContractError when that fails."""
    return sources.SourceIndex(sources.read(request.kernel, request.shown), dict(request.helpers))


def load(request: Request, index: sources.SourceIndex, problems: Problems) -> Loaded:
    """Execute the kernel file. Call inside `isolated`. ContractError when it cannot be loaded."""
    _check_helper_names(request, problems)
    module = types.ModuleType(MODULE_NAME)
    module.__file__ = str(request.kernel)
    sys.modules[MODULE_NAME] = module  # dataclasses look their module up by name
    if request.kernel.stem not in sys.stdlib_module_names:
        sys.modules.setdefault(request.kernel.stem, module)  # for helpers that import the kernel's file
    code = _compile(index.kernel, problems)
    restore = _remember_python()
    raised: BaseException | None = None
    try:
        exec(code, module.__dict__)
    except BaseException as error:  # whatever the user's code raises is the user's to read
        raised = error
    restore()
    if raised is not None:
        raise ContractError(failures.load_problem(raised, index)) from None
    return Loaded(module, index)


def _remember_python() -> Callable[[], None]:
    """Undoes what a kernel file does to Python's own modules (`builtins.len = …`): the checks need them."""
    modules, depth = dict(sys.modules), sys.getrecursionlimit()
    kept = [(vars(module), dict(vars(module))) for name, module in modules.items() if _stays(name)]

    def restore() -> None:
        sys.setrecursionlimit(depth)
        for name in modules.keys() - sys.modules.keys():
            sys.modules[name] = modules[name]
        for current, before in kept:
            for name, value in before.items():
                if current.get(name) is not value and callable(value):
                    current[name] = value

    return restore


def _compile(kernel: sources.SourceFile, problems: Problems) -> types.CodeType:
    arrays = sources.evaluated_arrays(kernel.tree)
    for member in arrays:
        problems.include(failures.array_problem(kernel, member))
    # With the array annotations reported, keeping annotations as text lets the other problems be found too.
    flags = __future__.annotations.compiler_flag if arrays else 0
    try:
        return compile(kernel.text, str(kernel.path), "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ContractError(sources.syntax_problem(error, kernel.shown)) from None


def _check_helper_names(request: Request, problems: Problems) -> None:
    for path, shown in request.helpers:
        if path.suffix == ".py" and path.stem in sys.stdlib_module_names:
            message = f"helper module '{path.stem}' has the name of a module of the standard library, which wins"
            problems.add("PYPTO-E008", Location(shown), message, f"rename the file, for example to op_{path.stem}.py")
