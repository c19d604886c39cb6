"""CANN's dtypes and numpy's."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from pypto_rules.testing.errors import KernelCallError

# CANN dtype name → numpy dtype.
NUMPY_DTYPES: dict[str, np.dtype] = {
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "bool": np.dtype(np.bool_),
    "double": np.dtype(np.float64),
    "float": np.dtype(np.float32),
    "float16": np.dtype(np.float16),
    **{name: np.dtype(name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")},
}
_NAMES = {dtype: name for name, dtype in NUMPY_DTYPES.items()}


def cann_dtype(dtype: np.dtype, name: str) -> str:
    """The CANN name of a numpy dtype; `name` is whose it is, for the message."""
    if dtype not in _NAMES:
        raise KernelCallError(f"'{name}' has the dtype {dtype}; known are {', '.join(sorted(NUMPY_DTYPES))}")
    return _NAMES[dtype]
