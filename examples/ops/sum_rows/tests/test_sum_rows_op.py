"""sum_rows through its aclnn library, against numpy."""

import ml_dtypes
import numpy as np
import pytest

from pypto_rules.testing import load_op

op = load_op()
random = np.random.default_rng(11)

TOLERANCE = {np.float32: 1e-5, np.float16: 2e-3, ml_dtypes.bfloat16: 1e-2}


def expected(x, bias, scale, keep_dims):
    total = scale * x.astype(np.float64).sum(axis=0, keepdims=keep_dims)
    return total if bias is None else total + bias.astype(np.float64).reshape(total.shape)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, ml_dtypes.bfloat16])
@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (5,), (64, 33), (65, 33), (200, 3, 7), (130, 2049), (0, 8), (3, 0)])
def test_sums(shape, with_bias, dtype):
    x = random.random(shape).astype(dtype)
    bias = random.random(shape[1:]).astype(dtype) if with_bias else None
    y = op(x, bias, scale=0.5)
    assert y.dtype == dtype
    np.testing.assert_allclose(y.astype(np.float64), expected(x, bias, 0.5, False), rtol=TOLERANCE[dtype])


def test_keep_dims():
    x = random.random((6, 4, 5)).astype(np.float32)
    y = op(x, keep_dims=True)
    assert y.shape == (1, 4, 5)
    np.testing.assert_allclose(y, expected(x, None, 1.0, True), rtol=1e-5)


def test_the_workspace_is_used_and_no_larger_than_asked_for():
    op(random.random((500, 40)).astype(np.float32))
    assert op.last.tiling_key == {"passes": 1, "has_bias": 0}
    assert op.last.workspace == 8 * 40 * 4 + 16 * 1024 * 1024


def test_every_tiling_key_was_reached():
    assert op.unreached_keys() == []
