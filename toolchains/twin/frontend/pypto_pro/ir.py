"""`pypto_pro.ir`: types and enumerations by another path; the rest builds the intermediate form on the host."""

from typing import Any

from pypto_pro import language as _language
from pypto_pro._host import names_of as _names_of
from pypto_pro._types import DataType as DataType

_HOST = _names_of(__name__)
_PREFERRED = ("MemRef", "TileType")


def __getattr__(name: str) -> Any:
    value = vars(_language).get(name)
    is_type = isinstance(value, type) and (name in _PREFERRED or hasattr(value, "__members__"))
    return value if is_type else _HOST(name)
