"""Installers are unpacked to the last file, without being run and without a write outside of the directory."""

import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.cann.toolkit import assemble
from toolchains.cann.repository import unpack

SCRIPT = "#!/bin/sh\necho run >{witness}\nexit 1\n"


def tree(directory):
    return {
        path.relative_to(directory).as_posix(): (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for path in directory.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def entry(name, content=b"", **fields):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def installer(path, entries, mode="w:gz", head='skip="{lines}"\n'):
    """An installer as makeself writes it; running it would leave a witness."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:
        for info, content in entries:
            archive.addfile(info, io.BytesIO(content))
    script = SCRIPT.format(witness=path.with_suffix(".witness")) + head
    lines = script.count("\n")
    path.write_bytes(script.format(lines=lines, next=lines + 1).encode() + stream.getvalue())
    return path


def link(name, target, kind=tarfile.SYMTYPE):
    return entry(name, type=kind, linkname=target)


def test_the_toolkit_comes_out_as_it_went_in(tmp_path):
    run = assemble.make_run(tmp_path / "toolkit.run", version="9.3.0")
    unpack.unpack(run, tmp_path / "out")
    assert tree(tmp_path / "out") == tree(assemble.make(tmp_path / "direct", version="9.3.0"))
    assert not list((tmp_path / "out").rglob("*.run"))


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
@pytest.mark.parametrize(
    "head",
    ['skip="{lines}"\n', 'offset=`head -n {lines} "$0" | wc -c | tr -d " "`\n', 'tail -n +{next} "$0" | tar x\n'],
)
def test_every_form_of_script_and_compression(tmp_path, mode, head):
    run = installer(tmp_path / "a.run", [entry("bin/tool", b"\n#!/bin/sh\n", mode=0o550)], mode, head)
    unpack.unpack(run, tmp_path / "out")
    assert tree(tmp_path / "out") == {"bin/tool": (b"\n#!/bin/sh\n", True)}
    assert not (tmp_path / "a.witness").exists()


def test_links_within_the_archive_stay_links(tmp_path):
    entries = [entry("x/asc/f.h", b"1"), link("asc", "x/asc"), link("x/hard.h", "x/asc/f.h", tarfile.LNKTYPE)]
    unpack.unpack(installer(tmp_path / "a.run", entries), tmp_path / "out")
    assert (tmp_path / "out/asc").is_symlink()
    assert (tmp_path / "out/asc/f.h").read_bytes() == (tmp_path / "out/x/hard.h").read_bytes() == b"1"


def test_the_first_of_two_files_stays(tmp_path):
    first = installer(tmp_path / "first", [entry("version.info", b"first")]).read_bytes()
    second = installer(tmp_path / "second", [entry("version.info", b"second"), entry("more", b"")]).read_bytes()
    run = installer(tmp_path / "a.run", [entry("p/b.run", second), entry("p/a.run", first)])
    unpack.unpack(run, tmp_path / "out")
    assert {name: content for name, (content, _) in tree(tmp_path / "out").items()} == {
        "version.info": b"first",
        "more": b"",
    }


@pytest.mark.parametrize(
    "entries",
    [
        [entry("../outside", b"x")],
        [entry("/outside", b"x")],
        [link("door", "..")],
        [link("door", "/")],
        [link("a", "b/c"), link("b", "../.."), entry("a/outside", b"x")],
        [link("hard", "../outside", tarfile.LNKTYPE)],
        [entry("pipe", type=tarfile.FIFOTYPE)],
    ],
)
def test_nothing_is_written_outside(tmp_path, entries):
    (tmp_path / "outside").write_text("mine")
    run = installer(tmp_path / "a.run", entries)
    with pytest.raises(unpack.UnpackError):
        unpack.unpack(run, tmp_path / "out")
    assert (tmp_path / "outside").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.run", "out", "outside"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04", "does not begin with a script"),
        (b"#!/bin/sh\nexit 0\n", "does not say where data begin"),
        (b'#!/bin/sh\nskip="9"\n', "does not say where data begin"),
        (b'#!/bin/sh\nskip="2"\nno archive', "cannot be read"),
    ],
)
def test_what_is_no_installer(tmp_path, content, said):
    path = tmp_path / "broken.run"
    path.write_bytes(content)
    done = subprocess.run(
        [sys.executable, Path(unpack.__file__), path, tmp_path / "out"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "broken.run" in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_truncated_download(tmp_path):
    run = installer(tmp_path / "a.run", [entry("f", bytes(range(256)) * 4000)])
    run.write_bytes(run.read_bytes()[:-200])
    with pytest.raises(unpack.UnpackError, match=r"the archive of a\.run cannot be read"):
        unpack.unpack(run, tmp_path / "out")
