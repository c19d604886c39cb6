"""A `pypto_pro` of declarations only: enough to load a kernel file, nothing to run it.

Kernel bodies are read as source, never executed; what a kernel file may do while it loads is import these names,
annotate with them, decorate with them and build constants from them. Needs no torch, numpy or CANN.
"""

from pypto_pro import language as language
from pypto_pro._types import DataType as DataType
from pypto_pro._types import dtype_constants as _dtype_constants

globals().update(_dtype_constants())
