"""`pypto_package_test`: what is in a package, how large it is, and that it can work where it is installed.

```starlark
pypto_package_test(
    name = "pkg_test",
    max_size = "4M",
    must_contain = ["op_api/include/aclnn_add_example.h"],
    must_not_contain = ["*.py"],
    package = ":pkg",
)
```
"""

load("@rules_python//python:defs.bzl", "py_test")

_MAIN = Label("//pypto_rules/tools/package_check:__main__.py")
_RUN_TIME = Label("//pypto_rules:host_run_time")

def _pattern_args(name, flag, patterns):
    for pattern in patterns:
        if "'" in pattern or "$" in pattern:
            fail("%s: the pattern %s has a quote or a dollar sign, which paths of packages never have. Remove it." % (name, pattern))
    return ["--%s='%s'" % (flag, pattern) for pattern in patterns]

def pypto_package_test(name, package, must_contain = [], must_not_contain = [], max_size = "", **kwargs):
    """Checks what is in a package, and that it can work where it is installed.

    Always: every file against the manifest; the JSON files that the run time reads against the binaries; exported
    symbols, needed libraries and run paths; tiling functions against operators (of the CPU twin: CANN's host libraries
    need CANN to be loaded); no path of the build in any file.

    Args:
      name: name of the test.
      package: the `pypto_op_package`.
      must_contain: patterns of paths in the vendor directory, each of which must match a file; `*` goes over `/`.
      must_not_contain: patterns that must match none.
      max_size: most bytes of the installer, with K, M or G behind the number if you like.
      **kwargs: as of py_test (size, tags, …).
    """
    py_test(
        name = name,
        srcs = [_MAIN],
        args = [
                   "--vendor=$(PYPTO_OPP_PATH)",
                   "--run=$(rootpath %s)" % package,
                   "--run-time=$(rootpath %s)" % _RUN_TIME,
               ] + _pattern_args(name, "must-contain", must_contain) + _pattern_args(name, "must-not-contain", must_not_contain) +
               (["--max-size=" + max_size] if max_size else []),
        data = [package, _RUN_TIME],
        legacy_create_init = 0,
        main = _MAIN,
        toolchains = [package],
        deps = [Label("//pypto_rules/tools/package_check")],
        **kwargs
    )
