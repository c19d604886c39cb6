"""The kernel alone: every TilingKey, without the host side."""

import numpy as np
import pytest

from pypto_rules.testing import load_kernel

kernel = load_kernel()
random = np.random.default_rng(3)


@pytest.mark.parametrize("key", kernel.keys)
def test_sums(key):
    rows, columns = 10, 2051
    x = random.random((rows, columns)).astype(np.float32)
    bias = random.random(columns).astype(np.float32)
    y = np.zeros(columns, np.float32)
    tiling = {"rows": rows, "columns": columns, "chunk_rows": 4, "chunks": 3, "scale": 2.0}
    workspace = 3 * columns * 4 if key["passes"] else 0
    kernel(x, bias, y, tiling_key=key, tiling=tiling, dtypes={"data_dtype": "float"}, workspace=workspace, block_dim=2)
    np.testing.assert_allclose(y, 2.0 * x.sum(axis=0) + (bias if key["has_bias"] else 0), rtol=1e-5)
