"""What a kernel file may do while it runs: compute, read the files it was declared with, use a directory of its own.

Python's audit events tell what the file is about to do; a forbidden step raises `Refused` and is kept, so that a file
that catches the exception is reported all the same. A hook cannot be taken out again: use it in a process of its own.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract import places

_WRITES = frozenset(
    [
        "os.chflags",
        "os.chmod",
        "os.chown",
        "os.link",
        "os.lockf",
        "os.mkdir",
        "os.remove",
        "os.removexattr",
        "os.rename",
        "os.rmdir",
        "os.setxattr",
        "os.symlink",
        "os.truncate",
        "os.utime",
    ]
)
_STARTS = frozenset(
    [
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.kill",
        "os.killpg",
        "os.posix_spawn",
        "os.spawn",
        "os.startfile",
        "os.system",
        "pty.spawn",
        "signal.pthread_kill",
        "subprocess.Popen",
    ]
)
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom", "/dev/zero")
_MOST_ATTEMPTS = 20  # further ones say nothing new


@dataclass(frozen=True)
class Attempt:
    """A refused step: `kind` is read, write or start; `frames` are (code, line, last instruction), outermost first."""

    kind: str
    what: str
    frames: tuple[tuple[types.CodeType, int, int], ...]


class Refused(PermissionError):
    """The kernel file may not do this."""

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(f"a kernel file may not {attempt.kind} {attempt.what}")
        self.attempt = attempt


class Guard:
    """Refuses all but computing and reading `files` (absolute paths) and Python's own.

    Below `scratch` the file may do what it likes, since nobody will see it: old debug output must not stop a build.
    Unless `strict`, all `.py` files below `search`, where modules are looked for, may be read, too: by hand nobody
    declares helper modules.
    """

    def __init__(self, files: Sequence[str], scratch: str, search: Sequence[str] = (), *, strict: bool = True) -> None:
        self._scratch = os.path.realpath(scratch) + os.sep
        self._files = {path for name in files for path in (os.path.abspath(name), os.path.realpath(name))}
        roots = [os.path.abspath(root) for root in search]
        self._directories = {parent for path in self._files for parent in _parents(path, roots)}
        self._roots = () if strict else tuple(root + os.sep for root in roots)
        own = [os.path.abspath(root) for root in (*places.standard_library(), places.front_end(), places.tools())]
        self._own = tuple(root + os.sep for root in (*own, *filter(None, [sys.pycache_prefix])))
        # Besides what is below them: a zipped standard library, and what shows a stack reads the program's first lines.
        self._files |= {*own, os.path.abspath(getattr(sys.modules["__main__"], "__file__", None) or "")}
        self._handlers: dict[str, Callable[[Sequence[Any]], tuple[str, str] | None]] = {
            "ctypes.dlopen": lambda args: ("start", f"the library {_shown(args[0])}") if args[0] else None,
            "open": self._open,
            "os.listdir": self._list,
            "os.scandir": self._list,
            "sqlite3.connect": self._connect,
            **dict.fromkeys(_WRITES, self._change),
        }
        self.attempts: list[Attempt] = []

    def install(self) -> None:
        """Watch this process from now on."""
        sys.addaudithook(self._hook)

    def _hook(self, event: str, args: Sequence[Any]) -> None:
        handler = self._handlers.get(event)
        if handler is not None:
            refused = handler(args)
        elif event in _STARTS or event.startswith("socket."):
            refused = ("start", event)
        else:
            return
        if refused is not None:
            self._refuse(*refused)

    def _refuse(self, kind: str, what: str) -> None:
        attempt = Attempt(kind, what, tuple(_stack()))
        if len(self.attempts) < _MOST_ATTEMPTS:
            self.attempts.append(attempt)
        raise Refused(attempt)

    def _open(self, args: Sequence[Any]) -> tuple[str, str] | None:
        path, mode, flags = args
        if isinstance(path, int):
            return None
        name = os.path.abspath(os.fsdecode(path))
        writes = any(letter in mode for letter in "wax+") if isinstance(mode, str) else bool(flags & _WRITE_FLAGS)
        if name in _DEVICES:
            return None
        if writes:
            return None if self._is_scratch(name) else ("write", _shown(path))
        if self._readable(name) or (self._is_scratch(name) and os.path.exists(name)):
            return None
        if os.path.basename(os.path.dirname(name)) == "__pycache__":
            raise FileNotFoundError(name)  # the import goes on to the source, which tells more
        return "read", _shown(path)

    def _is_scratch(self, name: str) -> bool:
        return (os.path.realpath(name) + os.sep).startswith(self._scratch)

    def _change(self, args: Sequence[Any]) -> tuple[str, str] | None:
        """Both paths of a rename or link count; file descriptors are of files that could be opened."""
        paths = [arg for arg in args if isinstance(arg, (str, bytes, os.PathLike))]
        outside = [path for path in paths if not self._is_scratch(os.path.abspath(os.fsdecode(path)))]
        return ("write", _shown(outside[0])) if outside else None

    def _connect(self, args: Sequence[Any]) -> tuple[str, str] | None:
        name = os.fsdecode(args[0]) if isinstance(args[0], (str, bytes)) else ""
        return None if name in ("", ":memory:") or self._is_scratch(os.path.abspath(name)) else ("write", repr(name))

    def _readable(self, name: str) -> bool:
        if name in self._files or (name.startswith(self._own) and not places.is_installed(name)):
            return True
        if name.endswith(".py") and name.startswith(self._roots):
            return True
        directory, base = os.path.split(name)
        if os.path.basename(directory) == "__pycache__":  # of a module that may be read
            return self._readable(os.path.join(os.path.dirname(directory), base.partition(".")[0] + ".py"))
        return False

    def _list(self, args: Sequence[Any]) -> tuple[str, str] | None:
        """Imports list the directories of sys.path; what else is listed would depend on the machine."""
        if isinstance(args[0], int):
            return None
        name = os.path.abspath(os.fsdecode(args[0] or "."))
        if name in map(os.path.abspath, sys.path) or name in self._directories or self._is_scratch(name):
            return None
        return None if (name + os.sep).startswith((*self._own, *self._roots)) else ("read", _shown(args[0] or "."))


def _parents(path: str, roots: Sequence[str]) -> list[str]:
    """The directories from a file up to the highest root it is below: what an import of it lists."""
    parents = [str(parent) for parent in Path(path).parents]
    below = [parent for parent in parents if any(parent == root or parent.startswith(root + os.sep) for root in roots)]
    return below or parents[:1]


def _shown(path: Any) -> str:
    return repr(os.fsdecode(path)) if isinstance(path, (str, bytes, os.PathLike)) else repr(path)


def _stack() -> list[tuple[types.CodeType, int, int]]:
    frames = []
    frame = sys._getframe(2)  # without the guard's own
    while frame is not None:
        frames.append((frame.f_code, frame.f_lineno, frame.f_lasti))
        frame = frame.f_back
    return frames[::-1]
