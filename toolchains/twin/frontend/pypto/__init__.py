"""The package `pypto` around `pypto_pro`, as far as kernel files import it: host functions, and `ir`."""

from pypto_pro._host import names_of

__getattr__ = names_of(__name__)
