"""The kernel function itself: there is one, it has the file's name, and `@pl.jit` is used as documented."""

from __future__ import annotations

import ast
import difflib
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract import cxx_names, declarations, load, source
from pypto_rules.tools.contract.problems import ContractError, Location, Problems, make

_OPTIONS = ("arch", "auto_mutex", "name", "pipeline", "tiling_key", "datatype", "compile_timeout")
ARCHES = ("a2", "a3", "a5", "auto", "2201", "3510")


@dataclass(frozen=True)
class KernelFunction:
    """The one kernel of a file, and where it is written."""

    function: Any
    options: Mapping[str, Any]
    file: source.SourceFile
    node: source.FunctionNode

    @property
    def at(self) -> Location:
        """The line of `def`."""
        return self.file.at_name(self.node)

    def at_option(self, name: str) -> Location:
        """Where `@pl.jit` is given a keyword; its own line when it is not."""
        word = source.keyword(self.node, name)
        return self.file.at(word or source.jit_call(self.node) or self.node)

    def dict_places(self, name: str) -> source.DictPlaces:
        """Where the entries of a keyword's dict are."""
        word = source.keyword(self.node, name)
        return source.dict_places(self.file, word.value if word else None, self.at_option(name))


def find(loaded: load.Loaded) -> KernelFunction:
    """The one kernel of the file; ContractError when there is none, or several."""
    kernels = {
        name: kernel
        for name, value in vars(loaded.module).items()
        if (kernel := declarations.as_kernel(value)) is not None
    }
    if not kernels:
        raise ContractError(_no_kernel(loaded))
    if len(kernels) > 1:
        raise ContractError(_several(kernels, loaded.index))
    name, kernel = next(iter(kernels.items()))
    placed = loaded.index.function_node(kernel.function)
    if placed is None:
        raise ContractError(_no_function(name, kernel.function, loaded.index.kernel))
    return KernelFunction(kernel.function, kernel.options, *placed)


def _no_kernel(loaded: load.Loaded) -> Any:
    kernel_file = loaded.index.kernel
    at, fix = (
        Location(kernel_file.shown),
        "define the kernel as @pl.jit(tiling_key=…) above def " + kernel_file.path.stem,
    )
    found = ""
    candidate = vars(loaded.module).get(kernel_file.path.stem)
    hidden = next((node for node in source.jit_functions(kernel_file.tree)), None)
    if hidden is not None:
        at = kernel_file.at_name(hidden)
        found = f"; found '{hidden.name}' in line {at.line}, which is no variable of the module"
        fix = f"move def {hidden.name} to the top level of the file, with @pl.jit as its first decorator"
    elif isinstance(candidate, types.FunctionType):
        placed = loaded.index.function_node(candidate)
        if placed is not None:
            at, fix = placed[0].at_name(placed[1]), f"write @pl.jit(tiling_key=…) above def {candidate.__name__}"
    return make("PYPTO-E101", at, f"the file defines no @pl.jit kernel{found}; allowed is exactly one", fix)


def _no_function(name: str, function: Any, file: source.SourceFile) -> Any:
    """The problem for @pl.jit around something else than a function of a file."""
    bound = source.assignments(file.tree.body, functions=True).get(name)
    at = file.at(bound[-1]) if bound else Location(file.shown)
    found = declarations.spelled(function) if not isinstance(function, types.FunctionType) else f"'{function.__name__}'"
    message = f"@pl.jit of '{name}' is given {found}; allowed is a function that is written as def in a file"
    return make("PYPTO-E107", at, message, f"write @pl.jit(…) and nothing else above def {name}")


def _several(kernels: Mapping[str, declarations.JitKernel], index: source.SourceIndex) -> Any:
    places = []
    at = Location(index.kernel.shown)
    for name, kernel in kernels.items():
        placed = index.function_node(kernel.function)
        if placed is None:
            places.append(name)
            continue
        place = placed[0].at_name(placed[1])
        places.append(f"{name} ({place.path}:{place.line})")
        if placed[0] is index.kernel:
            at = place
        elif (imported := source.assignments(index.kernel.tree.body).get(name)) is not None:
            at = index.kernel.at(imported[-1])
    if len({id(kernel.function) for kernel in kernels.values()}) < len(kernels):
        fix = "remove the second name of the same kernel"
    else:
        fix = "keep one kernel in the file; make the others helpers without @pl.jit, or files of their own"
    message = f"the file has {len(kernels)} @pl.jit kernels: {', '.join(places)}; allowed is exactly one"
    return make("PYPTO-E102", at, message, fix)


def check(kernel: KernelFunction, stem: str, problems: Problems) -> None:
    """The name rules and the keywords of `@pl.jit`."""
    name = kernel.node.name
    if name != stem:
        rename = f"rename the function to {stem}" if stem.isidentifier() else "rename the file"
        problems.add(
            "PYPTO-E103",
            kernel.at,
            f"kernel function '{name}' is not called like its file '{stem}.py'; "
            "the operator's entry is found by that name",
            f"{rename}, or the file to {name}.py",
        )
    _check_plain(kernel, problems)
    reason = cxx_names.why_not_global(name)
    if reason is not None:
        problems.add(
            "PYPTO-E409", kernel.at, f"kernel name: {reason}", f"rename it, for example to {cxx_names.better(name)}"
        )
    for option in kernel.options:
        if option not in _OPTIONS:
            close = difflib.get_close_matches(option, _OPTIONS, n=1)
            fix = f"did you mean {close[0]}?" if close else f"remove {option}"
            message = f"@pl.jit got the unknown keyword '{option}'; allowed are {', '.join(_OPTIONS)}"
            problems.add("PYPTO-E104", kernel.at_option(option), message, fix)
    _check_values(kernel, problems)


def _check_plain(kernel: KernelFunction, problems: Problems) -> None:
    """The function is plain, and the only one of its name: Python would keep the last without a word."""
    name, node = kernel.node.name, kernel.node
    yields = [inner for inner in source.own_nodes(node) if isinstance(inner, (ast.Yield, ast.YieldFrom))]
    if isinstance(node, ast.AsyncFunctionDef) or yields:
        found, at = ("a generator", kernel.file.at(yields[0])) if yields else ("async", kernel.at)
        message = f"kernel '{name}' is {found}; allowed is a plain function, since device code runs from top to bottom"
        problems.add("PYPTO-E107", at, message, f"write def {name}(…) without {'yield' if yields else 'async'}")
    for other in source.jit_functions(kernel.file.tree):
        if other is not node and other.name == name and other in kernel.file.tree.body:
            message = f"'{name}' is defined as a @pl.jit kernel again in line {kernel.at.line}; allowed is exactly one"
            problems.add("PYPTO-E102", kernel.file.at_name(other), message, "rename or remove one of them")


def _check_values(kernel: KernelFunction, problems: Problems) -> None:
    options = kernel.options
    arch = options.get("arch")
    if arch is not None and arch not in ARCHES:
        message = f"@pl.jit has arch={declarations.spelled(arch)}; allowed are {', '.join(ARCHES)}"
        problems.add("PYPTO-E105", kernel.at_option("arch"), message, "remove arch: the SoC of the build selects it")
    if not isinstance(options.get("auto_mutex", True), bool):
        message = f"@pl.jit has auto_mutex={declarations.spelled(options['auto_mutex'])}; allowed are True and False"
        problems.add("PYPTO-E105", kernel.at_option("auto_mutex"), message, "write auto_mutex=True or auto_mutex=False")
    timeout = options.get("compile_timeout")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout <= 0):
        message = (
            f"@pl.jit has compile_timeout={declarations.spelled(timeout)}; allowed is a positive number of seconds"
        )
        problems.add(
            "PYPTO-E105", kernel.at_option("compile_timeout"), message, "remove compile_timeout: the build has its own"
        )
    name = options.get("name")
    if name is not None and name != kernel.node.name:
        message = f"@pl.jit has name={declarations.spelled(name)}, the function is called '{kernel.node.name}'"
        problems.add("PYPTO-E106", kernel.at_option("name"), message, "remove name")


def arch(kernel: KernelFunction) -> str | None:
    """The architecture the kernel pins, None when it pins none."""
    value = kernel.options.get("arch")
    return None if value in (None, "auto") else str(value)
