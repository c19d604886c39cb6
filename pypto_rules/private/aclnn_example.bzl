"""`pypto_aclnn_example`: a `test_aclnn_<op>.cpp` of an operator project as a test, and as a program for `bazel run`.

```starlark
pypto_aclnn_example(
    name = "run_example",
    srcs = ["examples/test_aclnn_add_example.cpp"],
    package = ":pkg",
)
```
"""

load("@rules_cc//cc:defs.bzl", "cc_test")

def pypto_aclnn_example(name, srcs, package, deps = [], data = [], env = {}, **kwargs):
    """Compiles an example against a package's aclnn library and runs it with that package, and no other, installed.

    Args:
      name: name of the test; `bazel run` prints what the example prints.
      srcs: the example, unchanged.
      package: the `pypto_op_package` it calls.
      deps: further C++ libraries.
      data: further files.
      env: further environment.
      **kwargs: as of cc_test (copts, size, tags, …).
    """
    cc_test(
        name = name,
        srcs = srcs,
        data = data + [package],
        env = {"ASCEND_CUSTOM_OPP_PATH": "$(PYPTO_OPP_PATH)"} | env,
        toolchains = [package],
        deps = deps + [package],
        **kwargs
    )
