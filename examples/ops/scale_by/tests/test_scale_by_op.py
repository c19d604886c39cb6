"""scale_by through its aclnn library: which dtypes go together decides which binary runs."""

import numpy as np
import pytest

from pypto_rules.testing import HostSideError, load_op

op = load_op()
random = np.random.default_rng(5)


@pytest.mark.parametrize("x_dtype", [np.float16, np.float32])
@pytest.mark.parametrize("w_dtype", [np.float16, np.float32])
@pytest.mark.parametrize("shape", [(3,), (40, 50), (97, 101)])
@pytest.mark.parametrize("divide", [False, True])
def test_values(divide, shape, w_dtype, x_dtype):
    x = random.random(shape).astype(x_dtype)
    w = (random.random(shape) + 0.5).astype(w_dtype)
    y = op(x, w, divide=divide)
    assert y.dtype == x_dtype
    wide = x.astype(np.float32), w.astype(np.float32)
    expected = wide[0] / wide[1] if divide else wide[0] * wide[1]
    np.testing.assert_allclose(y.astype(np.float32), expected.astype(x_dtype).astype(np.float32), rtol=1e-6)
    name = {np.float16: "float16", np.float32: "float"}
    assert op.last.dtypes == {"x_dtype": name[x_dtype], "w_dtype": name[w_dtype]}


def test_dtypes_that_do_not_go_together():
    x, w = np.ones(4, np.float32), np.ones(4, np.int32)
    with pytest.raises(HostSideError, match="no kernel for the dtypes"):
        op(x, w, out=np.zeros(4, np.float32))


def test_every_tiling_key_was_reached():
    assert op.unreached_keys() == []
