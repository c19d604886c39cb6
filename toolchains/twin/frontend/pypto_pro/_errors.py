"""Errors of the declarations, names close to a misspelt one, and the exceptions that host code expects."""

from __future__ import annotations

from collections.abc import Iterable


class DeclarationError(RuntimeError):
    """What belongs to a kernel or to the host was called while the kernel file was loading; `fix` is the edit."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def exception_named(name: str) -> type[Exception]:
    """An exception class of the host side, for files that name what their own tests expect."""
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (Exception,), {"__module__": "pypto_pro"})


__getattr__ = exception_named


def called_while_loading(name: str) -> DeclarationError:
    """The error for calling operation `name` outside a kernel body."""
    return DeclarationError(
        f"{name}() only has a meaning inside a kernel body; it was called while the file was loading",
        "move the call into the kernel function or a helper that it calls, or drop it",
    )


def unknown_name(owner: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that `owner` does not have, with the closest ones it has."""
    import difflib  # only on this rare path: loading a kernel must stay fast

    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"it has {', '.join(names[:12])}"
    return AttributeError(f"{owner} has no '{name}'; {hint}")
