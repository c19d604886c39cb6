"""Objects of a column → one AI Core binary, by CANN's two links (cann-flow, section 4.9)."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from toolchains.cann.link.table import Column, Variant

_EMULATION = ("-m", "aicorelinux")
_ELF = b"\x7fELF"


class LinkError(Exception):
    """The column cannot be linked; the text is for the user."""


def objects_by_source(objects: list[Path]) -> dict[str, Path]:
    """Objects by the name of the source they come from: `a.pic.o` and `a.o` are both of `a.cpp`."""
    return {path.name.removesuffix(".o").removesuffix(".pic") + ".cpp": path for path in objects}


def link_column(linker: str, column: Column, objects: dict[str, Path], out: Path, debug: bool) -> None:
    """Write the binary of a column to `out`.

    Args:
        linker: CANN's `ld.lld`.
        column: the binary to link.
        objects: object by source.
        out: the `.o` to write.
        debug: keep local symbols.

    Raises:
        LinkError: an object is missing or no object at all, or the linker failed.
    """
    parts = [_object(variant, objects) for variant in column.variants]
    with tempfile.TemporaryDirectory() as scratch:
        joined = Path(scratch, out.name)
        strip = [] if debug else ["-x"]
        _run(column, [linker, *_EMULATION, "-r", "-Ttext=0", "-q", *strip, *parts, "-static", "-o", str(joined)])
        _run(column, [linker, *_EMULATION, "-Ttext=0", str(joined), "-static", "-o", str(out), "-q"])


def _object(variant: Variant, objects: dict[str, Path]) -> str:
    """The object of a variant. A compiler that ends well and writes nothing has failed all the same."""
    path = objects.get(variant.source)
    what = f"{variant.source} ({_fields(variant)}, core {variant.core})"
    if path is None:
        raise LinkError(f"variants.json names {what}, which has no object. Rebuild the kernel.")
    with path.open("rb") as file:
        if file.read(len(_ELF)) != _ELF:
            size = path.stat().st_size
            raise LinkError(
                f"the compiler ended without an error but left no object for {what}: "
                f"{path.name} has {size} bytes and is no ELF file. Compile that source by hand to see why."
            )
    return str(path)


def _fields(variant: Variant) -> str:
    return ", ".join(f"{name}={value}" for name, value in variant.combo.items())


def _run(column: Column, command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise LinkError(f"linking {column.binary} failed ({command[0]}, exit {done.returncode}):\n{said}")
