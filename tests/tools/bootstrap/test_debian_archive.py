"""Reading the machine's apt configuration."""

from pathlib import Path

import pytest

from tools.bootstrap import debian_archive
from tools.bootstrap.debian_archive import Archive, ArchiveError, Source, choose_debian, parse_deb822, parse_list


def test_one_line_sources():
    text = """\
# deb mirror-a old main
deb mirror-a trixie main contrib # comment
deb [arch=amd64 signed-by=/keys/b.gpg] mirror-b sid main
deb-src mirror-a trixie main
"""
    assert parse_list(text) == [
        Source("mirror-a", ("trixie",), ("main", "contrib")),
        Source("mirror-b", ("sid",), ("main",), "/keys/b.gpg"),
    ]


def test_deb822_sources():
    text = """\
# the site's mirror
Types: deb deb-src
URIs: mirror-a
 mirror-b
Suites: bookworm bookworm-updates
Components: main
Signed-By: /keys/a.gpg

Types: deb
URIs: mirror-c
Suites: bookworm
Components: main
Enabled: no

Types: deb-src
URIs: mirror-d
Suites: bookworm
Components: main
"""
    suites = ("bookworm", "bookworm-updates")
    assert parse_deb822(text) == [
        Source("mirror-a", suites, ("main",), "/keys/a.gpg"),
        Source("mirror-b", suites, ("main",), "/keys/a.gpg"),
    ]


def test_an_embedded_key_is_no_path():
    text = "Types: deb\nURIs: m\nSuites: sid\nComponents: main\nSigned-By:\n -----BEGIN PGP KEY-----\n .\n x\n"
    assert parse_deb822(text) == [Source("m", ("sid",), ("main",), None)]


def test_debian_is_chosen_among_other_vendors():
    debian = Source("m", ("trixie", "trixie-updates"), ("main",))
    others = [
        Source("cdrom:[Debian]", ("trixie",), ("main",)),
        Source("v", ("vendor-bookworm",), ("main",)),
        Source("s", ("trixie-security",), ("main",)),
        Source("u", ("noble",), ("main",)),
        Source("c", ("trixie",), ("contrib",)),
    ]
    assert choose_debian([*others, debian]) == debian
    assert choose_debian(others) is None


def test_both_formats_of_a_machine_are_read(tmp_path: Path):
    parts = tmp_path / "sources.list.d"
    parts.mkdir()
    (tmp_path / "sources.list").write_text("deb a sid main\n")
    (parts / "x.list").write_text("deb b sid main\n")
    (parts / "y.sources").write_text("Types: deb\nURIs: c\nSuites: sid\nComponents: main\n")
    assert [source.uri for source in debian_archive.machine_sources(tmp_path)] == ["a", "b", "c"]


@pytest.fixture
def fake_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Puts an apt-get with the given shell text first on PATH."""

    def make(text: str) -> None:
        program = tmp_path / "bin" / "apt-get"
        program.parent.mkdir()
        program.write_text(f"#!/bin/bash\n{text}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")

    return make


def test_apt_works_in_a_directory_of_its_own(tmp_path: Path, fake_apt):
    fake_apt(
        'echo "$PWD $*" >> ../calls\n'
        '[[ $* == *install* ]] && printf "Inst a (1)\\nInst b [x] (2)\\nConf a (1)\\n" || true'
    )
    archive = Archive(tmp_path / "apt", Source("mirror", ("trixie",), ("main",), "/keys/a.gpg"), "forky")
    archive.update()
    assert archive.closure(["a"]) == ["a", "b"]
    assert (tmp_path / "apt/sources.list").read_text() == "deb [signed-by=/keys/a.gpg] mirror forky main\n"
    calls = (tmp_path / "apt/calls").read_text().splitlines()
    assert all(call.startswith(f"{tmp_path}/apt/debs -q -c {tmp_path}/apt/apt.conf ") for call in calls)
    configuration = (tmp_path / "apt/apt.conf").read_text()
    for setting in ("Dir::State::lists", "Dir::State::status", "Dir::Cache", "Dir::Etc::sourcelist"):
        assert f'{setting} "{tmp_path}/apt/' in configuration


def test_a_failing_apt_shows_its_last_lines(tmp_path: Path, fake_apt):
    fake_apt("for i in $(seq 20); do echo line $i >&2; done; exit 100")
    archive = Archive(tmp_path / "apt", Source("mirror", ("trixie",), ("main",)), "forky")
    with pytest.raises(ArchiveError) as error:
        archive.update()
    assert str(error.value).splitlines()[0] == "apt-get update --error-on=any failed:"
    assert str(error.value).splitlines()[1:] == [f"  line {i}" for i in range(13, 21)]
