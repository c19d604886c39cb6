"""Placeholders of the operations: names that exist, and say so when called while a kernel file loads."""

from __future__ import annotations

from typing import Any

from pypto_pro._errors import called_while_loading

# Data movement, element-wise, reductions, matrix, gather/scatter, masks, debugging, scalars, control flow.
_NAMES = """
addptr make_ptr make_tensor make_tile make_tile_group
load load_tile store store_tile move insert ssbuf_store ssbuf_load subview
add sub mul div maximum minimum and_ or_ not_ shl shr xor expands
adds subs muls divs maxs mins
neg abs exp log sqrt rsqrt recip relu fillpad cast add_relu_cast sub_relu_cast mul_cast
eq ne lt le gt ge cmp cmps select
add_relu sub_relu addc mul_add_dst fused_mul_add fused_mul_add_relu axpy partadd partmax partmin partmul
matmul matmul_acc matmul_mx matmul_mx_acc transpose
sum argmax argmin row_sum row_max row_min col_sum col_max col_min
expand_max expand_min expand_mul expand_sub expand_div
gather gatherb gathermask scatter mrgsort mrgsort2 sort32 histogram
quant dequant getval setval set_validshape set_stride
set_mask_count set_mask_norm set_vec_mask reset_mask fill_index
pto_assert printf dump_data trap
min max const range section_vector section_cube
get_block_idx get_block_num get_subblock_idx get_subblock_num
parse parse_program loads loads_program
"""
OPERATIONS = tuple(_NAMES.split())


class Operation:
    """One operation. Calling it while the file loads is an error; so is entering it as a context."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self.__doc__ = f"Declaration of {name}; meaningful inside kernel bodies only."

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise called_while_loading(self.__name__)

    def __repr__(self) -> str:
        return f"<declaration of {self.__name__}>"


class Namespace:
    """A group of operations such as `pl.system` or `pl.Vf`; any name in it is an operation."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Operation:
        if name.startswith("__"):
            raise AttributeError(name)
        return Operation(f"{self.__name__}.{name}")

    def __repr__(self) -> str:
        return f"<declarations of {self.__name__}>"


def operations() -> dict[str, Operation]:
    """The operations by name."""
    return {name: Operation(f"pl.{name}") for name in OPERATIONS}
