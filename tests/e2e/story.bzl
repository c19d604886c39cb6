"""`story_test`: pytest that drives a Bazel of its own."""

load("//tests:pytest.bzl", "pytest_test")

def story_test(name, srcs, deps = [], **kwargs):
    """An end-to-end test on a real build.

    Args:
      name: name of the test.
      srcs: pytest files.
      deps: libraries besides `//tests/e2e:workspace`.
      **kwargs: as of pytest_test.
    """
    pytest_test(
        name = name,
        size = "large",
        srcs = srcs,
        # The launcher looks for its private root in the user's cache.
        env_inherit = ["HOME", "PYPTO_BAZEL", "XDG_CACHE_HOME"],
        # Bazel in Bazel needs the machine as it is: its own sandboxes, the registries, both cores.
        tags = ["exclusive", "no-sandbox", "requires-network"],
        deps = deps + ["//tests/e2e:workspace"],
        **kwargs
    )
