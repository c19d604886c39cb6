"""The kernel alone: every TilingKey in every dtype column of the OpDef."""

import numpy as np
import pytest

from pypto_rules.testing import load_kernel

kernel = load_kernel()
NUMPY = {"float16": np.float16, "float": np.float32}


def test_the_columns_are_those_of_the_op_def():
    pairs = {(column["x_dtype"], column["w_dtype"]) for column in kernel.columns}
    assert pairs == {("float16", "float16"), ("float16", "float"), ("float", "float16"), ("float", "float")}


@pytest.mark.parametrize("column", kernel.columns, ids=str)
@pytest.mark.parametrize("key", kernel.keys, ids=str)
def test_values(key, column):
    x = np.arange(1, 5001).astype(NUMPY[column["x_dtype"]])
    w = (np.arange(5000) % 7 + 1).astype(NUMPY[column["w_dtype"]])
    y = np.zeros_like(x)
    kernel(x, w, y, tiling_key=key, tiling={"total": x.size}, dtypes=column, block_dim=3)
    wide = x.astype(np.float32), w.astype(np.float32)
    result = wide[0] / wide[1] if key["operation"] else wide[0] * wide[1]
    np.testing.assert_allclose(y.astype(np.float32), result.astype(x.dtype).astype(np.float32), rtol=1e-6)
