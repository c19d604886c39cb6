"""Installs Debian's Bazel into a private directory: called by bazelw, not by hand.

Needs apt-get and dpkg-deb of a Debian 12 or later, no root rights; changes nothing outside the directory.
The directory appears under its name only when it is complete.
"""

from __future__ import annotations

import argparse
import fcntl
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from tools.bootstrap import bazel_prefix, debian_archive  # noqa: E402
from tools.bootstrap.debian_archive import Archive, ArchiveError  # noqa: E402

NEEDED_PROGRAMS = {"apt-get": "apt", "dpkg-deb": "dpkg"}
STEPS = 6
WORK_PREFIX = ".making-"
OTHER_WAYS = "or install bazelisk, or Bazel 7.4 or later, or set PYPTO_BAZEL to the path of a Bazel"


def say(step: int, text: str) -> None:
    """Prints one line of progress."""
    print(f"bazelw: [{step}/{STEPS}] {text}", file=sys.stderr, flush=True)


def check_machine(root: Path) -> tuple[debian_archive.Source, str]:
    """Returns the Debian source and the architecture of this machine, or says what is missing."""
    missing = [f"{name} (package {package})" for name, package in NEEDED_PROGRAMS.items() if not shutil.which(name)]
    if missing:
        raise ArchiveError(
            f"no Bazel was found, and installing one needs {', '.join(missing)}, which only Debian 12 or later has;\n"
            f"  fix: on Debian install what is missing; elsewhere {OTHER_WAYS.removeprefix('or ')}"
        )
    architecture = debian_archive.run(["dpkg", "--print-architecture"]).stdout.strip()
    if architecture not in bazel_prefix.MACHINES:
        known = ", ".join(sorted(bazel_prefix.MACHINES))
        raise ArchiveError(
            f"there is no private Bazel for the architecture '{architecture}' (known: {known});\n  fix: {OTHER_WAYS}"
        )
    source = debian_archive.choose_debian(debian_archive.machine_sources())
    if source is None:
        raise ArchiveError(
            "no Debian archive (component main) is listed in /etc/apt/sources.list or /etc/apt/sources.list.d;\n"
            f"  fix: add the Debian mirror of your site there, {OTHER_WAYS}"
        )
    if any(character.isspace() for character in str(root)):
        raise ArchiveError(
            f"Bazel cannot live under a path with a space: {root}\n  fix: set XDG_CACHE_HOME to another directory"
        )
    return source, architecture


def fetch(work: Path, source: debian_archive.Source) -> list[Path]:
    """Downloads Bazel and what it needs, and returns the package files."""
    failures = []
    for suite in debian_archive.SUITES:
        archive = Archive(work / f"apt-{suite}", source, suite)
        try:
            say(1, f"reading the package list of Debian {suite}")
            archive.update()
            packages = [name for name in archive.closure(bazel_prefix.PACKAGES) if bazel_prefix.is_needed(name)]
        except ArchiveError as error:
            failures.append(str(error))
            continue
        say(2, f"downloading {len(packages)} packages")
        return archive.download(packages)
    raise ArchiveError(
        "Debian's package archive could not be used:\n"
        + "\n".join(failures)
        + f"\n  fix: see that `apt-get update` works here, {OTHER_WAYS}"
    )


def add_registry(registry: Path) -> None:
    """Copies the module registry; modules that exist in name only become packages there, not in this repository."""
    shutil.copytree(REPOSITORY / "tools" / "registry", registry)
    for stub in (registry / "stubs").iterdir():
        (stub / "BUILD.bazel").touch()


def make(work: Path, root: Path) -> None:
    """Makes the whole content of `root` in `work / "root"`."""
    source, architecture = check_machine(root)
    debs = fetch(work, source)
    build, final = work / "root" / "prefix", root / "prefix"
    say(3, "unpacking")
    debian_archive.unpack(debs, build)
    bazel_prefix.remove_unread(build)
    say(4, "fitting programs and Java archives to their place")
    bazel_prefix.relink(build)
    bazel_prefix.patch_programs(build, final, architecture)
    bazel_prefix.rewrite_class_path(build, final)
    bazel_prefix.make_locale(build, work / "root" / "locale", architecture)
    say(5, "adding the module registry")
    add_registry(work / "root" / "registry")
    jdk = bazel_prefix.jdk_directory(build)
    (work / "root" / "bazelrc").write_text(bazel_prefix.render_bazelrc(root, jdk))


def publish(work: Path, root: Path) -> None:
    """Moves the finished directory to its name and marks it as ready once Bazel answers."""
    if root.exists():
        shutil.rmtree(root)
    (work / "root").rename(root)
    result = debian_archive.run(
        [str(root / "prefix/usr/bin/bazel"), "--nosystem_rc", f"--bazelrc={root}/bazelrc", "--version"]
    )
    if result.returncode or "bazel" not in result.stdout:
        raise ArchiveError(
            f"the installed Bazel does not start:\n{debian_archive.last_lines(result.stderr or result.stdout)}"
        )
    bazel_prefix.add_trust_store(root / "prefix")
    say(6, f"{result.stdout.strip()} is ready in {root}")
    (root / "ready").touch()


def install(root: Path) -> None:
    """Installs into `root` unless another run has done so meanwhile."""
    parent = root.parent
    parent.mkdir(parents=True, exist_ok=True)
    with (parent / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("bazelw: another run is installing Bazel; waiting for it", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        if (root / "ready").exists():
            return
        for left in parent.glob(WORK_PREFIX + "*"):
            shutil.rmtree(left, ignore_errors=True)
        work = parent / (WORK_PREFIX + root.name)
        work.mkdir()
        try:
            print(
                "bazelw: no Bazel found; installing one for this user (about a minute, once)",
                file=sys.stderr,
                flush=True,
            )
            make(work, root)
            publish(work, root)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main(argv: list[str]) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="directory to make")
    root = parser.parse_args(argv).root
    signal.signal(signal.SIGTERM, _terminate)
    signal.signal(signal.SIGHUP, _terminate)
    try:
        install(root)
    except ArchiveError as error:
        print(f"bazelw: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(
            f"bazelw: error: cannot install Bazel into {root}: {error}\n  fix: free space, or set XDG_CACHE_HOME",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print("bazelw: interrupted; nothing was left behind", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
