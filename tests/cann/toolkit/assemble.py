"""A stand-in for the CANN toolkit, as a directory or as an installer: for tests, see README.md."""

from __future__ import annotations

import io
import platform
import shutil
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.cann.toolkit import host_side

HERE = Path(__file__).parent
ROOT = HERE / "root"
ARCHES = ("a2", "a3", "a5")
# What the installer of the compiler holds; that of the header files and the rest holds everything else.
COMPILER = ("tools/bisheng_compiler/", "compiler/")


def make(
    directory: Path,
    version: str = "9.2.0",
    pypto_version: str = "0.2.0",
    arches: Sequence[str] = ARCHES,
    leave_out: Sequence[str] = (),
    lld: Path | None = None,
    host: bool = False,
) -> Path:
    """Write a toolkit; returns its directory.

    Args:
      directory: where; made if need be.
      version: CANN's.
      pypto_version: of the Python package pypto.
      arches: what its pypto_pro supports.
      leave_out: paths in the toolkit, of files or whole directories, that it lacks.
      lld: the host's linker; one of /usr/bin otherwise.
      host: with the host side, which takes some seconds to compile: its headers, lib64 and op_build.
    """
    values = {
        "CANN_VERSION": version,
        "PYPTO_VERSION": pypto_version,
        "ARCHES": " ".join(arches),
        "ARCH": platform.machine(),
        "LINKER": str((lld or _host_linker()).absolute()),
        "COMPILER": shutil.which("g++") or "/usr/bin/g++",
    }
    texts = {
        _place(path, values): path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*")) if _belongs(path)
    }
    files = {place: _filled(text, values).encode() for place, text in texts.items()}
    if host:
        files |= host_side.files()
    for absent in leave_out:
        found = [place for place in files if f"{place}/".startswith(f"{absent.rstrip('/')}/")]
        if not found:
            raise ValueError(f"leave_out: the toolkit has no {absent}")
        files = {place: content for place, content in files.items() if place not in found}
    for place, content in files.items():
        _write(directory / place, content)
    return directory


def make_run(path: Path, **options: Any) -> Path:
    """Write an installer whose nested installers hold a toolkit; returns its path. The options are those of `make`."""
    with tempfile.TemporaryDirectory() as scratch:
        toolkit = make(Path(scratch, "toolkit"), **options)
        packages: dict[str, dict[str, Path]] = {"cann-compiler": {}, "cann-asc-devkit": {}}
        for file in sorted(file for file in toolkit.rglob("*") if file.is_file()):
            place = file.relative_to(toolkit).as_posix()
            packages["cann-compiler" if place.startswith(COMPILER) else "cann-asc-devkit"][place] = file
        nested = {
            f"run_package/{name}.run": _write_run(Path(scratch, f"{name}.run"), files)
            for name, files in packages.items()
        }
        return _write_run(path, nested)


def _host_linker() -> Path:
    lld = Path("/usr/bin/ld.lld")
    return lld if lld.exists() else Path("/usr/bin/ld")


def _belongs(path: Path) -> bool:
    return path.is_file() and path.suffix != ".pyc"


def _place(path: Path, values: Mapping[str, str]) -> str:
    """Where a file of `root` lies in the toolkit."""
    place = path.relative_to(ROOT).as_posix()
    return place.replace("ARCH-linux/", f"{values['ARCH']}-linux/").replace("PYPTO_VERSION", values["PYPTO_VERSION"])


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755 if content.startswith((b"#!", b"\x7fELF")) else 0o644)


def _write_run(path: Path, files: Mapping[str, Path]) -> Path:
    """Write a self-extracting archive of files, by their paths in it."""
    header = (HERE / "run_header.sh").read_text(encoding="utf-8")
    lines = header.count("\n")
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for place, file in sorted(files.items()):
            entry = tarfile.TarInfo(place)
            entry.mode, entry.size = file.stat().st_mode & 0o777, file.stat().st_size
            with file.open("rb") as stream:
                archive.addfile(entry, stream)
    filled = _filled(header, {"LINES": str(lines), "NEXT": str(lines + 1)})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(filled.encode() + content.getvalue())
    path.chmod(0o755)
    return path
