"""`pypto_pro.language.parser`: reads kernels on the host."""

from pypto_pro._host import names_of

__getattr__ = names_of(__name__)
