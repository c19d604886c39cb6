"""The same inputs give the same bytes, wherever, whenever and by whomever they are packaged."""

import gzip
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pypto_rules.tools.package import archive
from pypto_rules.tools.package.tree import Tree
from tests.tools.package.packages import Inputs, makeself

MACHINES = [
    {"TZ": "UTC", "USER": "one", "LC_ALL": "C", "HOME": "/nonexistent"},
    {
        "TZ": "Asia/Tokyo",
        "USER": "two",
        "LC_ALL": "C.UTF-8",
        "GZIP": "-1",
        "TAR_OPTIONS": "--mtime=@1",
        "NOMD5": "n",
        "LICENSE": "mine",
        "PYTHONHASHSEED": "7",
    },
]


def package_in(directory: Path, umask: int, environment: dict[str, str]) -> Path:
    """The outputs of the tool, run as a process of its own in `directory`."""
    inputs = Inputs(directory / "in").write()
    for path in inputs.root.rglob("*"):
        os.utime(path, (umask, umask))
    search = {"PYTHONPATH": os.pathsep.join(str(Path(p).resolve()) for p in sys.path if p), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-B", "-m", "pypto_rules.tools.package", "--spec", "spec.json", "--tree", "out/tree"]
    command += ["--manifest", "out/manifest.json", "--run", "out/x.run", "--makeself", str(makeself())]
    command += ["--tar", "out/x.tar.gz", "--uninstall", "out/uninstall.sh"]
    (inputs.root / "out").mkdir()
    scratch = directory / "scratch"
    scratch.mkdir()
    environment = {**environment, **search, "TMPDIR": str(scratch)}
    subprocess.run(command, cwd=inputs.root, env=environment, umask=umask, check=True)
    assert list(scratch.iterdir()) == []
    return inputs.root / "out"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    base = tmp_path_factory.mktemp("determinism")
    first = package_in(base / "one", 0o022, MACHINES[0])
    time.sleep(1.1)  # so that a time of day in the result would show
    return [first, package_in(base / "a longer path, with spaces", 0o077, MACHINES[1])]


def test_installers_are_equal(outputs: list[Path]) -> None:
    assert (outputs[0] / "x.run").read_bytes() == (outputs[1] / "x.run").read_bytes()
    assert [oct((out / "x.run").stat().st_mode & 0o777) for out in outputs] == ["0o755", "0o755"]


def test_archives_are_equal_and_hold_the_tree(outputs: list[Path], tmp_path: Path) -> None:
    assert (outputs[0] / "x.tar.gz").read_bytes() == (outputs[1] / "x.tar.gz").read_bytes()
    subprocess.run(["tar", "-xpf", outputs[0] / "x.tar.gz", "-C", tmp_path], check=True)
    for path in [tmp_path / "vendors", *(tmp_path / "vendors").rglob("*")]:
        built = outputs[0] / "tree" / path.relative_to(tmp_path)
        assert path.stat().st_mode == built.stat().st_mode
        assert path.is_dir() or path.read_bytes() == built.read_bytes()
    assert {p.relative_to(tmp_path) for p in tmp_path.rglob("*")} == {
        p.relative_to(outputs[0] / "tree") for p in (outputs[0] / "tree").rglob("*")
    }


def test_the_uninstaller_is_that_of_the_tree(outputs: list[Path]) -> None:
    (inside,) = (outputs[0] / "tree").glob("vendors/*/scripts/uninstall.sh")
    assert (outputs[0] / "uninstall.sh").read_bytes() == inside.read_bytes()
    assert os.access(outputs[0] / "uninstall.sh", os.X_OK)


def test_trees_and_manifests_are_equal(outputs: list[Path]) -> None:
    def described(out: Path) -> dict[str, tuple[int, bytes]]:
        files = sorted(p for p in out.rglob("*") if p.is_file())
        return {p.relative_to(out).as_posix(): (p.stat().st_mode, p.read_bytes()) for p in files if p.parent != out}

    assert described(outputs[0]) == described(outputs[1])
    assert (outputs[0] / "manifest.json").read_bytes() == (outputs[1] / "manifest.json").read_bytes()


def test_nothing_of_the_machine_is_in_the_installer(outputs: list[Path]) -> None:
    out = outputs[1]
    content = (out / "x.run").read_bytes()
    stub, payload = content[: content.index(b"\x1f\x8b")], content[content.index(b"\x1f\x8b") :]
    everything = stub + gzip.decompress(payload)
    for trace in (
        str(out.parent),
        str(Path.cwd()),
        "a longer path",
        str(makeself()),
        "sandbox",
        "execroot",
        "mkself",
    ):
        assert trace.encode() not in everything, trace


def test_archive_order_owners_and_times(outputs: list[Path]) -> None:
    listing = subprocess.run(
        [
            "sh",
            "-c",
            'tail -n "+$(sed -n s/^payload_line=//p "$1" | head -n 1)" "$1" | tar -tzvf - --numeric-owner --utc',
            "sh",
            str(outputs[0] / "x.run"),
        ],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
    ).stdout.splitlines()
    names = [line.split()[-1] for line in listing]
    assert names == sorted(names)
    assert {line.split()[1] for line in listing} == {"0/0"}
    assert {" ".join(line.split()[3:5]) for line in listing} == {"2000-01-01 00:00"}
    assert {line.split()[0] for line in listing} == {"-rw-r--r--", "-rwxr-xr-x"}


def test_links_in_archives(tmp_path: Path) -> None:
    tree = Tree(links={"op_tiling/liboptiling.so": "lib/real.so"})
    tree.add("op_tiling/lib/real.so", b"real", "a library")
    archive.write(tree, "vendors/acme", tmp_path / "x.tar.gz")
    subprocess.run(["tar", "-xpf", tmp_path / "x.tar.gz", "-C", tmp_path], check=True)
    link = tmp_path / "vendors/acme/op_tiling/liboptiling.so"
    assert os.readlink(link) == "lib/real.so" and link.read_bytes() == b"real"
