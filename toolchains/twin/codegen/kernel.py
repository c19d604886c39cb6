"""One variant of a kernel: lowered, and written as a translation unit."""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass

from pypto_rules.tools.contract import manifest
from toolchains.twin.codegen import cpp, dtypes, lower
from toolchains.twin.codegen.bindings import bind_parameter, local_names
from toolchains.twin.codegen.cpp import Assign, Site, Var
from toolchains.twin.codegen.ctypes_of import ctype_of
from toolchains.twin.codegen.emit import Emitter
from toolchains.twin.codegen.errors import CodegenError, Message, place_of
from toolchains.twin.codegen.load import Sources, kernel_function
from toolchains.twin.codegen.state import Frame, Restart, State, Variant
from toolchains.twin.codegen.values import BOOL, FLOAT, INT, Ptr, Tensor, TilingData, Value

_PLACEHOLDER = "pypto_entry_of_this_text"
# `x != x` is how a kernel asks for a NaN; the author's comparisons are not for the compiler to judge.
_PRAGMA = '#pragma GCC diagnostic ignored "-Wtautological-compare"'
_KINDS = {"int64_t": INT, "float": FLOAT, "bool": BOOL}
_ATTEMPTS = 100


@dataclass(frozen=True)
class Unit:
    """A variant's text, the name of its entry function, and the operation of each site number."""

    text: str
    entry: str
    sites: tuple[Site, ...]


def generate(sources: Sources, kernel: manifest.Kernel, variant: Variant) -> tuple[Unit | None, list[Message]]:
    """The variant's unit, or the errors found in it."""
    coerced: dict[tuple[object, ...], str] = {}
    for _ in range(_ATTEMPTS):
        state = State(sources, variant)
        state.coerced = coerced
        try:
            _lower(state, kernel)
        except Restart:
            continue
        except CodegenError as error:
            return None, [error.message]
        if state.messages:
            return None, state.messages
        return _unit(state, kernel), []
    position = place_of(sources.kernel.path, kernel_function(sources, kernel.kernel_name))
    what = "the types of the kernel's variables do not settle"
    return None, [Message(position, "PYPTO-G031", what, fix="give each variable one type")]


def _lower(state: State, kernel: manifest.Kernel) -> None:
    function = kernel_function(state.sources, kernel.kernel_name)
    state.frame = Frame(state.sources.kernel, function, ())
    state.frame.locals = local_names(function)
    state.tiling = {field.name: (_KINDS[field.element_ctype], field.count) for field in kernel.tiling.fields}
    nodes = {arg.arg: arg for arg in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    for index, param in enumerate(kernel.params):
        node = nodes.get(param.name, function)
        state.frame.env[param.name] = bind_parameter(_parameter(state, node, param, index))
    lower.lower_block(state, lower.without_docstring(function))


def _parameter(state: State, node: ast.AST, param: manifest.Param, index: int) -> Value:
    if param.kind == "tiling":
        return TilingData(param.name)
    dtype = _dtype_of(param.dtype or "")
    if dtype is None:
        what = f"parameter {param.name} has the element type {param.dtype}, which the twin does not support"
        state.fail(
            node,
            "G021",
            what,
            allowed=", ".join(f"pl.DT_{name}" for name in dtypes.BY_PL),
            fix="use one of these element types",
        )
    pointer = Ptr(cpp.call(f"pt::arg<{dtype.cpp}>", "block", cpp.text(str(index))), dtype)
    value: Value = pointer
    if param.kind == "tensor":
        shape = tuple(param.shape or ())
        dims = cpp.text("{" + ", ".join(str(dim) for dim in shape) + "}")
        site = state.site(node, "make_tensor")
        value = Tensor(cpp.call(f"pt::make_tensor<{len(shape)}>", "block", site, pointer.cx, dims), dtype, shape)
    ctype, zero = ctype_of(state, value)
    variable = Var(param.name, ctype, zero)
    state.emit(Assign(variable, value.cx))  # type: ignore[union-attr]
    if isinstance(value, Tensor):
        return Tensor(cpp.var(variable), dtype, value.shape)
    return Ptr(cpp.var(variable), dtype)


def _dtype_of(name: str) -> dtypes.DType | None:
    return dtypes.BY_PL.get(name.upper()) or dtypes.BY_CANN.get(name)


# -- text -----------------------------------------------------------------------------------------------------------


def _unit(state: State, kernel: manifest.Kernel) -> Unit:
    emitter = Emitter(state.block)
    body = emitter.lines()
    joined = "\n".join(body)
    count = sum(1 for param in kernel.params if param.kind != "tiling")
    lines = ['#include "pypto_twin/runtime.h"', "", _PRAGMA, "", "namespace {", "", "namespace pt = pypto_twin;", ""]
    lines += _tiling_struct(kernel.tiling)
    lines += _aliases(state, joined)
    lines += [_signature(joined), *body, "}", "", "}  // namespace", ""]
    entry = f"run<pt::soc::{state.variant.soc}, pt::core::vector, {count}, Tiling>(launch, &kernel)"
    lines += [f'extern "C" PYPTO_TWIN_EXPORT int32_t {_PLACEHOLDER}(pypto_twin_launch* launch) {{']
    lines += [f"  return pt::{entry};", "}", ""]
    text = "\n".join(lines)
    name = f"pypto_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return Unit(text.replace(_PLACEHOLDER, name), name, tuple(emitter.sites))


def _signature(body: str) -> str:
    block = "" if re.search(r"\bblock\b", body) else "[[maybe_unused]] "
    tiling = "" if re.search(r"\btiling\b", body) else "[[maybe_unused]] "
    return f"void kernel({block}pt::Block& block, {tiling}const Tiling& tiling) {{"


def _tiling_struct(tiling: manifest.TilingData) -> list[str]:
    lines = ["struct Tiling {"]
    for field in tiling.fields:
        array = "" if field.count is None else f"[{field.count}]"
        lines.append(f"  {field.element_ctype} {field.name}{array};")
    lines += ["};", f'static_assert(sizeof(Tiling) == {tiling.sizeof}, "TilingData layout");']
    for field in tiling.fields:
        lines.append(f'static_assert(offsetof(Tiling, {field.name}) == {field.offset}, "TilingData layout");')
    return [*lines, ""]


def _aliases(state: State, body: str) -> list[str]:
    used = [name for name in state.aliases if re.search(rf"\b{name}\b", body)]
    return [*(f"using {name} = {state.aliases[name]};" for name in sorted(used)), *([""] if used else [])]
