"""`pypto_op_host`: the InferShape, tiling and graph sources of an operator, unchanged from an operator project.

```starlark
pypto_op_host(
    name = "add_example_host",
    infershape_srcs = ["op_host/add_example_infershape.cpp"],
    tiling = ":add_example_tiling",
    tiling_srcs = ["op_host/add_example_tiling.cpp"],
)
```
"""

load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":actions.bzl", "run_tool")
load(":host_libraries.bzl", "OPS_PROTO", "OP_MASTER", "compile_host", "library_file", "link_host_library")
load(":host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE", "op_def_arguments")
load(":names.bzl", "label_text")
load(":providers.bzl", "PyptoOpDefInfo", "PyptoOpHostInfo", "PyptoTilingHeadersInfo")

_SOURCES = [".cc", ".cpp", ".cxx"]
_HEADERS = [".h", ".hpp"]

def _check_copies(ctx, name, headers):
    """A validation action: structs in the sources that pass for the TilingData and are laid out otherwise."""
    checked = ctx.actions.declare_file(name + ".host_copies")
    args = ctx.actions.args()
    args.add("--manifest", headers.manifest)
    args.add("--op-type", headers.op_type)
    args.add("--out", checked)
    sources = ctx.files.tiling_srcs + ctx.files.hdrs
    args.add_all(sources)
    run_tool(
        ctx.actions,
        mnemonic = "PyptoHostCopies",
        progress_message = "Comparing TilingData copies of %{label}",
        tool = ctx.attr._host_copies[DefaultInfo].files_to_run,
        arguments = [args],
        inputs = [headers.manifest] + sources,
        outputs = [checked],
    )
    return checked

def _check_binary_list(ctx, name, op_json, binary_list):
    """A validation action: a list of binaries kept by hand against the OpDef, which alone says what is built."""
    soc = binary_list.dirname.rpartition("/")[2]
    checked = ctx.actions.declare_file("%s.%s.binary_list" % (name, soc))
    args = ctx.actions.args()
    args.add("--op", op_json)
    args.add("--soc", soc)
    args.add("--binary-json", binary_list)
    args.add("--checked", checked)
    run_tool(
        ctx.actions,
        mnemonic = "PyptoBinaryList",
        progress_message = "Comparing binaries of %%{label} for %s" % soc,
        tool = ctx.attr._op_info[DefaultInfo].files_to_run,
        arguments = [args],
        inputs = [op_json, binary_list],
        outputs = [checked],
    )
    return checked

def _checks(ctx, name):
    """Validation actions: mistakes that show when the operator runs, if nobody looks before."""
    checks = []
    if ctx.attr.tiling:
        checks.append(_check_copies(ctx, name, ctx.attr.tiling[PyptoTilingHeadersInfo]))
    if ctx.attr.op_def:
        op_json = ctx.attr.op_def[PyptoOpDefInfo].op_json
        checks += [_check_binary_list(ctx, name, op_json, f) for f in ctx.files.binary_lists]
    return checks

def _prototype(ctx, toolchain, name):
    """The backend's prototype of the operator: struct(headers, sources, deps), empty where the package's tool writes it."""
    if not toolchain.proto or not ctx.attr.op_def:
        return struct(headers = [], sources = [], deps = [])
    headers = ctx.actions.declare_directory(name + ".proto")
    source = ctx.actions.declare_file(name + "_proto.cpp")
    args = ctx.actions.args()
    inputs = op_def_arguments(args, toolchain, ctx.attr.op_def[PyptoOpDefInfo])
    args.add_all("--header-dir", [headers], expand_directories = False)
    args.add("--source", source)
    run_tool(
        ctx.actions,
        mnemonic = "PyptoProto",
        progress_message = "Generating prototype %{label}",
        tool = toolchain.proto,
        arguments = [args],
        inputs = inputs,
        outputs = [headers, source],
    )
    context = cc_common.create_compilation_context(headers = depset([headers]), includes = depset([headers.path]))
    return struct(headers = [headers], sources = [source], deps = [CcInfo(compilation_context = context)])

def _pypto_op_host_impl(ctx):
    toolchain = ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host
    name = ctx.attr.output_name or ctx.label.name
    if not ctx.files.infershape_srcs:
        # buildifier: disable=print
        print("%s: no op_host/*_infershape*.cpp: graph mode will not work for %s, only calls through aclnn." % (label_text(ctx.label), name))
    deps = [dep[CcInfo] for dep in ctx.attr.deps]
    copts = ctx.attr.copts
    defines = ctx.attr.defines
    tiling_srcs, tiling_copts, tiling_contexts = ctx.files.tiling_srcs, [], []
    if ctx.attr.tiling:
        headers = ctx.attr.tiling[PyptoTilingHeadersInfo]
        tiling_srcs = tiling_srcs + [headers.registration_source]
        tiling_copts = ["-include", headers.host_include.path]
        tiling_contexts = [ctx.attr.tiling[CcInfo]]
    tiling = compile_host(
        ctx,
        name + "_tiling_objects",
        tiling_srcs,
        ctx.files.hdrs,
        toolchain.sdk,
        deps + tiling_contexts,
        tiling_copts + copts,
        toolchain.defines["op_master"] + defines,
    )
    prototype = _prototype(ctx, toolchain, name)
    proto = compile_host(
        ctx,
        name + "_proto_objects",
        ctx.files.infershape_srcs + ctx.files.graph_srcs + prototype.sources,
        ctx.files.hdrs + ctx.files.proto_hdrs + prototype.headers,
        toolchain.sdk,
        deps + prototype.deps,
        copts,
        toolchain.defines["ops_proto"] + defines,
    )
    op_master = link_host_library(ctx, OP_MASTER, name + ".host", [tiling], toolchain.libraries["op_master"])
    ops_proto = link_host_library(ctx, OPS_PROTO, name + ".host", [proto], toolchain.libraries["ops_proto"])
    libraries = [library_file(library) for library in (op_master, ops_proto)]
    return [
        DefaultInfo(files = depset(libraries)),
        OutputGroupInfo(_validation = depset(_checks(ctx, name))),
        PyptoOpHostInfo(
            op_master = libraries[0],
            ops_proto = libraries[1],
            proto = proto,
            # One written by hand takes the place of the backend's.
            proto_headers = depset(ctx.files.proto_hdrs or prototype.headers),
            tiling = tiling,
        ),
    ]

pypto_op_host = rule(
    doc = "Compiles the host side of an operator. Tiling sources see the TilingData and TilingKey headers without including them.",
    implementation = _pypto_op_host_impl,
    attrs = {
        "binary_lists": attr.label_list(
            doc = "`op_host/config/<soc>/<op>_binary.json`, if the project still has them: compared with `op_def`, not used.",
            allow_files = [".json"],
        ),
        "copts": attr.string_list(doc = "Options of all compiles."),
        "defines": attr.string_list(doc = "Preprocessor definitions of all compiles, `NAME` or `NAME=value`."),
        "deps": attr.label_list(doc = "C++ libraries that the sources use.", providers = [CcInfo]),
        "graph_srcs": attr.label_list(doc = "`op_graph/*.cpp`: for graph mode only.", allow_files = _SOURCES),
        "hdrs": attr.label_list(doc = "Headers the sources include.", allow_files = _HEADERS),
        "infershape_srcs": attr.label_list(doc = "`op_host/*_infershape*.cpp`.", allow_files = _SOURCES),
        "op_def": attr.label(
            doc = "The operator's `pypto_op_def`, for `binary_lists` and for backends that generate the prototype.",
            cfg = "exec",
            providers = [PyptoOpDefInfo],
        ),
        "output_name": attr.string(doc = "Beginning of the outputs' names. Default: the target's name."),
        "proto_hdrs": attr.label_list(doc = "`op_graph/*_proto.h`: they ship in the package.", allow_files = _HEADERS),
        "tiling": attr.label(
            doc = "The `pypto_tiling_headers` that tiling sources see.",
            providers = [CcInfo, PyptoTilingHeadersInfo],
        ),
        "tiling_srcs": attr.label_list(doc = "`op_host/*_tiling*.cpp`.", allow_files = _SOURCES),
        "_host_copies": attr.label(cfg = "exec", default = "//pypto_rules/tools/host_copies", executable = True),
        "_op_info": attr.label(cfg = "exec", default = "//pypto_rules/tools/op_info", executable = True),
        "_no_exports": attr.label(allow_single_file = True, default = "//pypto_rules/private:no_exports.ld"),
    },
    fragments = ["cpp"],
    provides = [PyptoOpHostInfo],
    toolchains = use_cc_toolchain() + [HOST_TOOLCHAIN_TYPE],
)
