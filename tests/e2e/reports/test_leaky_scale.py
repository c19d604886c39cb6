"""The operator that the reports change: y = 2 x for tail 0, y = x * x for tail 1, in whole tiles of 128."""

import numpy as np
import pytest

from pypto_rules.testing import KernelRuleError, load_kernel

KERNEL = load_kernel()


def run(key, dtypes, length):
    x = (
        np.random.default_rng(length)
        .normal(size=length)
        .astype({"float16": np.float16, "float": np.float32}[dtypes["io_t"]])
    )
    y = np.zeros_like(x)
    tiling = {field.name: [0] * field.count if field.count else 0 for field in KERNEL.contract.tiling.fields}
    KERNEL(x, y, tiling_key=key, tiling={**tiling, "total": length}, dtypes=dtypes)
    return x, y


@pytest.mark.parametrize("dtypes", KERNEL.columns, ids=str)
@pytest.mark.parametrize("key", KERNEL.keys, ids=str)
def test_every_variant(key, dtypes):
    x, y = run(key, dtypes, 512)
    np.testing.assert_array_equal(y, x + x if key["tail"] == 0 else x * x)


@pytest.mark.parametrize("dtypes", KERNEL.columns, ids=str)
def test_a_tail_that_the_kernel_forgot_is_an_error_at_its_line(dtypes):
    with pytest.raises(KernelRuleError, match=r"leaky_scale\.py:\d+:\d+: load: .*128"):
        run(KERNEL.keys[0], dtypes, 130)
