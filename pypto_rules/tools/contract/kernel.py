"""The kernel function itself: there is one, it has the file's name, and `@pl.jit` is used as documented."""

from __future__ import annotations

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
    kernel = next(iter(kernels.values()))
    placed = loaded.index.function_node(kernel.function)
    if placed is None:
        message = "the source of the @pl.jit kernel is not in a file; the build reads kernels as source"
        raise ContractError(
            make("PYPTO-E101", Location(loaded.index.kernel.shown), message, "write it as def in this file")
        )
    return KernelFunction(kernel.function, kernel.options, *placed)


def _no_kernel(loaded: load.Loaded) -> Any:
    kernel_file = loaded.index.kernel
    at, fix = (
        Location(kernel_file.shown),
        "define the kernel as @pl.jit(tiling_key=…) above def " + kernel_file.path.stem,
    )
    candidate = vars(loaded.module).get(kernel_file.path.stem)
    if isinstance(candidate, types.FunctionType):
        placed = loaded.index.function_node(candidate)
        if placed is not None:
            at, fix = placed[0].at_name(placed[1]), f"write @pl.jit(tiling_key=…) above def {candidate.__name__}"
    return make("PYPTO-E101", at, "the file defines no @pl.jit kernel; allowed is exactly one", fix)


def _several(kernels: Mapping[str, declarations.JitKernel], index: source.SourceIndex) -> Any:
    places = []
    at = Location(index.kernel.shown)
    for name, kernel in kernels.items():
        placed = index.function_node(kernel.function)
        if placed is None:
            places.append(name)
            continue
        at = placed[0].at_name(placed[1])
        places.append(f"{name} ({at.path}:{at.line})")
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
    reason = cxx_names.why_not(name)
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
