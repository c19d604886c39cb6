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

`tiling` may also be an instance of the generated class: `from pypto_tiling.add_example import AddExampleTilingData`.
"""

load(":pytest.bzl", "pytest_test")
load(":tested_kernel.bzl", "tested_kernel")

def pypto_kernel_test(name, kernel, srcs, deps = [], data = [], env = {}, **kwargs):
    """Runs pytest files that call a kernel's variants on the CPU twin.

    Args:
      name: name of the test.
      kernel: the `pypto_kernel` or `pypto_op` under test; built for one SoC, the first chosen.
      srcs: `test_*.py` files, and their helpers.
      deps: further Python libraries.
      data: further files.
      env: further environment.
      **kwargs: as of py_test (size, tags, shard_count, …).
    """
    tested_kernel(
        name = name + "_kernel",
        testonly = True,
        kernel = kernel,
        tags = ["manual"],
        visibility = ["//visibility:private"],
    )
    pytest_test(
        name = name,
        srcs = srcs,
        data = data + [name + "_kernel"],
        env = env | {"PYPTO_KERNEL": "$(rlocationpath %s)" % (name + "_kernel")},
        deps = deps + [Label("//pypto_rules/testing"), name + "_kernel"],
        **kwargs
    )
