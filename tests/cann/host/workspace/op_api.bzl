"""`op_api`: libcust_opapi.so of one operator, as packages link it."""

load("@pypto_rules//pypto_rules:providers.bzl", "PyptoAclnnInfo")
load("@pypto_rules//pypto_rules/private:host_libraries.bzl", "OP_API", "library_file", "link_host_library")
load("@pypto_rules//pypto_rules/private:host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE")
load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")

def _op_api_impl(ctx):
    libraries = ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.libraries["op_api"]
    contexts = [ctx.attr.aclnn[PyptoAclnnInfo].interface]
    linked = link_host_library(ctx, OP_API, ctx.label.name, contexts, libraries, ctx.file._exports)
    return [DefaultInfo(files = depset([library_file(linked)]))]

op_api = rule(
    implementation = _op_api_impl,
    attrs = {
        "aclnn": attr.label(providers = [PyptoAclnnInfo]),
        "_exports": attr.label(allow_single_file = True, default = "@pypto_rules//pypto_rules/private:op_api_exports.ld"),
    },
    fragments = ["cpp"],
    toolchains = use_cc_toolchain() + [HOST_TOOLCHAIN_TYPE],
)
