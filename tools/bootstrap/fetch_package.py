"""Unpacks one package of the Debian archive into a directory: fetch_package.py PACKAGE DIRECTORY."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bootstrap import debian_archive
from tools.bootstrap.debian_archive import ArchiveError


def fetch(package: str, directory: Path) -> None:
    """Downloads the newest version in the suites of bazelw and unpacks it; dependencies are left out."""
    source = debian_archive.choose_debian(debian_archive.machine_sources())
    if source is None:
        raise ArchiveError("no Debian archive is listed in /etc/apt")
    failures = []
    with tempfile.TemporaryDirectory() as work:
        for suite in (*debian_archive.SUITES, source.suites[0]):
            archive = debian_archive.Archive(Path(work) / suite, source, suite)
            try:
                archive.update()
                debian_archive.unpack(archive.download([package]), directory)
                return
            except ArchiveError as error:
                failures.append(str(error))
    raise ArchiveError("\n".join(failures))


def main(argv: list[str]) -> int:
    """Entry point."""
    try:
        fetch(argv[0], Path(argv[1]))
    except ArchiveError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
