"""Programs of the Debian archive that tests need and the machine may lack, unpacked into the user's cache.

Nothing is installed: each program is started by a script that says where its libraries are.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.bootstrap import debian_archive

# Parts that the programs below never load, and those that every machine with a compiler and dpkg has.
_LEFT_OUT = ("libasan", "liblsan", "libtsan", "libubsan", "libhwasan", "libitm", "perl", "libperl", "dpkg", "tar")
_SYSTEM = ("libc6", "libgcc-s1", "libstdc++6", "zlib1g")


def fetch(packages: Sequence[str]) -> Path:
    """The root of a tree with the packages and what they need; fetched once per user and list."""
    source = debian_archive.choose_debian(debian_archive.machine_sources())
    assert source is not None, "no Debian archive is listed in /etc/apt"
    suite = source.suites[0]
    digest = hashlib.sha256(repr((suite, *packages, _LEFT_OUT, _SYSTEM)).encode()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "pypto_rules")
    root = cache / f"test-tools-{digest}"
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "test-tools.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.exists():
            _make(root, debian_archive.Archive(cache / f"making-{digest}", source, suite), packages)
    return root


def _make(root: Path, archive: debian_archive.Archive, packages: Sequence[str]) -> None:
    archive.update()
    wanted = [p for p in archive.closure(packages) if p not in _SYSTEM and not p.startswith(_LEFT_OUT)]
    unpacked = archive.directory / "root"
    debian_archive.unpack(archive.download(wanted), unpacked)
    unpacked.rename(root)
    shutil.rmtree(archive.directory)


def starter(path: Path, program: Path, options: Sequence[str] = (), variables: Mapping[str, str] | None = None) -> Path:
    """Write a script that starts a program of a fetched tree with its libraries, options and variables."""
    root = program.parents[2]
    settings = {"LD_LIBRARY_PATH": ":".join(map(str, sorted((root / "usr/lib").glob("*-linux-gnu"))))} | dict(
        variables or {}
    )
    lines = [f"export {name}='{value}'" for name, value in settings.items()]
    path.write_text("\n".join(["#!/bin/sh", *lines, f"exec '{program}' {' '.join(options)} \"$@\"", ""]))
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return path


def rpmbuild(root: Path) -> Path:
    """Write a starter of rpmbuild into the tree of the package rpm; returns it."""
    (root / "starters").mkdir(exist_ok=True)
    configuration = {"RPM_CONFIGDIR": str(root / "usr/lib/rpm")}
    return starter(root / "starters/rpmbuild", root / "usr/bin/rpmbuild", variables=configuration)


def cross_compiler(root: Path, triple: str) -> Path:
    """Write starters of a cross compiler's programs into its tree (sandboxes hide /tmp); returns its g++."""
    starters = root / "starters"
    starters.mkdir(exist_ok=True)
    for program in sorted((root / "usr/bin").glob(f"{triple}-*")):
        # The linker scripts of the C library name absolute paths; they are looked up below the sysroot.
        options = [f"--sysroot={root}"] if program.name.endswith(("-gcc", "-g++")) else []
        starter(starters / program.name, program, options)
    return starters / f"{triple}-g++"
