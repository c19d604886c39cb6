"""`pypto_pro.language.typing`: the annotation types by their full path."""

from pypto_pro._types import DYNAMIC, STATIC, Ptr, Scalar, Tensor, Tile

__all__ = ["DYNAMIC", "STATIC", "Ptr", "Scalar", "Tensor", "Tile"]
