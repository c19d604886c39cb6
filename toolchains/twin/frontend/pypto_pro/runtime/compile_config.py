"""`pypto_pro.runtime.compile_config`: asks and configures the host's device."""

from pypto_pro._host import names_of

__getattr__ = names_of(__name__)
