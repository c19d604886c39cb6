"""`pypto_op_test`: pytest with numpy against an operator of a package, called through its aclnn library.

```starlark
pypto_op_test(
    name = "op_test",
    srcs = ["tests/test_add_example_op.py"],
    op = ":add_example",
    package = ":pkg",
)
```

In the test file:

```python
from pypto_rules.testing import load_op

op = load_op()
numpy.testing.assert_array_equal(op(x, y), x + y)
```
"""

load(":tested_operator.bzl", "OP_VARIABLES", "operator_test")

def pypto_op_test(name, op, package, srcs, deps = [], data = [], env = {}, **kwargs):
    """Runs pytest files that call an operator as an application does: InferShape, tiling, variant, kernel, result.

    Args:
      name: name of the test.
      op: the `pypto_op` under test.
      package: the `pypto_op_package` it is in.
      srcs: `test_*.py` files, and their helpers.
      deps: further Python libraries.
      data: further files.
      env: further environment.
      **kwargs: as of py_test (size, tags, shard_count, …).
    """
    operator_test(name, OP_VARIABLES, op, srcs, deps, data, env, package = package, **kwargs)
