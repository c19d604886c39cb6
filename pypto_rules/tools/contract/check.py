"""The contract of one kernel file: every rule, in one pass, with every problem that can be found."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract import (
    body,
    datatype,
    declarations,
    failures,
    guard,
    kernel,
    layout,
    load,
    manifest,
    opdef,
    params,
    schema,
    source,
)
from pypto_rules.tools.contract.problems import ContractError, Problem, Problems, render


@dataclass(frozen=True)
class Result:
    """The kernel when there are no problems, else the problems with their texts."""

    kernel: manifest.Kernel | None
    problems: tuple[Problem, ...]
    texts: tuple[str, ...]


def check(
    request: load.Request,
    max_variants: int = schema.DEFAULT_MAX_VARIANTS,
    watch: guard.Guard | None = None,
    alive: Callable[[], None] = lambda: None,
) -> Result:
    """Load a kernel file and check it; what `watch` refuses meanwhile is a problem, too.

    `alive` is called now and then while TilingKey combinations are looked at.
    """
    problems = Problems()
    index: source.SourceIndex | None = None
    described = None
    with load.isolated(request):
        try:
            index = load.read(request)
            loaded = load.load(request, index, problems)
            described = _check_loaded(loaded, request, schema.Bounds(max_variants, alive), problems)
        except ContractError as error:
            problems.found.append(error.problem)
        except Exception as error:  # raised by an object of the user's when it was looked at, or a fault of this tool
            if index is None or not failures.user_frames(error, index):
                raise
            problems.include(failures.load_problem(error, index))
        for attempt in watch.attempts if watch and index else []:
            problems.include(failures.attempt_problem(attempt, index))
        found = tuple(problems.sorted())
        texts = tuple(render(problem, lambda path: _lines(path, index, request)) for problem in found)
    return Result(None if found else described, found, texts)


def _lines(path: str, index: source.SourceIndex | None, request: load.Request) -> list[str] | None:
    if index is not None:
        return index.lines(path)
    if path != request.shown:
        return None
    try:
        return request.kernel.read_text(encoding="utf-8-sig", errors="replace").split("\n")
    except OSError:
        return None


def _check_loaded(
    loaded: load.Loaded, request: load.Request, bounds: schema.Bounds, problems: Problems
) -> manifest.Kernel | None:
    stem = request.kernel.stem
    found = kernel.find(loaded)
    kernel.check(found, stem, problems)
    parameters = params.ParameterCheck(found.function, found.file, found.node, problems)
    parameters.check_workspace()
    key_class = found.options.get("tiling_key")
    key = _check_key(found, key_class, bounds, loaded, problems)
    field_names = _key_field_names(key_class)
    _check_name_clashes(field_names, found, key_class, parameters, loaded, problems)
    business = {parameter.name: parameter.at for parameter in parameters.business()}
    types_of = datatype.check(
        found.options.get("datatype"),
        found.dict_places("datatype"),
        [p.name for p in parameters.parameters],
        [p.name for p in parameters.parameters if p.name not in business],
        field_names,
        problems,
    )
    if request.op_def is not None:
        _check_op_def(request.op_def, found, stem, parameters, problems)
    tiling, sections = _check_tiling(found, parameters, loaded, problems)
    if problems or key is None or tiling is None or sections is None:
        return None
    described, entry = parameters.described()
    return manifest.Kernel(
        kernel_name=found.node.name,
        op_file=stem,
        tiling_key=key,
        datatype=types_of,
        tiling=tiling,
        params=described,
        entry_params=entry,
        has_cube=sections.has_section("section_cube"),
        has_vector=sections.has_section("section_vector"),
        arch=kernel.arch(found),
    )


def _check_tiling(
    found: kernel.KernelFunction, parameters: params.ParameterCheck, loaded: load.Loaded, problems: Problems
) -> tuple[manifest.TilingData | None, body.Body | None]:
    parameter = parameters.tiling()
    if parameter is None:
        return None, None
    tiling = layout.LayoutCheck(parameter.annotation, parameter.name, loaded.index, problems, parameter.at).run()
    sections = body.Body(found.function, parameter.name, loaded.index)
    if tiling is not None:
        sections.check_fields(tiling, problems)
    return tiling, sections


def _check_op_def(
    op: opdef.OpDef, found: kernel.KernelFunction, stem: str, parameters: params.ParameterCheck, problems: Problems
) -> None:
    check_of = opdef.OpDefCheck(op, found.at, problems)
    check_of.check_names(stem, found.node.name)
    check_of.check_parameters({parameter.name: parameter.at for parameter in parameters.business()})
    types_of = found.options.get("datatype")
    if isinstance(types_of, dict):
        check_of.check_datatype(types_of, found.at_option("datatype"))


def _check_key(
    found: kernel.KernelFunction, cls: Any, bounds: schema.Bounds, loaded: load.Loaded, problems: Problems
) -> manifest.TilingKey | None:
    at = found.at_option("tiling_key")
    if cls is None:
        problems.add(
            "PYPTO-E201",
            at,
            f"kernel '{found.node.name}' has no TilingKey; offline delivery needs one, even with a single value",
            "declare class Key: mode = TilingKeyField(bits=1, values=[0]) and write @pl.jit(tiling_key=Key)",
        )
        return None
    if not isinstance(cls, type):
        name = type(cls).__name__
        is_field_class = any(declarations.is_key_field(value) for value in vars(type(cls)).values())
        found_text = f"an instance of {name}" if is_field_class else declarations.spelled(cls)
        fix = f"write tiling_key={name} without calling it" if is_field_class else "give the class, tiling_key=MyKey"
        problems.add("PYPTO-E202", at, f"tiling_key is {found_text}; allowed is a class", fix)
        return None
    context = schema.KeyContext(loaded.index, problems, at, bounds)
    return schema.SchemaCheck(cls, context).run()


def _key_field_names(cls: Any) -> list[str]:
    if not isinstance(cls, type):
        return []
    return [name for name, value in vars(cls).items() if declarations.is_key_field(value)]


def _check_name_clashes(
    fields: list[str],
    found: kernel.KernelFunction,
    cls: Any,
    parameters: params.ParameterCheck,
    loaded: load.Loaded,
    problems: Problems,
) -> None:
    """A TilingKey field is a constant of the kernel body: no parameter or variable may have its name."""
    if not fields:
        return
    places = schema.SchemaCheck(cls, schema.KeyContext(loaded.index, problems, found.at_option("tiling_key")))
    of_params = {p.name: p.at for p in parameters.parameters}
    variables = _variables(found.function)
    module_body = source.assignments(found.file.tree.body)
    for name in fields:
        if name in of_params:
            what = f"parameter in line {of_params[name].line}"
        elif name in module_body and name in variables:
            what = f"module variable in line {found.file.at(module_body[name][-1]).line}"
        elif name in variables:
            what = "module variable"
        else:
            continue
        problems.add(
            "PYPTO-E217",
            places.at_field(name),
            f"TilingKey field '{name}' has the name of a {what}; the kernel could mean either",
            f"rename the field, for example to {name}_key, or the other one",
        )


def _variables(function: Any) -> set[str]:
    """Variables the kernel body could read: neither functions nor classes nor Python's own."""
    scope = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:  # not yet assigned
            continue
    stays = (type, types.FunctionType)
    return {
        name
        for name, value in scope.items()
        if not (name.startswith("__") and name.endswith("__")) and not isinstance(value, stays) and not callable(value)
    }
