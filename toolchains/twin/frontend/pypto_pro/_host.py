"""Names of the host side: kernel files import them for their authors' own tests; a build has no device to run on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto_pro._errors import DeclarationError


class HostName:
    """A function or class of the host side: may be imported, named and annotated with, but not called."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> HostName:
        if name.startswith("__"):
            raise AttributeError(name)
        return HostName(f"{self.__name__}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise DeclarationError(
            f"{self.__name__}() belongs to the host; it was called while the file was loading, without a device",
            "move the call into the host function that uses its result, or under 'if __name__ == \"__main__\":'",
        )

    def __repr__(self) -> str:
        return f"<declaration of {self.__name__}>"


def names_of(module: str) -> Callable[[str], HostName]:
    """A module's `__getattr__`: every name in it is one of the host side."""
    return HostName(module).__getattr__
