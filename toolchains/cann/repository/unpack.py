"""Unpacks a CANN installer (`.run`, made with makeself) and the installers in it, without running any of them.

    unpack.py INSTALLER DIRECTORY

An installer is a shell script with a tar archive behind it. The script is only read: it says where the archive begins.
The files of all installers come into one directory, as installed toolkits have them; where two bring the same path, the
first one's stays (each has an install script and a version file of its own at the top). Nothing is written outside of
the directory, nothing is changed by a user's being root, and no program is started.
"""

from __future__ import annotations

import re
import shutil
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

# How scripts say it: makeself since 2.4, before, and `tail -n +LINE`. The archive begins behind this many lines.
_HEADS = (
    (re.compile(rb'^skip="?(\d+)"?\s*$', re.MULTILINE), 0),
    (re.compile(rb'head -n "?(\d+)"? "\$0"'), 0),
    (re.compile(rb'tail -n \+(\d+) "\$0"'), -1),
)
_LONGEST_SCRIPT = 1 << 20


class UnpackError(Exception):
    """What is wrong with an installer; the text is for the user."""


def archive_offset(installer: Path) -> int:
    """Where the archive begins, in bytes."""
    with installer.open("rb") as file:
        script = file.read(_LONGEST_SCRIPT)
    if not script.startswith(b"#!"):
        raise UnpackError(f"{installer.name} is no .run installer: it does not begin with a script (#!)")
    for pattern, correction in _HEADS:
        if found := pattern.search(script):
            lines = int(found.group(1)) + correction
            parts = script.split(b"\n", lines)
            if len(parts) == lines + 1:
                return len(script) - len(parts[-1])
    raise UnpackError(f"{installer.name} is no installer that makeself made: its script does not say where data begin")


def _inside(directory: Path, name: str) -> Path:
    """The place of an archive's entry, which must lie in the directory, also through links that are there already."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise UnpackError(f"the entry '{name}' lies outside of the archive")
    place = directory / path
    if not place.parent.resolve().is_relative_to(directory.resolve()):
        raise UnpackError(f"the entry '{name}' lies outside of the archive, through a link")
    return place


def _checked_link(directory: Path, place: Path, member: tarfile.TarInfo) -> str:
    """The target of a link, which must not lead out of the directory."""
    target = PurePosixPath(member.linkname)
    if target.is_absolute() or not (place.parent / target).resolve().is_relative_to(directory.resolve()):
        raise UnpackError(f"the link '{member.name}' leads out of the archive, to '{member.linkname}'")
    return member.linkname


def _linked(directory: Path, member: tarfile.TarInfo) -> Path:
    """The file that a hard link is another name of: one that was written before."""
    original = _inside(directory, member.linkname)
    if original.is_symlink() or not original.is_file():
        raise UnpackError(f"the link '{member.name}' is of '{member.linkname}', no file before it in the archive")
    return original


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, directory: Path) -> Path | None:
    """Write an entry; returns its place, None for one that is there already or is no file."""
    place = _inside(directory, member.name)
    if member.isdir():
        place.mkdir(parents=True, exist_ok=True)
        return None
    if place.exists() or place.is_symlink():
        return None
    place.parent.mkdir(parents=True, exist_ok=True)
    if member.issym():
        place.symlink_to(_checked_link(directory, place, member))
        return None
    if member.islnk():
        shutil.copy(_linked(directory, member), place)
        return place
    stream = archive.extractfile(member)
    if stream is None:
        raise UnpackError(f"the entry '{member.name}' is neither a file nor a directory nor a link")
    with stream, place.open("wb") as file:
        shutil.copyfileobj(stream, file)
    # Installers' files may be of others and closed to all but root; here everything is the user's own.
    place.chmod(0o755 if member.mode & 0o100 else 0o644)
    return place


def _unpack_one(installer: Path, directory: Path) -> list[Path]:
    """Unpack one installer; returns the installers among its files."""
    with installer.open("rb") as file:
        file.seek(archive_offset(installer))
        try:
            # As a stream: an archive that ends early would else be taken for one with fewer files.
            with tarfile.open(fileobj=file, mode="r|*") as archive:
                written = [_write(archive, member, directory) for member in archive]
        except (tarfile.TarError, EOFError, OSError) as error:
            raise UnpackError(f"the archive of {installer.name} cannot be read: {error}") from error
    return sorted(path for path in written if path and path.suffix == ".run")


def unpack(installer: Path, directory: Path) -> None:
    """Unpack an installer and those in it; those are deleted afterwards."""
    directory.mkdir(parents=True, exist_ok=True)
    for nested in _unpack_one(installer, directory):
        unpack(nested, directory)
        nested.unlink()


def main(arguments: Sequence[str]) -> int:
    """Exit status: 1 when an installer cannot be unpacked."""
    installer, directory = arguments
    try:
        unpack(Path(installer), Path(directory))
    except UnpackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
