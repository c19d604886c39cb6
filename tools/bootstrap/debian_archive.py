"""Gets packages from the Debian archive that the machine is set up for, without changing the system."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

# Bazel 7.4 or later is in these; the first that can be used is.
SUITES = ("forky", "sid")
# Names that Debian's releases give it; a source usually says which.
KEYRINGS = ("/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp")
DEBIAN_SUITES = re.compile(
    r"^(stable|oldstable|testing|unstable|sid|bullseye|bookworm|trixie|forky|duke)(-updates|-backports)?$"
)


class ArchiveError(Exception):
    """The archive could not be used; the text is for the user."""


@dataclass(frozen=True)
class Source:
    """One source of packages in the machine's apt configuration."""

    uri: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed_by: str | None = None


def parse_list(text: str) -> list[Source]:
    """Reads the one-line format of sources.list."""
    sources = []
    for line in text.splitlines():
        match = re.match(r"^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)", line)
        if match:
            options, uri, suite, components = match.groups()
            signed = re.search(r"\bsigned-by=(\S+)", options or "", re.IGNORECASE)
            sources.append(Source(uri, (suite,), tuple(components.split()), signed.group(1) if signed else None))
    return sources


def parse_deb822(text: str) -> list[Source]:
    """Reads the format of *.sources files."""
    sources = []
    for stanza in re.split(r"\n\s*\n", text):
        fields: dict[str, str] = {}
        key = ""
        for line in stanza.splitlines():
            if line.startswith("#"):
                continue
            if line[:1].isspace():
                fields[key] = fields.get(key, "") + "\n" + line.strip()
            elif ":" in line:
                key, _, value = line.partition(":")
                key = key.strip().lower()
                fields[key] = value.strip()
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").lower() in ("no", "false", "0"):
            continue
        signed = fields.get("signed-by", "")
        for uri in fields.get("uris", "").split():
            sources.append(
                Source(
                    uri,
                    tuple(fields.get("suites", "").split()),
                    tuple(fields.get("components", "").split()),
                    signed if signed.startswith("/") else None,
                )
            )
    return sources


def choose_debian(sources: Iterable[Source]) -> Source | None:
    """Returns the source that is Debian's own archive (not its security or another vendor's one)."""
    for source in sources:
        if source.uri.startswith("cdrom:") or "main" not in source.components:
            continue
        if any(DEBIAN_SUITES.match(suite) for suite in source.suites):
            return source
    return None


def machine_sources(etc_apt: Path = Path("/etc/apt")) -> list[Source]:
    """Reads all sources of the machine."""
    sources = []
    for path in [etc_apt / "sources.list", *sorted((etc_apt / "sources.list.d").glob("*"))]:
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            sources += parse_deb822(text) if path.suffix == ".sources" else parse_list(text)
    return sources


class Archive:
    """apt over one suite of the Debian archive, with lists and cache in a directory of its own."""

    def __init__(self, directory: Path, source: Source, suite: str) -> None:
        self.directory = directory
        for part in ("lists/partial", "cache/archives/partial", "debs"):
            (directory / part).mkdir(parents=True, exist_ok=True)
        (directory / "status").touch()
        keyring = source.signed_by or next((path for path in KEYRINGS if Path(path).exists()), "")
        options = f"[signed-by={keyring}] " if keyring else ""
        (directory / "sources.list").write_text(f"deb {options}{source.uri} {suite} main\n")
        (directory / "apt.conf").write_text(self._configuration())

    def _configuration(self) -> str:
        base = self.directory
        return f"""\
Dir::Etc::sourcelist "{base}/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::preferences "-";
Dir::Etc::preferencesparts "-";
Dir::State::lists "{base}/lists";
Dir::State::status "{base}/status";
Dir::Cache "{base}/cache";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "srcpkgcache.bin";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Sandbox::User "";
APT::Install-Recommends "false";
Debug::NoLocking "true";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""

    def _apt(self, *arguments: str) -> str:
        command = ["apt-get", "-q", "-c", str(self.directory / "apt.conf"), *arguments]
        result = run(command, cwd=self.directory / "debs")
        if result.returncode:
            shown = " ".join(arguments[:4])
            raise ArchiveError(f"apt-get {shown} failed:\n{last_lines(result.stderr or result.stdout)}")
        return result.stdout

    def update(self) -> None:
        """Fetches the list of packages."""
        self._apt("update", "--error-on=any")

    def closure(self, packages: Sequence[str]) -> list[str]:
        """Returns the packages and all that they depend on."""
        plan = self._apt("-s", "install", *packages)
        return re.findall(r"^Inst (\S+)", plan, re.MULTILINE)

    def download(self, packages: Sequence[str]) -> list[Path]:
        """Downloads packages and returns the files."""
        self._apt("download", *packages)
        return sorted((self.directory / "debs").glob("*.deb"))


def unpack(debs: Sequence[Path], directory: Path) -> None:
    """Unpacks package files over one another."""
    directory.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = pool.map(lambda deb: run(["dpkg-deb", "-x", str(deb), str(directory)]), debs)
        for deb, result in zip(debs, results, strict=True):
            if result.returncode:
                raise ArchiveError(f"cannot unpack {deb.name}:\n{last_lines(result.stderr)}")


def run(command: Sequence[str], cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a program with messages in English and nothing to read."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **variables}
    return subprocess.run(
        list(command), cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def last_lines(text: str, count: int = 8) -> str:
    """Returns the last lines of a program's output, indented."""
    return "\n".join("  " + line for line in text.strip().splitlines()[-count:])
