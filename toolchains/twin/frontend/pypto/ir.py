"""`pypto.ir`: the same as `pypto_pro.ir`."""

from pypto_pro.ir import __getattr__ as __getattr__
