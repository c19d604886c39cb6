"""The operator as a whole: its kernel, with the host side that goes with it. `pypto_op` makes it."""

load(":aclnn.bzl", "ACLNN_TYPES")
load(":providers.bzl", "PyptoAclnnInfo", "PyptoKernelInfo", "PyptoOpDefInfo", "PyptoOpHostInfo", "PyptoOpInfo")

def _provided(target, provider):
    return target[provider] if target else None

def _pypto_operator_impl(ctx):
    kernel = ctx.attr.kernel
    return [
        kernel[DefaultInfo],
        kernel[OutputGroupInfo],
        kernel[PyptoKernelInfo],
        PyptoOpInfo(
            aclnn = _provided(ctx.attr.aclnn, PyptoAclnnInfo),
            aclnn_type = ctx.attr.aclnn_type,
            host = _provided(ctx.attr.host, PyptoOpHostInfo),
            op_def = _provided(ctx.attr.op_def, PyptoOpDefInfo),
        ),
    ]

pypto_operator = rule(
    doc = "An operator: what `pypto_op_package` packages and tests name.",
    implementation = _pypto_operator_impl,
    attrs = {
        "aclnn": attr.label(doc = "The `pypto_aclnn`.", providers = [PyptoAclnnInfo]),
        "aclnn_type": attr.string(default = "aclnn", doc = "As of `pypto_aclnn`.", values = ACLNN_TYPES),
        "host": attr.label(doc = "The `pypto_op_host`.", providers = [PyptoOpHostInfo]),
        "kernel": attr.label(doc = "The `pypto_kernel`.", mandatory = True, providers = [PyptoKernelInfo]),
        # An OpDef is data: one for all platforms.
        "op_def": attr.label(doc = "The `pypto_op_def`.", cfg = "exec", providers = [PyptoOpDefInfo]),
    },
    provides = [PyptoKernelInfo, PyptoOpInfo],
)
