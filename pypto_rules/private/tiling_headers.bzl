"""`pypto_tiling_headers`: the TilingData and TilingKey headers of a kernel as a C++ library and a Python module.

```starlark
pypto_tiling_headers(
    name = "add_example_tiling",
    kernel = ":add_example",
)

cc_library(
    name = "tiling",
    srcs = ["op_host/add_example_tiling.cpp"],
    # One header to force-include: it brings both in.
    copts = ["-include", "add_example_tiling_host.h"],
    deps = [":add_example_tiling"],
)

py_test(
    name = "tiling_test",
    # from pypto_tiling.add_example import AddExampleTilingData
    srcs = ["tiling_test.py"],
    deps = [":add_example_tiling"],
)
```
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_python//python:defs.bzl", "PyInfo")
load(":names.bzl", "runfile_path")
load(":providers.bzl", "PyptoKernelInfo", "PyptoTilingHeadersInfo")

def tiling_module(ctx, headers):
    """The generated module `pypto_tiling.<kernel>` as a Python library.

    Args:
      ctx: of the rule that offers it.
      headers: PyptoTilingHeadersInfo.

    Returns:
      PyInfo. The directory must also be in the rule's runfiles.
    """
    return PyInfo(
        imports = depset([runfile_path(headers.python, ctx.workspace_name)]),
        transitive_sources = depset([headers.python]),
    )

def _pypto_tiling_headers_impl(ctx):
    headers = ctx.attr.kernel[PyptoKernelInfo].headers
    files = [headers.directory, headers.host_include]
    return [
        DefaultInfo(files = depset(files), runfiles = ctx.runfiles(files = [headers.python])),
        CcInfo(compilation_context = cc_common.create_compilation_context(
            headers = depset(files),
            includes = depset([headers.directory.path]),
            quote_includes = depset([headers.host_include.dirname]),
        )),
        tiling_module(ctx, headers),
        headers,
    ]

pypto_tiling_headers = rule(
    doc = "The headers a kernel shares with its host side, as a CcInfo, and the Python module of its TilingData, as a PyInfo.",
    implementation = _pypto_tiling_headers_impl,
    attrs = {
        "kernel": attr.label(
            doc = "The `pypto_kernel` whose headers these are.",
            mandatory = True,
            providers = [PyptoKernelInfo],
        ),
    },
    provides = [CcInfo, PyInfo, PyptoTilingHeadersInfo],
)
