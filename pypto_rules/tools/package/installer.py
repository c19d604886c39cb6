"""The self-extracting installer, by makeself; the same bytes wherever and whenever it is made."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from pypto_rules.tools.package.errors import PackageError
from pypto_rules.tools.package.rendering import render
from pypto_rules.tools.package.spec import Spec
from pypto_rules.tools.package.tree import EXECUTABLE_MODE, Tree

_PAYLOAD = "payload"
_RESULT = "package.run"
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}

# Owners and times are fixed, as is the order by makeself; GNU format, since pax headers carry a process id. 2000-01-01,
# because tar warns of times near 1970.
_TAR_OPTIONS = "--owner=0 --group=0 --numeric-owner --mtime=@946684800"

# makeself puts the level behind "gzip -c": the n keeps the time of the temporary file out of the gzip header.
_COMPRESSION = ("--gzip", "--complevel", "9n")


def write(spec: Spec, tree: Tree, makeself: Path, run: Path) -> None:
    """Write the installer of `tree` to `run`."""
    if not makeself.is_file():
        raise PackageError(f"makeself is not at {makeself}; give the makeself script with --makeself")
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch).resolve()
        (work / "tmp").mkdir()
        payload(spec, tree).write(work / _PAYLOAD)
        (work / "header.sh").write_text(render("run_header.sh.j2", spec), encoding="utf-8")
        _run_makeself(makeself.resolve(), spec, work)
        run.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(work / _RESULT, run)
    run.chmod(EXECUTABLE_MODE)


def payload(spec: Spec, tree: Tree) -> Tree:
    """What the installer carries: the scripts, the vendor directory, and the digests of its files."""
    result = Tree()
    for name in ("install.sh", "upgrade.sh", "uninstall.sh", "set_env.bash"):
        mode = 0o644 if name == "set_env.bash" else EXECUTABLE_MODE
        result.add(name, render(f"{name}.j2", spec).encode(), f"the script {name}", mode)
    result.add("help.info", render("help.info.j2", spec).encode(), "the help text")
    result.add("SHA256SUMS", tree.sha256sums().encode(), "the digests")
    for path, file in tree.files.items():
        result.add(f"packages/vendors/{spec.vendor_name}/{path}", file.content, file.origin, file.mode)
    for path, target in tree.links.items():
        result.links[f"packages/vendors/{spec.vendor_name}/{path}"] = target
    return result


def _run_makeself(makeself: Path, spec: Spec, work: Path) -> None:
    """Run makeself with relative arguments only, so that nothing of this place can reach the result."""
    command = ["/bin/bash", str(makeself), "--quiet", "--tar-quietly", "--header", "./header.sh", *_COMPRESSION]
    command += ["--nomd5", "--nocrc", "--sha256", "--packaging-date", "none"]
    command += ["--tar-format", "gnu", "--tar-extra", _TAR_OPTIONS]
    command += [_PAYLOAD, _RESULT, f"{spec.vendor_name} {spec.version}", "./install.sh"]
    # Only new files matter to makeself's umask; what it packs has fixed modes.
    environment = {**_ENVIRONMENT, "TMPDIR": str(work / "tmp")}
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
    if done.returncode or not (work / _RESULT).is_file():
        raise PackageError(f"makeself failed (exit {done.returncode}):\n{(done.stderr + done.stdout).strip()}")
