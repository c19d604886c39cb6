"""Stand-ins for packages that a kernel file may import but a build does not have (torch, numpy, …).

Kernel files often carry a host wrapper for the author's own tests. Importing, annotating with and subclassing a
stand-in works; computing with it while the file loads is an error that says why.
"""

from __future__ import annotations

import importlib.machinery
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

PACKAGES = ("torch", "torch_npu", "torchair", "numpy")


class StandInUsed(Exception):
    """A stand-in was computed with while the kernel file was loading."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class StandIn:
    """Any attribute of a stand-in module."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.__name__ = name.rpartition(".")[2]

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self._name}.{name}")

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return ()

    def __getitem__(self, item: Any) -> StandIn:
        return self

    def __or__(self, other: Any) -> StandIn:
        return self

    __ror__ = __or__

    def __repr__(self) -> str:
        return self._name


def _refuse(self: StandIn, *args: Any, **kwargs: Any) -> Any:
    raise StandInUsed(self._name)


_COMPUTING = (
    "call bool len iter next contains setitem delitem enter exit int float index "
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul "
    "neg pos abs invert and rand xor rxor lshift rlshift rshift rrshift lt le gt ge round"
)
for _operation in _COMPUTING.split():
    setattr(StandIn, f"__{_operation}__", _refuse)


class _StandInModule(types.ModuleType):
    __all__ = ()

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__name__}.{name}")


class _Finder:
    """Last on sys.meta_path: a package that is really there wins."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in PACKAGES:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _StandInModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """A stand-in has no code."""


@contextmanager
def installed() -> Iterator[None]:
    """Stand-ins importable inside the block."""
    finder = _Finder()
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
