"""What NPU binaries define: the run time looks up an entry by its name (cann-flow, section 4.7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from pypto_rules.tools.package_check.vendor import Vendor

_MIX_SUFFIXES = ("_mix_aic", "_mix_aiv")


def problems(vendor: Vendor) -> list[str]:
    """Entries that a binary of the CANN backend lacks."""
    if vendor.manifest["backend"] != "cann":
        return []
    symbols: dict[str, list[str]] = {}
    for variant in vendor.manifest["variants"]:
        symbols.setdefault(variant["binary"], []).append(variant["symbol"])
    # That a file is missing is said elsewhere.
    there = {path: names for path, names in symbols.items() if path in vendor.paths}
    return [text for path, names in there.items() for text in _binary_problems(vendor, path, names)]


def _binary_problems(vendor: Vendor, path: str, names: list[str]) -> list[str]:
    try:
        defined = _defined(vendor.paths[path])
    except ELFError as error:
        return [f"{path} is no ELF file: {error}"]
    suffixes = _suffixes(vendor.load(path.removesuffix(".o") + ".json"))
    missing = [name + suffix for name in names for suffix in suffixes if name + suffix not in defined]
    return [f"{path} does not define {missing[0]}, the entry of a TilingKey"] if missing else []


def _suffixes(described: dict[str, Any]) -> tuple[str, ...]:
    """A mixed kernel has an entry for each core."""
    return _MIX_SUFFIXES if described["coreType"] == "MIX" else ("",)


def _defined(path: Path) -> set[str]:
    """The symbols an ELF file defines."""
    with path.open("rb") as stream:
        tables = [table for table in ELFFile(stream).iter_sections() if isinstance(table, SymbolTableSection)]
        return {s.name for table in tables for s in table.iter_symbols() if s["st_shndx"] != "SHN_UNDEF"}
