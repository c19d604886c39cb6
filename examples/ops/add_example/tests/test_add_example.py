"""add_example against numpy: every variant, lengths with and without tails, one and many blocks."""

import numpy as np
import pytest

from pypto_rules.testing import load_kernel

KERNEL = load_kernel()
DTYPES = {"float16": np.float16, "float": np.float32, "int32": np.int32}


def operand(rng, length, dtype):
    """Random values; integers from the whole range, so that sums wrap."""
    if dtype == np.int32:
        return rng.integers(-(2**31), 2**31, length, dtype=np.int32)
    return rng.normal(0, 100, length).astype(dtype)


@pytest.mark.parametrize("sch_mode", [0, 1])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", [1, 7, 128, 1000, 65537])
@pytest.mark.parametrize("block_dim", [1, 2, 40])
def test_sum(sch_mode, dtype, length, block_dim):
    rng = np.random.default_rng(length * 100 + block_dim)
    x = operand(rng, length, DTYPES[dtype])
    y = operand(rng, length, DTYPES[dtype])
    z = np.full(length, 77, DTYPES[dtype])
    KERNEL(
        x,
        y,
        z,
        tiling_key={"sch_mode": sch_mode},
        tiling={"total_length": length, "tile_num": 8},
        dtypes={"data_dtype": dtype},
        block_dim=block_dim,
    )
    np.testing.assert_array_equal(z, x + y)


def test_every_variant_is_built():
    assert KERNEL.keys == [{"sch_mode": 0}, {"sch_mode": 1}]
    assert sorted(column["data_dtype"] for column in KERNEL.columns) == sorted(DTYPES)
