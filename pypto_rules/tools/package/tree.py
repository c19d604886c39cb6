"""The files of the vendor directory, collected first and written at the end: two for one place are an error."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pypto_rules.tools.package.errors import PackageError

# Where everything of AI Core operators lies below the vendor directory (cann-flow, section 7).
TBE = "op_impl/ai_core/tbe"

FILE_MODE = 0o644
EXECUTABLE_MODE = 0o755
DIRECTORY_MODE = 0o755


@dataclass(frozen=True)
class TreeFile:
    """One file of the tree; `origin` says in errors where it comes from."""

    content: bytes
    mode: int
    origin: str

    @property
    def sha256(self) -> str:
        """Digest of the content."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass
class Tree:
    """Files by path relative to the vendor directory; links by path, each with the target it names."""

    files: dict[str, TreeFile] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)

    def add(self, path: str, content: bytes, origin: str, mode: int = FILE_MODE) -> None:
        """Add a file."""
        other = self.files.get(path)
        if other:
            raise PackageError(f"{other.origin} and {origin} both want to be {path} in the package; rename one")
        self.files[path] = TreeFile(content, mode, origin)

    def add_file(self, path: str, source: Path, origin: str, mode: int = FILE_MODE) -> None:
        """Add a copy of a file."""
        try:
            self.add(path, source.read_bytes(), origin, mode)
        except OSError as error:
            raise PackageError(f"{origin}: cannot read {source.name}: {error.strerror}") from error

    def add_all(self, directory: str, sources: Iterable[Path], origin: str) -> None:
        """Add copies of files below `directory`; of a directory among `sources` all it holds."""
        for source in sources:
            if not source.exists():
                raise PackageError(f"{origin}: {source.name} is not there; build it again")
            for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
                if path.is_file():
                    short = path.relative_to(source).as_posix() if source.is_dir() else path.name
                    self.add_file(f"{directory}/{short}", path, f"{origin} {short}")

    def write(self, directory: Path) -> None:
        """Write all files below `directory`, with their modes whatever the umask."""
        for path, file in sorted(self.files.items()):
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content)
            target.chmod(file.mode)
        for path, link in sorted(self.links.items()):
            (directory / path).symlink_to(link)
        for parent in [directory, *directory.rglob("*")]:
            if parent.is_dir() and not parent.is_symlink():
                parent.chmod(DIRECTORY_MODE)

    def sha256sums(self, prefix: str = "") -> str:
        """The files in the format `sha256sum -c` reads."""
        return "".join(f"{file.sha256}  {prefix}{path}\n" for path, file in sorted(self.files.items()))
