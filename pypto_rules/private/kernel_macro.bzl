"""`pypto_kernel` as BUILD files load it: the kernel `<name>` and the table of its variants, `<name>.variants`."""

load(":kernel.bzl", _pypto_kernel = "pypto_kernel")
load(":names.bzl", "COMMON_ATTRS")
load(":variants.bzl", "pypto_variants")

def pypto_kernel(name, **kwargs):
    """Builds a kernel file: contract, shared headers, every variant compiled by an action of its own.

    Args:
      name: name of the kernel. `bazel run <name>.variants` prints its variants.
      **kwargs: attributes of the rule (see `kernel.bzl`): `src`, `deps`, `dtypes`, `op_type`, `copts`, and those of every rule.
    """
    _pypto_kernel(name = name, **kwargs)
    pypto_variants(
        name = name + ".variants",
        kernel = ":" + name,
        tags = ["manual"] + kwargs.get("tags", []),
        **{key: value for key, value in kwargs.items() if key in COMMON_ATTRS}
    )
