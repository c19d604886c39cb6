"""`compiled`: sources through a C++ toolchain given by its label, as kernels compile their variants."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_LINK = "c++-link-dynamic-library"

def _compiled_impl(ctx):
    toolchain = ctx.attr.toolchain[cc_common.CcToolchainInfo]
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    sources = ctx.files.srcs
    if not sources:
        sources = [ctx.actions.declare_directory(ctx.label.name + ".src")]
        ctx.actions.run_shell(
            outputs = sources,
            command = 'cd "$1"; shift; for name in "$@"; do printf "// %s\\n#include <cstdint>\\n#include \\"kernel_operator.h\\"\\nint f;\\n" "$name" >"$name.cpp"; done',
            arguments = [sources[0].path] + ctx.attr.names,
        )
    _, outputs = cc_common.compile(
        actions = ctx.actions,
        name = ctx.label.name,
        cc_toolchain = toolchain,
        compilation_contexts = [ctx.attr.headers[CcInfo].compilation_context],
        defines = ctx.attr.defines,
        disallow_pic_outputs = True,
        feature_configuration = features,
        srcs = sources,
        user_compile_flags = ctx.attr.copts,
    )
    linker = ctx.actions.declare_file(ctx.label.name + ".linker")
    ctx.actions.write(linker, cc_common.get_tool_for_action(feature_configuration = features, action_name = _LINK))
    return [
        DefaultInfo(files = depset(outputs.objects)),
        OutputGroupInfo(linker = depset([linker])),
    ]

compiled = rule(
    implementation = _compiled_impl,
    attrs = {
        "copts": attr.string_list(),
        "defines": attr.string_list(),
        "headers": attr.label(providers = [CcInfo]),
        "names": attr.string_list(doc = "Without srcs: names of the files of a directory."),
        "srcs": attr.label_list(allow_files = [".cpp"]),
        "toolchain": attr.label(providers = [cc_common.CcToolchainInfo]),
    },
    fragments = ["cpp"],
)
