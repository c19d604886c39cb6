"""kernel.json → the text of each header."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from pypto_rules.tools.contract.manifest import Kernel, TilingData
from pypto_rules.tools.headers.python_names import python_names
from pypto_rules.tools.headers.registration import padded_fields

_TEMPLATES = Path(__file__).parent / "templates"
_LARGEST_SIGNED = 2**63 - 1
_SHOWN_VALUES = 16  # of a field, in messages
_STRUCT_BYTES = Path(__file__).parent / "struct_bytes.py"


@dataclass(frozen=True)
class Headers:
    """Names and texts of the headers of one kernel."""

    tiling_data: tuple[str, str]
    tiling_key: tuple[str, str]
    registration: tuple[str, str]
    printer: tuple[str, str]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The (file name, text) pairs, in the order in which a host source includes them."""
        return iter((self.tiling_key, self.tiling_data, self.registration, self.printer))


def camel_case(name: str) -> str:
    """`add_example` → `AddExample`: the operator type when nothing else is said."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def headers_of(kernel: Kernel, op_type: str) -> Headers:
    """All headers of a kernel."""
    data, key = kernel.tiling, kernel.tiling_key
    tiling_data = _render("tiling.h.j2", kernel_name=kernel.kernel_name, tiling=data)
    return Headers(
        tiling_data=(f"{data.name}_tiling.h", tiling_data),
        tiling_key=(f"{key.name}_tilingkey.h", tiling_key_text(kernel)),
        registration=(f"{data.name}_registration.h", registration_text(data, op_type)),
        printer=(
            f"{data.name}_print.h",
            _render("print.h.j2", tiling=data, tiling_data_header=f"{data.name}_tiling.h"),
        ),
    )


def tiling_key_text(kernel: Kernel) -> str:
    """The header that declares the TilingKey to CANN's tools, and checks what host code packs."""
    key = kernel.tiling_key
    return _render(
        "tilingkey.h.j2",
        kernel_name=kernel.kernel_name,
        key=key,
        allowed=[_listed(field.values) for field in key.fields],
        is_partial=len(key.valid) < key.total_combos,
        has_large_values=any(value > _LARGEST_SIGNED for field in key.fields for value in field.values),
    )


def _listed(values: Sequence[int]) -> str:
    more = f", ... {len(values)} values" if len(values) > _SHOWN_VALUES else ""
    return ", ".join(map(str, values[:_SHOWN_VALUES])) + more


def registration_text(tiling: TilingData, op_type: str) -> str:
    """The header that registers the TilingData under its operator type."""
    return _render("registration.h.j2", tiling=tiling, op_type=op_type, fields=padded_fields(tiling))


def registration_source_text(headers: Headers) -> str:
    """The one source of the host library that registers the TilingData."""
    return _render("registration.cpp.j2", registration_header=headers.registration[0])


def host_include_text(headers: Headers) -> str:
    """The header host sources force-include: both headers."""
    return _render(
        "host_include.h.j2",
        tiling_key_header=headers.tiling_key[0],
        tiling_data_header=headers.tiling_data[0],
    )


def python_module_text(kernel: Kernel) -> str:
    """The Python module `pypto_tiling.<kernel_name>`: a dataclass that reads and writes the TilingData's bytes."""
    return _render(
        "module.py.j2",
        support=_STRUCT_BYTES.read_text(encoding="utf-8"),
        kernel_name=kernel.kernel_name,
        tiling=kernel.tiling,
        names=python_names(field.name for field in kernel.tiling.fields),
    )


@functools.cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)
