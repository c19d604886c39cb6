"""A kernel whose helper modules lie beside it, in a library of the repository, and in one with `imports`."""

import numpy as np
import pytest

from pypto_rules.testing import load_kernel

KERNEL = load_kernel()


@pytest.mark.parametrize("twice", [0, 1])
def test_helpers_are_built_in(twice):
    x = np.arange(100, dtype=np.float32)
    y = np.zeros_like(x)
    KERNEL(x, y, tiling_key={"twice": twice}, tiling={"total": 100, "factor": 2.0})
    np.testing.assert_array_equal(y, x * (4 if twice else 2))
