"""The host side of a backend: what OpDef, InferShape, Tiling and aclnn sources are compiled and linked against.

It is apart from `pypto_toolchain`, which is chosen by SoC: host libraries are built once, for the machine they run on.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":providers.bzl", "PyptoHostToolchainInfo")

HOST_TOOLCHAIN_TYPE = Label("//pypto_rules:host_toolchain_type")

def _pypto_host_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(
        pypto_host = PyptoHostToolchainInfo(
            aclnn = ctx.attr.aclnn[DefaultInfo].files_to_run,
            backend = ctx.attr.backend,
            library = ctx.file.library,
            op_def_dump = ctx.attr.op_def_dump[DefaultInfo].files_to_run,
            op_def_sdk = ctx.attr.op_def_sdk[CcInfo],
            sdk = ctx.attr.sdk[CcInfo],
        ),
    )]

_TOOL = {"cfg": "exec", "executable": True, "mandatory": True}

pypto_host_toolchain = rule(
    doc = "The host side of a backend: register it with `toolchain(toolchain_type = \"@pypto_rules//pypto_rules:host_toolchain_type\")`.",
    implementation = _pypto_host_toolchain_impl,
    attrs = {
        "aclnn": attr.label(doc = "The aclnn generator; command line as of `//pypto_rules/tools/aclnn`.", **_TOOL),
        "backend": attr.string(doc = "Name of the backend.", mandatory = True),
        "library": attr.label(
            doc = "The shared library that host libraries of packages are linked against; it is on the machine where a package is used.",
            allow_single_file = [".so"],
            mandatory = True,
        ),
        "op_def_dump": attr.label(doc = "Loads the library of a `_def.cpp` and writes what it registers.", **_TOOL),
        "op_def_sdk": attr.label(doc = "What a `_def.cpp` is compiled and linked with.", mandatory = True, providers = [CcInfo]),
        "sdk": attr.label(doc = "Headers of the host side and of acl, with `library`.", mandatory = True, providers = [CcInfo]),
    },
)

def _current_host_sdk_impl(ctx):
    return [ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.sdk]

current_host_sdk = rule(
    doc = "The SDK of the backend in use as a C++ library: what `deps` of helpers shared by operators name.",
    implementation = _current_host_sdk_impl,
    provides = [CcInfo],
    toolchains = [HOST_TOOLCHAIN_TYPE],
)

def _current_host_run_time_impl(ctx):
    return [DefaultInfo(files = depset([ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.library]))]

current_host_run_time = rule(
    doc = "The shared library that host libraries of packages are loaded into, of the backend in use.",
    implementation = _current_host_run_time_impl,
    toolchains = [HOST_TOOLCHAIN_TYPE],
)

def _current_op_def_sdk_impl(ctx):
    return [ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.op_def_sdk]

current_op_def_sdk = rule(
    doc = "What a `_def.cpp` is compiled and linked with, of the backend in use.",
    implementation = _current_op_def_sdk_impl,
    provides = [CcInfo],
    toolchains = [HOST_TOOLCHAIN_TYPE],
)
