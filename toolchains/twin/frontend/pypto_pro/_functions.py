"""Decorators of functions: they record how a function was decorated and change nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto_pro._errors import called_while_loading
from pypto_pro._operations import Operation


class Kernel:
    """A function under `@pl.jit`. The contract reads `function` and `options`; nothing here checks them."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.function = function
        self.options = options
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self.__doc__ = getattr(function, "__doc__", None)

    def __getitem__(self, launch: Any) -> Any:
        raise called_while_loading(f"{self.__name__}[...]")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise called_while_loading(self.__name__)

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"


class HelperFunction:
    """A decorated function that is not a kernel: inlined, vector or SIMT function, pipeline stage."""

    def __init__(self, function: Callable[..., Any], role: str, options: dict[str, Any]) -> None:
        self.function = function
        self.role = role
        self.options = options
        self.__name__ = getattr(function, "__name__", type(function).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise called_while_loading(self.__name__)

    def __repr__(self) -> str:
        return f"<{self.role} {self.__name__}>"


def jit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a kernel: `@pl.jit` or `@pl.jit(tiling_key=…, datatype=…)`."""
    if isinstance(function, (type, dict)):
        raise TypeError("pl.jit takes a function or keywords: @pl.jit(tiling_key=Key, datatype={…})")
    if function is not None:
        return Kernel(function, options)
    return lambda decorated: Kernel(decorated, options)


def helper(role: str) -> Callable[..., Any]:
    """A decorator for functions of this role, usable with and without arguments."""

    def decorate(function: Callable[..., Any] | None = None, **options: Any) -> Any:
        if function is not None:
            return HelperFunction(function, role, options)
        return lambda decorated: HelperFunction(decorated, role, options)

    decorate.__name__ = role
    return decorate


class Simt:
    """`pl.simt`: the `function` decorator; everything else is an operation."""

    function = staticmethod(helper("simt.function"))

    def __getattr__(self, name: str) -> Operation:
        if name.startswith("__"):
            raise AttributeError(name)
        return Operation(f"pl.simt.{name}")
