"""The host side of a package: its three libraries, linked over all operators, and the headers that go with them."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":host_libraries.bzl", "OPS_PROTO", "OP_API", "OP_MASTER", "library_file", "link_host_library")
load(":host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE")
load(":providers.bzl", "PyptoOpInfo")

def host_side(ctx, operators):
    """Links the package's libraries.

    Args:
      ctx: of `pypto_op_package`.
      operators: list of targets in the target platform; those without a host side are passed over.

    Returns:
      struct(op_defs = dict of operator label to File, headers = list of File, proto_headers = list of File,
      libraries = dict of `op_api`, `op_master`, `ops_proto` to File, cc_info = CcInfo).
    """
    toolchain = ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host
    infos = {t.label: t[PyptoOpInfo] for t in operators if PyptoOpInfo in t}
    hosts = [info.host for info in infos.values() if info.host]
    interfaces = [info.aclnn for info in infos.values() if info.aclnn]
    directory = ctx.label.name + ".host"
    libraries, linked, headers = {}, {}, []
    if hosts:
        linked["op_master"] = link_host_library(ctx, OP_MASTER, directory, [h.tiling for h in hosts], toolchain.libraries["op_master"])
        linked["ops_proto"] = link_host_library(ctx, OPS_PROTO, directory, [h.proto for h in hosts], toolchain.libraries["ops_proto"])
    if interfaces:
        contexts = [i.interface for i in interfaces]
        linked["op_api"] = link_host_library(ctx, OP_API, directory, contexts, toolchain.libraries["op_api"], ctx.file._op_api_exports)
        headers = depset(transitive = [i.headers for i in interfaces]).to_list()
    libraries = {role: library_file(library) for role, library in linked.items()}
    return struct(
        cc_info = _cc_info(ctx, toolchain.acl, headers, linked.get("op_api")),
        headers = headers,
        libraries = libraries,
        op_defs = {label: info.op_def.op_json for label, info in infos.items() if info.op_def},
        proto_headers = depset(transitive = [h.proto_headers for h in hosts]).to_list(),
    )

def _cc_info(ctx, acl, headers, op_api):
    """What a program that calls the package's operators is compiled and linked with."""
    if not op_api:
        return acl
    compilation = cc_common.create_compilation_context(
        headers = depset(headers),
        includes = depset([h.path if h.is_directory else h.dirname for h in headers]),
    )
    linker_input = cc_common.create_linker_input(owner = ctx.label, libraries = depset([op_api]))
    linking = cc_common.create_linking_context(linker_inputs = depset([linker_input]))
    own = CcInfo(compilation_context = compilation, linking_context = linking)
    return cc_common.merge_cc_infos(direct_cc_infos = [own], cc_infos = [acl])
