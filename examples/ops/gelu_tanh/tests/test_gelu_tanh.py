"""gelu_tanh against its formulas in double precision: every variant, tails, special values."""

import ml_dtypes
import numpy as np
import pytest
from pypto_tiling.gelu_tanh import GeluTanhTiling

from pypto_rules.testing import KernelCallError, load_kernel

KERNEL = load_kernel()
DTYPES = {"float16": np.float16, "float": np.float32, "bfloat16": ml_dtypes.bfloat16}
# Half a unit in the last place of the result's type, and what FP32 arithmetic in between adds.
TOLERANCE = {"float16": 1e-3, "float": 2e-5, "bfloat16": 8e-3}
SCALE, CUBIC, SLOPE = np.sqrt(2 / np.pi), 0.044715, 1.702
TANH, SIGMOID = 0, 1


def reference(approx, x):
    x = x.astype(np.float64)
    if approx == TANH:
        return 0.5 * x * (1 + np.tanh(SCALE * (x + CUBIC * x**3)))
    return x / (1 + np.exp(-SLOPE * x))


def run(x, key, name, block_dim=1):
    y = np.zeros_like(x)
    KERNEL(
        x,
        y,
        tiling_key=key,
        tiling=GeluTanhTiling(shape=[1, 1, 1, x.size], tanh_scale=[SCALE, CUBIC], slope=SLOPE),
        dtypes={"data_dtype": name},
        block_dim=block_dim,
    )
    return y


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("key", KERNEL.keys, ids=str)
@pytest.mark.parametrize(("length", "block_dim"), [(1, 1), (5000, 1), (20001, 7)])
def test_every_variant(key, name, length, block_dim):
    x = np.random.default_rng(length).uniform(-10, 10, length).astype(DTYPES[name])
    y = run(x, key, name, block_dim).astype(np.float64)
    np.testing.assert_allclose(y, reference(key["approx"], x), rtol=TOLERANCE[name], atol=TOLERANCE[name])


@pytest.mark.parametrize("approx", [TANH, SIGMOID])
def test_large_values_neither_overflow_nor_vanish(approx):
    x = np.array([-80, -20, 0, 20, 80], np.float32)
    np.testing.assert_allclose(run(x, {"approx": approx, "tile": 256}, "float"), [0, 0, 0, 20, 80], atol=1e-6)


def test_keys_are_those_is_valid_leaves():
    assert len(KERNEL.keys) == 11
    assert {"approx": TANH, "tile": 8192} not in KERNEL.keys
    with pytest.raises(KernelCallError, match="is not a TilingKey of gelu_tanh"):
        run(np.zeros(8, np.float32), {"approx": TANH, "tile": 8192}, "float")
