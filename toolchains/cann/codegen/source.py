"""One self-contained C++ source per variant: what pypto_pro generated, its entry and its meta sections.

CANN compiles two files per TilingKey with defines on the command line (cann-flow, sections 4.7 and 4.8). Bazel compiles
a directory with one command line, so what differs between variants is written into their texts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from toolchains.cann.binary.kernel_types import CUBE, KernelType
from toolchains.cann.binary.naming import entry_symbol
from toolchains.cann.codegen import dfx
from toolchains.cann.codegen.socs import Soc

_TEMPLATES = Path(__file__).parent / "templates"
_FFTS = "ffts_addr"
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"[^\n]*$', re.MULTILINE)

# OpDef's name of a dtype → (ORIG_DTYPE_<name>, DTYPE_<name>), as CANN's generated wrappers define them (section 4.4).
DTYPES = {
    "bool": ("DT_BOOL", "bool"),
    "int8": ("DT_INT8", "int8_t"),
    "int16": ("DT_INT16", "int16_t"),
    "int32": ("DT_INT32", "int32_t"),
    "int64": ("DT_INT64", "int64_t"),
    "uint8": ("DT_UINT8", "uint8_t"),
    "uint16": ("DT_UINT16", "uint16_t"),
    "uint32": ("DT_UINT32", "uint32_t"),
    "uint64": ("DT_UINT64", "uint64_t"),
    "float16": ("DT_FLOAT16", "half"),
    "float": ("DT_FLOAT", "float"),
    "bfloat16": ("DT_BF16", "bfloat16_t"),
}


@dataclass(frozen=True)
class Generated:
    """What pypto_pro generated for a TilingKey: C++ text, its own headers by name, and the entry's parameters.

    `parameters` are (C type, name, whether it is a pointer into global memory); a kernel that synchronises its cores
    has a last one more, `ffts_addr`.
    """

    function: str
    text: str
    headers: Mapping[str, str]
    parameters: tuple[tuple[str, str, bool], ...]
    kernel_type: KernelType


@dataclass(frozen=True)
class Tensor:
    """An input or output of the operator in a column, by the name CANN exports it under."""

    name: str
    dtype: str
    format: str


@dataclass(frozen=True)
class Place:
    """Where a variant belongs: its binary, TilingKey and core, and `shown`, the variant in words for messages."""

    binary: str
    tiling_key: int
    core: str
    shown: str


def variant_source(
    soc: Soc,
    place: Place,
    generated: Generated,
    tensors: Sequence[Tensor],
    arguments: Sequence[dfx.Argument],
    size_of_tiling: int,
) -> str:
    """The text of a variant.

    Args:
        soc: the SoC it is compiled for.
        place: which variant it is.
        generated: pypto_pro's code of its TilingKey.
        tensors: the operator's parameters, empty without an OpDef.
        arguments: the entry's arguments for the DFX section, without the address that `soc` passes first.
        size_of_tiling: bytes of the TilingData argument (`dfx.tiling_size`).
    """
    passed, forwarded = _parameters(soc, generated)
    if _passes_ffts(soc, generated):
        arguments = (dfx.Argument(dfx.Kind.FFTS), *arguments)
    return _template().render(
        arch=soc.npu_arch,
        core_macro="__DAV_CUBE__" if place.core == CUBE else "__DAV_VEC__",
        dfx=", ".join(str(byte) for byte in dfx.section(arguments, size_of_tiling)),
        dfx_size=len(dfx.section(arguments, size_of_tiling)),
        dfx_type=dfx.HEAD_TYPE,
        dtypes=DTYPES,
        forwarded=", ".join(forwarded),
        function=generated.function,
        is_c310=soc.chip == "c310",
        kernel_type=generated.kernel_type,
        passed=", ".join(name for _, name, _ in passed),
        place=place,
        signature=", ".join(_declared(*parameter) for parameter in passed),
        symbol=entry_symbol(place.binary, place.tiling_key, place.core, generated.kernel_type),
        tensors=tensors,
        text=_inlined(generated),
        workspace=_workspace_index(passed),
    )


def _passes_ffts(soc: Soc, generated: Generated) -> bool:
    return generated.kernel_type.is_mix and soc.passes_ffts_address


def _parameters(soc: Soc, generated: Generated) -> tuple[list[tuple[str, str, bool]], list[str]]:
    """What the run time passes, and what the generated function takes.

    On c220 the address of the cross-core synchronisation is a mixed kernel's first argument, as `intercoreSync` and the
    DFX section say, while pypto_pro's function takes it last and only if it needs it.
    """
    names = [name for _, name, _ in generated.parameters]
    passed = [parameter for parameter in generated.parameters if parameter[1] != _FFTS]
    if _passes_ffts(soc, generated):
        passed.insert(0, ("int64_t", _FFTS, True))
    return passed, names


def _workspace_index(passed: Sequence[tuple[str, str, bool]]) -> int:
    """The workspace is the last but the TilingData, whatever was put in front (section 9, item 14)."""
    return len(passed) - 2


def _declared(ctype: str, name: str, pointer: bool) -> str:
    return f"__gm__ {ctype}* {name}" if pointer else f"{ctype} {name}"


def _inlined(generated: Generated) -> str:
    """The generated text with its own headers in place: a source must stand alone in its directory."""

    def header(match: re.Match[str]) -> str:
        text = generated.headers.get(match.group(1))
        return match.group(0) if text is None else text.replace("#pragma once\n", "").rstrip("\n")

    return _INCLUDE.sub(header, generated.text).rstrip("\n")


@functools.cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=False,
        keep_trailing_newline=True,
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("variant.cpp.j2")
