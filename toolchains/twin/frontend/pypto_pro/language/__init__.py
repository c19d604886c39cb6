"""Every public name of `pypto_pro.language`, as a declaration."""

from __future__ import annotations

import builtins as _builtins
from types import SimpleNamespace
from typing import Any

from pypto_pro._enums import NAMES as _ENUMERATIONS
from pypto_pro._enums import enumeration as _enumeration
from pypto_pro._errors import unknown_name as _unknown_name
from pypto_pro._functions import Simt as _Simt
from pypto_pro._functions import helper as _helper
from pypto_pro._functions import jit as jit
from pypto_pro._operations import Namespace as _Namespace
from pypto_pro._operations import operations as _operations
from pypto_pro._types import DYNAMIC as DYNAMIC
from pypto_pro._types import STATIC as STATIC
from pypto_pro._types import DataType as DataType
from pypto_pro._types import Direction as _Direction
from pypto_pro._types import MemRef as MemRef
from pypto_pro._types import Ptr as Ptr
from pypto_pro._types import Scalar as Scalar
from pypto_pro._types import Tensor as Tensor
from pypto_pro._types import Tile as Tile
from pypto_pro._types import TileType as TileType
from pypto_pro._types import dtype_constants as _dtype_constants
from pypto_pro.language import parser as parser
from pypto_pro.runtime import pipeline as pipeline
from pypto_pro.runtime.kernel import KernelDef as KernelDef
from pypto_pro.runtime.kernel import kernel as kernel

# Written by hand, the names of one kind would be a hundred equal lines; `__all__` below lists what results.
globals().update({**_dtype_constants(), **_operations()})
_LAYOUTS = ("ND", "DN", "NZ", "ZN", "NN", "ZZ")

Input = _Direction("Input")
Output = _Direction("Output")

system = _Namespace("pl.system")
tensor = _Namespace("pl.tensor")
Vf = _Namespace("pl.Vf")
vf = Vf
simt = _Simt()
mutex = _Namespace("pl.mutex")

function = _helper("function")
inline = _helper("inline")
program = _helper("program")
vector_function = _helper("vector_function")


def struct(*args: Any, **kwargs: Any) -> SimpleNamespace:
    """A compile-time struct; the optional first argument is its C++ name."""
    return SimpleNamespace(**kwargs)


def struct_array(size: int, *args: Any, **kwargs: Any) -> list[SimpleNamespace]:
    """An array of compile-time structs."""
    return [SimpleNamespace(**kwargs) for _ in _builtins.range(size)]


def make_tuple(**kwargs: Any) -> SimpleNamespace:
    """A named tuple of expressions."""
    return SimpleNamespace(**kwargs)


_PRIVATE = ("Any", "SimpleNamespace", "annotations")
_PUBLIC = [name for name in globals() if not name.startswith("_") and name not in _PRIVATE]
__all__ = sorted([*_PUBLIC, *_ENUMERATIONS, *_LAYOUTS])


def __getattr__(name: str) -> Any:
    """The names that are made when first used, then kept."""
    if name in _ENUMERATIONS:
        return globals().setdefault(name, _enumeration(name))
    if name in _LAYOUTS:
        layouts = globals().get("TensorLayout") or __getattr__("TensorLayout")
        return globals().setdefault(name, getattr(layouts, name))
    if name.startswith("__"):
        raise AttributeError(name)
    raise _unknown_name("pypto_pro.language", name, __all__)
