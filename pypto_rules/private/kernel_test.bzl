"""`pypto_kernel_test`: pytest with numpy against a built kernel.

```starlark
pypto_kernel_test(
    name = "add_example_test",
    srcs = ["tests/test_add_example.py"],
    kernel = ":add_example",
)
```

In the test file:

```python
from pypto_rules.testing import load_kernel

kernel = load_kernel()
kernel(x, y, z, tiling_key={"sch_mode": 0}, tiling={"total_length": 7, "tile_num": 1}, dtypes={"data_dtype": "float16"})
```
"""

load(":pytest.bzl", "pytest_test")

def pypto_kernel_test(name, kernel, srcs, deps = [], data = [], env = {}, **kwargs):
    """Runs pytest files that call a kernel's variants on the CPU twin.

    Args:
      name: name of the test.
      kernel: the `pypto_kernel` or `pypto_op` under test; built for the first SoC chosen.
      srcs: `test_*.py` files, and their helpers.
      deps: further Python libraries.
      data: further files.
      env: further environment.
      **kwargs: as of py_test (size, tags, shard_count, …).
    """
    pytest_test(
        name = name,
        srcs = srcs,
        data = data + [kernel],
        env = env | {"PYPTO_KERNEL": "$(rlocationpath %s)" % kernel},
        deps = deps + [Label("//pypto_rules/testing")],
        **kwargs
    )
