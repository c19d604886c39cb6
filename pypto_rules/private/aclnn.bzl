"""`pypto_aclnn`: the aclnn interface of an operator, generated from its OpDef or written by hand.

```starlark
pypto_aclnn(
    name = "add_example_aclnn",
    op_def = ":add_example_op_def",
)
```
"""

load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":actions.bzl", "run_tool")
load(":host_libraries.bzl", "compile_host")
load(":host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE", "op_def_arguments")
load(":names.bzl", "label_text")
load(":providers.bzl", "PyptoAclnnInfo", "PyptoOpDefInfo")

_SOURCES = [".cc", ".cpp", ".cxx"]
_HEADERS = [".h", ".hpp"]

# What add_modules_sources of operator projects takes as ACLNNTYPE.
ACLNN_TYPES = ["aclnn", "aclnn_exclude", "aclnn_inner"]

def _generate(ctx, toolchain, name):
    """The directory of the generated header, whose name the operator type gives, and the generated source."""
    headers = ctx.actions.declare_directory(name + ".aclnn")
    source = ctx.actions.declare_file(name + "_aclnn.cpp")
    args = ctx.actions.args()
    args.add("--type", ctx.attr.aclnn_type)
    inputs = op_def_arguments(args, toolchain, ctx.attr.op_def[PyptoOpDefInfo])
    args.add_all("--header-dir", [headers], expand_directories = False)
    args.add("--source", source)
    run_tool(
        ctx.actions,
        mnemonic = "PyptoAclnn",
        progress_message = "Generating aclnn interface %{label}",
        tool = toolchain.aclnn,
        arguments = [args],
        inputs = inputs,
        outputs = [headers, source],
    )
    return headers, source

def _pypto_aclnn_impl(ctx):
    toolchain = ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host
    name = ctx.attr.output_name or ctx.label.name
    deps = [dep[CcInfo] for dep in ctx.attr.deps]
    if ctx.attr.aclnn_type == "aclnn_exclude":
        if not [f for f in ctx.files.srcs if "." + f.extension in _SOURCES]:
            fail("%s: aclnn_type is aclnn_exclude, which means an interface written by hand, but `srcs` is empty. Name op_api/*.cpp in `srcs`, or set aclnn_type = \"aclnn\"." %
                 label_text(ctx.label))
        headers, generated = ctx.files.hdrs, []
    else:
        directory, source = _generate(ctx, toolchain, name)
        headers, generated = [directory] + ctx.files.hdrs, [source]
    context = cc_common.create_compilation_context(
        headers = depset(headers),
        includes = depset([h.path if h.is_directory else h.dirname for h in headers]),
    )
    interface = compile_host(
        ctx,
        name + "_aclnn_objects",
        generated + [f for f in ctx.files.srcs if "." + f.extension in _SOURCES],
        headers + [f for f in ctx.files.srcs if "." + f.extension in _HEADERS],
        toolchain.sdk,
        deps + [CcInfo(compilation_context = context)],
        ctx.attr.copts,
        toolchain.defines["op_api"],
    )
    shipped = headers if ctx.attr.aclnn_type != "aclnn_inner" else ctx.files.hdrs
    return [
        DefaultInfo(files = depset(headers)),
        PyptoAclnnInfo(headers = depset(shipped), interface = interface),
    ]

pypto_aclnn = rule(
    doc = "The two-phase API `aclnn<OpType>GetWorkspaceSize` and `aclnn<OpType>` of an operator.",
    implementation = _pypto_aclnn_impl,
    attrs = {
        "aclnn_type": attr.string(
            default = "aclnn",
            doc = "`aclnn`: generated, its header ships. `aclnn_inner`: generated as aclnnInner<OpType> for `srcs` to call, its header " +
                  "does not ship. `aclnn_exclude`: nothing is generated, `srcs` and `hdrs` are the interface.",
            values = ACLNN_TYPES,
        ),
        "copts": attr.string_list(doc = "Options of all compiles."),
        "deps": attr.label_list(doc = "C++ libraries that `srcs` use.", providers = [CcInfo]),
        "hdrs": attr.label_list(doc = "Headers written by hand, `op_api/acl*_*.h`: they ship.", allow_files = _HEADERS),
        "op_def": attr.label(
            doc = "The operator's `pypto_op_def`.",
            cfg = "exec",
            mandatory = True,
            providers = [PyptoOpDefInfo],
        ),
        "output_name": attr.string(doc = "Beginning of the outputs' names. Default: the target's name."),
        "srcs": attr.label_list(
            doc = "Sources written by hand, `op_api/*.cpp`, and headers that only they include.",
            allow_files = _SOURCES + _HEADERS,
        ),
    },
    fragments = ["cpp"],
    provides = [PyptoAclnnInfo],
    toolchains = use_cc_toolchain() + [HOST_TOOLCHAIN_TYPE],
)
