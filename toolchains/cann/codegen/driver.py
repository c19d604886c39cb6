"""From files to texts: all variants of a kernel for a SoC, or one error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto_rules.tools.codegen import variants
from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.contract import manifest
from toolchains.cann.binary.kernel_types import CUBE, VEC, KernelType
from toolchains.cann.binary.naming import IMPL_MODE, entry_symbol
from toolchains.cann.codegen import columns, dfx, kernel_file, private, pypto
from toolchains.cann.codegen.columns import Column
from toolchains.cann.codegen.kernel_file import KernelError
from toolchains.cann.codegen.socs import SOCS, Soc
from toolchains.cann.codegen.source import Generated, Place, variant_source

_DIGEST = 8  # characters of a binary's digest that tell columns with the same dtypes apart in file names


@dataclass(frozen=True)
class Request:
    """What to generate."""

    kernel: str
    manifest: str
    op_type: str
    soc: str
    helpers: Sequence[str] = ()
    import_roots: Sequence[str] = ()
    columns: str | None = None
    op_def: str | None = None
    oom: bool = False
    wanted: variants.Wanted = variants.EVERY


@dataclass
class Result:
    """Texts by core and file name, and the two JSON documents."""

    texts: dict[str, dict[str, str]] = field(default_factory=lambda: {CUBE: {}, VEC: {}})
    variants: dict[str, Any] = field(default_factory=dict)
    source_map: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Item:
    """A TilingKey of a column, with the code that pypto_pro generated for it."""

    column: int
    key: manifest.ValidKey
    combo: dict[str, int]
    shown: str
    generated: Generated


def generate(request: Request) -> Result:
    """All variants of a kernel.

    Raises:
        InputError, SelectionError, ManifestError: an input does not fit.
        KernelError: pypto_pro refuses the kernel.
    """
    if request.soc not in SOCS:
        raise InputError(f"SoC {request.soc} has no AI Core kernels; allowed {', '.join(SOCS)}; fix: --config=<soc>")
    soc = SOCS[request.soc]
    kernel = manifest.read(request.manifest)
    known = columns.chosen(request.columns, request.op_def, request.op_type, soc, kernel)
    indices = variants.columns(kernel, [column.dtypes for column in known], request.wanted)
    keys = variants.keys(kernel, request.wanted)
    items = _generated(request, soc, kernel, known, indices, keys)
    kernel_type = _common_type(kernel, items)
    result = Result()
    entries = []
    for item in items:
        for core in kernel_type.cores:
            entries.append(_add(result, request, soc, kernel, known[item.column], item, core))
    whole = len(kernel.tiling_key.valid) * len(known) * len(kernel_type.cores)
    result.variants = {
        "schema_version": 1,
        "kernel_name": kernel.kernel_name,
        "op_file": kernel.op_file,
        "op_type": request.op_type,
        "backend": "cann",
        "soc": soc.name,
        "kernel_type": kernel_type.name,
        "narrowed": variants.narrowed(kernel, whole, request.wanted),
        "columns": [_column(index, known[index]) for index in indices],
        "variants": entries,
    }
    return result


def _column(index: int, column: Column) -> dict[str, Any]:
    return {"index": index, "dtypes": column.dtypes, "binary": column.binary, "op_column": column.op_column}


def _generated(
    request: Request,
    soc: Soc,
    kernel: manifest.Kernel,
    known: Sequence[Column],
    indices: Sequence[int],
    keys: Sequence[manifest.ValidKey],
) -> list[_Item]:
    """What pypto_pro generates, once for each TilingKey and dtypes, with its private directory out of the texts."""
    items = []
    once: dict[tuple[Any, ...], Generated] = {}
    with private.place([request.kernel, *request.helpers], request.import_roots) as directory:
        path = private.relative(request.kernel)
        arch = pypto.set_up(soc)
        loaded = kernel_file.load(path, kernel.kernel_name)
        pypto.check_schema(loaded, kernel, path)
        for index in indices:
            dtypes = known[index].dtypes
            for key in keys:
                combo = kernel.tiling_key.as_dict(key.combo)
                shown = variants.label(kernel.kernel_name, soc.name, combo, dtypes)
                wanted = (key.packed, *sorted(dtypes.items()))
                if wanted not in once:
                    with kernel_file.reported(path, shown):
                        out = directory / f"generated/{len(once)}"
                        generated = pypto.generate(loaded, arch, kernel, key, dtypes, out)
                    once[wanted] = _relocated(generated, directory)
                items.append(_Item(index, key, combo, shown, once[wanted]))
    return items


def _relocated(generated: Generated, directory: Path) -> Generated:
    def cleaned(text: str) -> str:
        return text.replace(f"{directory}/", "")

    headers = {name: cleaned(text) for name, text in generated.headers.items()}
    return Generated(generated.function, cleaned(generated.text), headers, generated.parameters, generated.kernel_type)


def _common_type(kernel: manifest.Kernel, items: Sequence[_Item]) -> KernelType:
    """The kernel type, one for all TilingKeys (section 4.6): a binary has one magic and one core type."""
    first = items[0]
    for item in items:
        if item.generated.kernel_type is not first.generated.kernel_type:
            raise KernelError(
                f"{first.shown} runs as {first.generated.kernel_type.name} and {item.shown} as "
                f"{item.generated.kernel_type.name}; all variants of a kernel run on the same cores. Put a section of "
                f"the missing core into {kernel.kernel_name} for both, or make two kernels of it."
            )
    return first.generated.kernel_type


def _add(
    result: Result, request: Request, soc: Soc, kernel: manifest.Kernel, column: Column, item: _Item, core: str
) -> dict[str, Any]:
    """Write a variant's text into the result; returns its entry in variants.json."""
    digest = column.binary.removesuffix(f"_{IMPL_MODE}").rpartition("_")[2][:_DIGEST]
    named = f"{variants.joined(kernel, column.dtypes)}_{digest}"
    source = variants.source_name(kernel.kernel_name, named, item.combo, core)
    place = Place(column.binary, item.key.packed, core, f"{item.shown}, core {core}")
    size = dfx.tiling_size(kernel.tiling.sizeof, column.arguments, request.oom)
    text = variant_source(soc, place, item.generated, column.tensors, column.arguments, size)
    result.texts[core][source] = text
    entry = entry_symbol(column.binary, item.key.packed, core, item.generated.kernel_type)
    return {"column": item.column, "tiling_key": item.key.packed, "combo": item.combo, "core": core,
            "source": source, "entry": entry}  # fmt: skip
