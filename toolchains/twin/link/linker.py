"""Links the objects of one dtype column into a shared object with one exported entry per TilingKey."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from toolchains.twin.link.binary import Column, key_symbol


class LinkError(Exception):
    """The column cannot be linked; the text is for the user."""


def objects_by_source(objects: list[Path]) -> dict[str, Path]:
    """Objects by the name of the source they come from: `a.pic.o` and `a.o` are both of `a.cpp`."""
    return {path.name.removesuffix(".o").removesuffix(".pic") + ".cpp": path for path in objects}


def link_column(linker: str, column: Column, binary: str, objects: dict[str, Path], out: Path) -> None:
    """Write the shared object of `column` to `out`.

    Equal variants define the same entry symbol, so one object stands for all of them; every TilingKey then gets its own
    name for that entry. The symbols of the compiled text itself stay inside.
    """
    missing = sorted({v.source for v in column.variants} - objects.keys())
    if missing:
        raise LinkError(
            f"variants.json names {missing[0]}, which has no object; {len(missing)} of them in all. Rebuild the kernel."
        )
    chosen = {v.entry: objects[v.source] for v in reversed(column.variants)}
    with tempfile.TemporaryDirectory() as scratch:
        exports = Path(scratch, "exports.ld")
        exports.write_text(_version_script(binary, column), encoding="ascii")
        response = Path(scratch, "link.rsp")
        response.write_text(
            "".join(_quote(a) + "\n" for a in _arguments(column, binary, chosen, exports, out)), "utf-8"
        )
        done = subprocess.run([linker, f"@{response}"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise LinkError(f"linking {binary} failed ({linker}, exit {done.returncode}):\n{done.stderr.strip()}")


def _arguments(column: Column, binary: str, chosen: dict[str, Path], exports: Path, out: Path) -> list[str]:
    names = [f"-Wl,--defsym={key_symbol(binary, v.tiling_key)}={v.entry}" for v in column.variants]
    return [
        "-shared",
        "-o",
        str(out),
        *(str(chosen[entry]) for entry in sorted(chosen)),
        *names,
        f"-Wl,--version-script={exports}",
        f"-Wl,-soname,{out.name}",
        # Nothing of the machine or of file names may reach the bytes.
        "-Wl,--build-id=none",
        "-Wl,--strip-all",
        "-Wl,--no-undefined",
        "-lstdc++",
        "-lm",
        "-lpthread",
    ]


def _version_script(binary: str, column: Column) -> str:
    exported = "".join(f"    {key_symbol(binary, v.tiling_key)};\n" for v in column.variants)
    return "{\n  global:\n" + exported + "  local:\n    *;\n};\n"


def _quote(argument: str) -> str:
    """One argument of a GCC response file: white space and quotes need a backslash."""
    return "".join("\\" + c if c in " \\\"'\t" else c for c in argument)
