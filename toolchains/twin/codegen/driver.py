"""From files to files: all variants, or the errors of all variants and nothing written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto_rules.tools.codegen.columns import Column
from pypto_rules.tools.codegen.errors import InputError
from pypto_rules.tools.codegen.variants import EVERY, Wanted, narrowed
from pypto_rules.tools.contract import manifest
from toolchains.twin.codegen import arch, load, namespace, op_columns, variants
from toolchains.twin.codegen import kernel as kernels
from toolchains.twin.codegen.cpp import Site
from toolchains.twin.codegen.errors import CodegenError, Diagnostics
from toolchains.twin.codegen.state import State, Variant
from toolchains.twin.runtime import socs


@dataclass(frozen=True)
class Request:
    """What to generate."""

    kernel: str
    manifest: str
    columns: str | None
    soc: str
    op_type: str
    helpers: list[str] = field(default_factory=list)
    wanted: Wanted = EVERY
    op_def: str | None = None


@dataclass
class Result:
    """Texts by file name, and the two JSON documents."""

    texts: dict[str, str] = field(default_factory=dict)
    variants: dict[str, Any] = field(default_factory=dict)
    source_map: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


def generate(request: Request) -> Result:
    """All variants of a kernel. Errors of the kernel are in the result; errors of other inputs are raised."""
    if request.soc not in socs.SOCS:
        raise InputError(
            f"SoC {request.soc} is not modelled by the twin; allowed {', '.join(socs.SOCS)}; fix: --config=<soc>"
        )
    try:
        kernel = manifest.read(request.manifest)
    except manifest.ManifestError as error:
        raise InputError(str(error)) from error
    columns = op_columns.chosen(request.columns, request.op_def, request.soc, kernel)
    items = variants.enumerate_items(kernel, columns, request.wanted)
    diagnostics = Diagnostics()
    result = Result()
    entries: list[dict[str, Any]] = []
    try:
        sources = load.load(request.kernel, request.helpers)
        arch.check(sources, kernel.kernel_name, kernel.arch, request.soc)
        try:
            _generate_all(sources, kernel, items, request.soc, result, diagnostics, entries)
        except RecursionError:
            raise CodegenError(load.too_deep(sources)) from None
    except CodegenError as error:
        diagnostics.add(error.message)
    if diagnostics:
        return Result(errors=diagnostics.texts(load.lines))
    result.variants = _variants_json(kernel, request, columns, entries)
    return result


def _generate_all(
    sources: load.Sources,
    kernel: manifest.Kernel,
    items: list[variants.Item],
    soc: str,
    result: Result,
    diagnostics: Diagnostics,
    entries: list[dict[str, Any]],
) -> None:
    # Module-level names are the same in all variants; evaluated once, without a variant's constants.
    namespace.evaluate(State(sources, Variant(soc, {})), sources.kernel)
    for item in items:
        entries.append(_generate_item(sources, kernel, item, soc, result, diagnostics))


def _generate_item(
    sources: load.Sources,
    kernel: manifest.Kernel,
    item: variants.Item,
    soc: str,
    result: Result,
    diagnostics: Diagnostics,
) -> dict[str, Any]:
    unit, messages = kernels.generate(sources, kernel, variants.variant_of(item, soc))
    for message in dict.fromkeys(messages):
        diagnostics.add(message, item.label(kernel.kernel_name, soc))
    diagnostics.finish_variant()
    if unit is None:
        return {}
    result.texts[item.source] = unit.text
    result.source_map.setdefault("sources", {})[item.source] = [_site(site) for site in unit.sites]
    return {"column": item.column, "tiling_key": item.key.packed, "combo": item.combo, "core": item.core,
            "source": item.source, "entry": unit.entry}  # fmt: skip


def _site(site: Site) -> dict[str, Any]:
    return {"file": site.file, "line": site.line, "col": site.col, "op": site.op}


def _variants_json(
    kernel: manifest.Kernel, request: Request, columns: list[Column], entries: list[dict[str, Any]]
) -> dict[str, Any]:
    built = {entry["column"] for entry in entries}
    return {
        "schema_version": 1,
        "kernel_name": kernel.kernel_name,
        "op_file": kernel.op_file,
        "op_type": request.op_type,
        "backend": "twin",
        "soc": request.soc,
        "narrowed": narrowed(kernel, len(kernel.tiling_key.valid) * len(columns), request.wanted),
        "columns": [{"index": index, "dtypes": column} for index, column in enumerate(columns) if index in built],
        "variants": entries,
    }


def write(result: Result, out_dir: str, variants_path: str, source_map_path: str) -> None:
    """Write what `generate` made."""
    directory = Path(out_dir)
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in result.texts.items():
        (directory / name).write_bytes(text.encode("utf-8"))
    Path(variants_path).write_bytes(manifest.dumps(result.variants).encode("utf-8"))
    Path(source_map_path).write_bytes(manifest.dumps(result.source_map).encode("utf-8"))
