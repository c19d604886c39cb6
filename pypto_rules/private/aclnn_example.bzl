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
load(":tested_package.bzl", "tested_package")

def pypto_aclnn_example(name, srcs, package, deps = [], data = [], env = {}, **kwargs):
    """Compiles an example against a package's aclnn library and runs it with that package, and no other, installed.

    On the CPU twin, also where CANN is: `--@pypto_rules//pypto_rules/settings:kernel_backend=cann` runs it on the machine's NPU.

    Args:
      name: name of the test; `bazel run` prints what the example prints.
      srcs: the example, unchanged.
      package: the `pypto_op_package` it calls.
      deps: further C++ libraries.
      data: further files.
      env: further environment.
      **kwargs: as of cc_test (copts, size, tags, …).
    """
    tested_package(
        name = name + "_package",
        testonly = True,
        package = package,
        tags = ["manual"],
        visibility = ["//visibility:private"],
    )
    cc_test(
        name = name,
        srcs = srcs,
        data = data + [name + "_package"],
        env = {"ASCEND_CUSTOM_OPP_PATH": "$(PYPTO_OPP_PATH)"} | env,
        toolchains = [name + "_package"],
        deps = deps + [name + "_package"],
        **kwargs
    )
