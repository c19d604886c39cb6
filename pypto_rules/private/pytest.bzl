"""`pytest_test`: a py_test that runs pytest on its sources."""

load("@rules_python//python:defs.bzl", "py_test")

_MAIN = Label("//pypto_rules/testing:pytest_main.py")

def pytest_test(name, srcs, deps = [], **kwargs):
    """Runs pytest on the test files among `srcs` (`test_*.py`); the others are helpers.

    Args:
      name: name of the test.
      srcs: Python files of this package.
      deps: libraries.
      **kwargs: as of py_test.
    """
    tests = [src for src in srcs if src.rpartition("/")[2].rpartition(":")[2].startswith("test_")]
    if not tests:
        fail("%s: srcs has no file named test_*.py: pytest would find no test. Rename the test file." % name)
    py_test(
        name = name,
        srcs = srcs + [_MAIN],
        args = ["$(rootpath %s)" % src for src in tests] + kwargs.pop("args", []),
        data = kwargs.pop("data", []),
        # Bazel 7 makes missing __init__.py files in a reused sandbox *through* the links it finds there: it would empty
        # the user's own file. So none is made; packages without one are namespace packages.
        legacy_create_init = 0,
        main = _MAIN,
        deps = deps + [Label("@pypto_test_deps//:pytest")],
        **kwargs
    )
