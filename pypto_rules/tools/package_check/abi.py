"""What the libraries of a package show to the loader."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from pypto_rules.tools.package_check.vendor import TBE, Vendor

_MACHINES = {"x86_64": "EM_X86_64", "aarch64": "EM_AARCH64"}
# Beside the backend's run time: what every machine has.
_SYSTEM = re.compile(r"(?:libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux-[\w-]+)\.so\.\d+")
_RUN_TIME = re.compile(
    r"libpypto_twin_host\.so|lib(?:nnopbase|ascendcl|c_sec|exe_graph|graph|graph_base|register|platform|tiling_api)\.so"
)

# Marks that linkers set in every library without a version script.
_LINKER_MARKS = ("__bss_start", "_edata", "_end", "_fini", "_init")


@dataclass(frozen=True)
class Library:
    """An ELF file's machine, name, needs, search path and exported symbols."""

    machine: str
    soname: str | None
    needed: tuple[str, ...]
    search_path: str | None
    exported: tuple[str, ...]


def read(path: Path) -> Library:
    """Read an ELF file."""
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        tags = [
            tag for section in elf.iter_sections() if isinstance(section, DynamicSection) for tag in section.iter_tags()
        ]
        table = elf.get_section_by_name(".dynsym")
        symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
        defined = {symbol.name for symbol in symbols if symbol["st_shndx"] != "SHN_UNDEF"}
        return Library(
            machine=elf["e_machine"],
            soname=next((tag.soname for tag in tags if tag.entry.d_tag == "DT_SONAME"), None),
            needed=tuple(tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"),
            search_path=next((tag.rpath if tag.entry.d_tag == "DT_RPATH" else tag.runpath for tag in tags
                              if tag.entry.d_tag in ("DT_RPATH", "DT_RUNPATH")), None),
            exported=tuple(sorted(defined - {"", *_LINKER_MARKS})),
        )  # fmt: skip


def problems(vendor: Vendor) -> list[str]:
    """What is wrong with host libraries and twin binaries."""
    found = []
    symbols: dict[str, set[str]] = {}
    for variant in vendor.manifest["variants"]:
        symbols.setdefault(variant["binary"], set()).add(variant["symbol"])
    for path, file in vendor.paths.items():
        if not path.endswith(".so") or file.is_symlink():
            continue
        library = read(file)
        found += [f"{path} {text}" for text in _library_problems(library, vendor.manifest["arch"], file.name)]
        if path.startswith(f"{TBE}/kernel/"):
            wrong = sorted(set(library.exported) ^ symbols.get(path, set()))
            wanted = "the entries of its TilingKeys"
        else:
            wrong = [
                name for name in library.exported if file.name != "libcust_opapi.so" or not name.startswith("aclnn")
            ]
            wanted = "aclnn functions" if file.name == "libcust_opapi.so" else "no symbol"
        if wrong:
            found.append(f"{path} must export {wanted} and nothing else; found {', '.join(wrong[:3])}")
    return found


def _library_problems(library: Library, arch: str, name: str) -> list[str]:
    found = []
    if library.machine != _MACHINES[arch]:
        found.append(f"is for {library.machine}, the package is for {arch}")
    if library.soname not in (None, name):
        found.append(f"calls itself {library.soname}")
    if library.search_path is not None:
        found.append(f"has the run path {library.search_path!r}; libraries are found where they are installed")
    strange = [need for need in library.needed if not _SYSTEM.fullmatch(need) and not _RUN_TIME.fullmatch(need)]
    if strange:
        found.append(f"needs {strange[0]}, which neither the run time nor every machine has")
    return found
