"""add_example called as an application calls it: through the aclnn library of the package."""

import numpy as np
import pytest

from pypto_rules.testing import HostSideError, load_op

op = load_op()
random = np.random.default_rng(7)


def values(shape, dtype):
    return (random.standard_normal(shape) * 100).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32])
@pytest.mark.parametrize("shape", [(), (1,), (7,), (32, 64), (3, 5, 7), (1000, 513), (0, 4)])
def test_sums(shape, dtype):
    x, y = values(shape, dtype), values(shape, dtype)
    z = op(x, y)
    np.testing.assert_array_equal(z, x + y)
    assert z.dtype == dtype


def test_many_elements_use_many_blocks():
    x, y = values((1024, 400), np.float32), values((1024, 400), np.float32)
    np.testing.assert_array_equal(op(x, y=y), x + y)
    assert op.last.block_dim == 48
    assert op.last.tiling_key == {"sch_mode": 1}


def test_strided_inputs():
    x, y = values((64, 40), np.float32), values((40, 128), np.float32)
    np.testing.assert_array_equal(op(x.T, y[:, ::2]), x.T + y[:, ::2])


def test_an_output_of_another_shape_is_refused():
    x = values((4, 4), np.float32)
    with pytest.raises(HostSideError, match=r"output 'z' has the shape \[2, 8\], but InferShape of AddExample gives"):
        op(x, x, out=np.zeros((2, 8), np.float32))


def test_a_dtype_without_a_kernel_is_refused_with_those_there_are():
    x = values((4, 4), np.float64)
    with pytest.raises(HostSideError, match=r"no kernel for the dtypes.*x: double ND.*\(float16 ND, float16 ND"):
        op(x, x, out=x.copy())


def test_every_tiling_key_was_reached():
    assert op.unreached_keys() == []
