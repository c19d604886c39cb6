"""The host side of a backend: what OpDef, InferShape, Tiling and aclnn sources are compiled and linked against.

It is apart from `pypto_toolchain`, which is chosen by SoC: host libraries are built once, for the machine they run on.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":providers.bzl", "HOST_ROLES", "PyptoHostToolchainInfo")

HOST_TOOLCHAIN_TYPE = Label("//pypto_rules:host_toolchain_type")

def _pypto_host_toolchain_impl(ctx):
    unknown = [role for role in ctx.attr.defines if role not in HOST_ROLES]
    if unknown:
        fail("%s: defines has the role '%s'. Allowed are %s." % (ctx.label, unknown[0], ", ".join(HOST_ROLES)))
    return [platform_common.ToolchainInfo(
        pypto_host = PyptoHostToolchainInfo(
            acl = ctx.attr.acl[CcInfo],
            aclnn = ctx.attr.aclnn[DefaultInfo].files_to_run,
            backend = ctx.attr.backend,
            defines = {role: ctx.attr.defines.get(role, []) for role in HOST_ROLES},
            libraries = {role: getattr(ctx.files, role + "_libraries") for role in HOST_ROLES},
            op_def_dump = ctx.attr.op_def_dump[DefaultInfo].files_to_run,
            op_def_sdk = ctx.attr.op_def_sdk[CcInfo],
            proto = ctx.attr.proto[DefaultInfo].files_to_run if ctx.attr.proto else None,
            reads_library = ctx.attr.reads_library,
            run_time = ctx.file.run_time,
            sdk = ctx.attr.sdk[CcInfo],
        ),
    )]

_TOOL = {"cfg": "exec", "executable": True}

def _libraries(name):
    return attr.label_list(
        doc = "What `lib%s.so` of a package is linked with: archives whole, shared libraries as far as needed." % name,
        allow_files = [".a", ".so"],
        mandatory = True,
    )

pypto_host_toolchain = rule(
    doc = "The host side of a backend: register it with `toolchain(toolchain_type = \"@pypto_rules//pypto_rules:host_toolchain_type\")`.",
    implementation = _pypto_host_toolchain_impl,
    attrs = {
        "acl": attr.label(doc = "What programs that call a package are compiled and linked with.", mandatory = True, providers = [CcInfo]),
        "aclnn": attr.label(
            doc = "The aclnn generator; command line as of `//pypto_rules/tools/aclnn`, with `reads_library` also `--library`.",
            mandatory = True,
            **_TOOL
        ),
        "backend": attr.string(doc = "Name of the backend.", mandatory = True),
        "defines": attr.string_list_dict(doc = "Role of a library (%s) → preprocessor definitions of its sources." % ", ".join(HOST_ROLES)),
        "op_api_libraries": _libraries("cust_opapi"),
        "op_def_dump": attr.label(doc = "Loads the library of a `_def.cpp` and writes what it registers.", mandatory = True, **_TOOL),
        "op_def_sdk": attr.label(doc = "What a `_def.cpp` is compiled and linked with.", mandatory = True, providers = [CcInfo]),
        "op_master_libraries": _libraries("cust_opmaster_rt2.0"),
        "ops_proto_libraries": _libraries("cust_opsproto_rt2.0"),
        "proto": attr.label(
            doc = "Generates `<op>_proto.h` and its source: `--op`, `--header-dir`, `--source`, with `reads_library` also `--library`. " +
                  "Left out where packages need the header alone, which their tool writes.",
            **_TOOL
        ),
        "reads_library": attr.bool(doc = "Whether `aclnn` and `proto` read the library of the `_def.cpp`, beside its op.json."),
        "run_time": attr.label(
            doc = "The shared library that host libraries of packages are loaded into; it is on the machine where a package is used.",
            allow_single_file = [".so"],
            mandatory = True,
        ),
        "sdk": attr.label(doc = "Headers of the host side and of acl, for sources of operators.", mandatory = True, providers = [CcInfo]),
    },
)

def op_def_arguments(args, toolchain, op_def):
    """Adds what a generator of the backend reads of an OpDef to its command line.

    Args:
      args: Args of an action of `toolchain.aclnn` or `toolchain.proto`.
      toolchain: PyptoHostToolchainInfo.
      op_def: PyptoOpDefInfo.

    Returns:
      depset of File: inputs of the action.
    """
    args.add("--op", op_def.op_json)
    if not toolchain.reads_library:
        return depset([op_def.op_json])
    args.add("--library", op_def.library)
    return depset([op_def.op_json], transitive = [op_def.library_files])

def _current_host_sdk_impl(ctx):
    return [ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.sdk]

current_host_sdk = rule(
    doc = "The SDK of the backend in use as a C++ library: what `deps` of helpers shared by operators name.",
    implementation = _current_host_sdk_impl,
    provides = [CcInfo],
    toolchains = [HOST_TOOLCHAIN_TYPE],
)

def _current_host_run_time_impl(ctx):
    return [DefaultInfo(files = depset([ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.run_time]))]

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
