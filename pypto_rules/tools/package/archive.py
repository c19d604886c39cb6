"""The vendor tree as a `.tar.gz`, for those who unpack it themselves; the same bytes wherever it is made."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path, PurePosixPath

from pypto_rules.tools.package.tree import DIRECTORY_MODE, Tree

# 2000-01-01, as in the installer.
_TIME = 946684800


def write(tree: Tree, prefix: str, archive: Path) -> None:
    """Write all of the tree below `prefix`; directories before what is in them, names sorted."""
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar,
    ):
        names = [f"{prefix}/{path}" for path in (*tree.files, *tree.links)]
        for directory in sorted({str(above) for name in names for above in PurePosixPath(name).parents} - {"."}):
            tar.addfile(_entry(directory, tarfile.DIRTYPE, DIRECTORY_MODE))
        for path, file in sorted(tree.files.items()):
            entry = _entry(f"{prefix}/{path}", tarfile.REGTYPE, file.mode)
            entry.size = len(file.content)
            tar.addfile(entry, io.BytesIO(file.content))
        for path, target in sorted(tree.links.items()):
            entry = _entry(f"{prefix}/{path}", tarfile.SYMTYPE, 0o777)
            entry.linkname = target
            tar.addfile(entry)


def _entry(name: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode, entry.mtime = kind, mode, _TIME
    return entry
