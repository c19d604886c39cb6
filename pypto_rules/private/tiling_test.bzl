"""`pypto_tiling_test`: pytest against the host tiling function of an operator: TilingData, TilingKey, BlockDim, workspace.

```starlark
pypto_tiling_test(
    name = "tiling_test",
    srcs = ["tests/test_add_example_tiling.py"],
    op = ":add_example",
)
```

In the test file:

```python
from pypto_rules.testing import Tensor, load_tiling

tiling = load_tiling()
result = tiling(inputs={"x": Tensor((32, 64), "float16"), "y": Tensor((32, 64), "float16")})
assert result.tiling_data.total_length == 2048 and result.tiling_key == {"sch_mode": 0}
```
"""

load(":tested_operator.bzl", "TILING_VARIABLES", "operator_test")

def pypto_tiling_test(name, op, srcs, deps = [], data = [], env = {}, **kwargs):
    """Runs pytest files that call the operator's tiling function and InferShape. Neither kernel nor NPU takes part.

    Args:
      name: name of the test.
      op: the `pypto_op` under test.
      srcs: `test_*.py` files, and their helpers.
      deps: further Python libraries.
      data: further files.
      env: further environment.
      **kwargs: as of py_test (size, tags, shard_count, …).
    """
    operator_test(name, TILING_VARIABLES, op, srcs, deps, data, env, **kwargs)
