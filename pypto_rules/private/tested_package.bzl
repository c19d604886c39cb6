"""`tested_package`: a package for a program that calls its operators."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":providers.bzl", "PyptoPackageInfo")
load(":transitions.bzl", "twin_unless_cann")

def _tested_package_impl(ctx):
    default = ctx.attr.package[DefaultInfo]
    return [
        DefaultInfo(files = default.files, runfiles = default.default_runfiles),
        ctx.attr.package[CcInfo],
        ctx.attr.package[platform_common.TemplateVariableInfo],
    ]

tested_package = rule(
    doc = "A package of the twin, or of CANN if `kernel_backend` is `cann`.",
    implementation = _tested_package_impl,
    cfg = twin_unless_cann,
    attrs = {"package": attr.label(doc = "The `pypto_op_package`.", mandatory = True, providers = [CcInfo, PyptoPackageInfo])},
)
