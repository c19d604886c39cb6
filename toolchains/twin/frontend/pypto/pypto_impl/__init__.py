"""`pypto.pypto_impl`: where kernel files of older versions take `ir` from."""

from pypto import ir as ir
