"""`tested_kernel`: what a kernel test needs of a kernel."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load(":names.bzl", "label_text")
load(":providers.bzl", "PyptoKernelInfo")
load(":socs.bzl", "socs_or_default")
load(":tiling_headers.bzl", "tiling_module")
load(":transitions.bzl", "twin")

def _tested_kernel_impl(ctx):
    info = ctx.attr.kernel[PyptoKernelInfo]
    socs = socs_or_default(ctx.attr._soc[BuildSettingInfo].value)
    if len(socs) > 1:
        # buildifier: disable=print
        print("%s: kernel tests run on one SoC, here %s; run them again for %s." % (label_text(ctx.label), info.soc, ", ".join(socs[1:])))
    return [
        DefaultInfo(
            files = depset([info.binaries]),
            runfiles = ctx.runfiles(files = [info.binaries, info.manifest, info.variants, info.source_map, info.headers.python]),
        ),
        tiling_module(ctx, info.headers),
    ]

tested_kernel = rule(
    doc = "The binaries of a kernel with what tells of them, as data of a test, and the Python module of its TilingData.",
    implementation = _tested_kernel_impl,
    cfg = twin,
    attrs = {
        "kernel": attr.label(doc = "The kernel.", mandatory = True, providers = [PyptoKernelInfo]),
        "_soc": attr.label(default = "//pypto_rules/settings:soc"),
    },
)
