"""`pypto_toolchain`: declares a backend for one SoC."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":providers.bzl", "PyptoToolchainInfo")

TOOLCHAIN_TYPE = Label("//pypto_rules:toolchain_type")

def _pypto_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(
        pypto = PyptoToolchainInfo(
            backend = ctx.attr.backend,
            cc_toolchain = ctx.attr.cc_toolchain[cc_common.CcToolchainInfo],
            codegen = ctx.attr.codegen[DefaultInfo].files_to_run,
            contract = ctx.attr.contract[DefaultInfo].files_to_run,
            copts = ctx.attr.copts,
            cores = {core: [feature] for core, feature in ctx.attr.core_features.items()} or {"": []},
            executes_kernel = ctx.attr.executes_kernel,
            link = ctx.attr.link[DefaultInfo].files_to_run,
            mode_features = ctx.attr.mode_features,
            runtime = ctx.attr.runtime[CcInfo],
            soc = ctx.attr.soc,
            toolkit = ctx.attr.toolkit,
        ),
    )]

_TOOL = {"cfg": "exec", "executable": True, "mandatory": True}

pypto_toolchain = rule(
    doc = "A backend for one SoC: register it with `toolchain(toolchain_type = \"@pypto_rules//pypto_rules:toolchain_type\")`.",
    implementation = _pypto_toolchain_impl,
    attrs = {
        "backend": attr.string(doc = "Name of the backend.", mandatory = True),
        "cc_toolchain": attr.label(
            doc = "The C++ toolchain that compiles variants, in the device platform.",
            mandatory = True,
            providers = [cc_common.CcToolchainInfo],
        ),
        "codegen": attr.label(doc = "The code generator; command line as of `//toolchains/twin/codegen`.", **_TOOL),
        "contract": attr.label(doc = "The contract tool with the backend's front end.", **_TOOL),
        "copts": attr.string_list(doc = "Options of every variant's compile."),
        "core_features": attr.string_dict(
            doc = "Cores that variants are compiled for, each apart: core → the feature of `cc_toolchain` that compiles for it. " +
                  "Empty: one compile for all cores.",
        ),
        "executes_kernel": attr.bool(doc = "Whether `codegen` executes the kernel file, and so has to find what it imports."),
        "link": attr.label(doc = "The link tool; command line as of `//toolchains/twin/link`.", **_TOOL),
        "mode_features": attr.string_list(
            doc = "Features of `cc_toolchain` that the code generator and the link have to know of, as `--feature`.",
        ),
        "runtime": attr.label(doc = "Headers every variant includes.", mandatory = True, providers = [CcInfo]),
        "soc": attr.string(doc = "Compute-unit name.", mandatory = True),
        "toolkit": attr.string_dict(doc = "What the backend is made of, for the package: name → version."),
    },
    # current_cc_toolchain is resolved for the device platform, whose CPU the twin runs on.
    toolchains = use_cc_toolchain(),
)
