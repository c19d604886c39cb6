"""`cann_host_targets`: the host side of a CANN toolkit, declared in the toolkit's repository."""

load("@rules_cc//cc:defs.bzl", "cc_import", "cc_library")
load("//pypto_rules:toolchains.bzl", "pypto_host_toolchain")
load("//toolchains/cann:unusable.bzl", "unusable_toolchain")
load(":tool.bzl", "op_build_tool")

# CANN's libraries are of the old ABI, and so is everything that is linked with them (cann-flow, section 3.5).
_OLD_ABI = ["_GLIBCXX_USE_CXX11_ABI=0"]

# Directories that headers are included from, as far as a toolkit has them: those of the operator projects' CMake files.
_INCLUDE_DIRECTORIES = [
    "include",
    "include/aclnn",
    "include/exe_graph",
    "include/experiment",
    "include/experiment/runtime",
    "include/op_common",
    "include/op_common/op_host",
    "include/tiling",
    "include/toolchain",
]

# What the sources of a library are compiled with (cann-flow, section 3.5).
_DEFINES = {
    "op_api": ["google=ascend_private"],
    "op_master": [
        "DISABLE_COMPILE_V1",
        "OPS_UTILS_LOG_SUB_MOD_NAME=\"OP_TILING\"",
        "OP_SUBMOD_NAME=\"OPS_CUSTOM\"",
        "OP_TILING_LIB",
        "google=ascend_private",
    ],
    "ops_proto": [
        "DISABLE_COMPILE_V1",
        "OPS_UTILS_LOG_SUB_MOD_NAME=\"OP_PROTO\"",
        "OP_PROTO_LIB",
        "OP_SUBMOD_NAME=\"OPS_CUSTOM\"",
        "google=ascend_private",
    ],
}

# Libraries by what is linked with them (cann-flow, section 3.5); which of them there are depends on CANN's version, which
# moves parts from one to another. Of the shared ones those stay that are needed.
_LOG = ["libascendalog.so", "libunified_dlog.so", "libc_sec.so"]
_REGISTRY = [
    "libexe_graph.so",
    "libregister.so",
    "libopp_registry.so",
    "libgraph.so",
    "libgraph_base.so",
    "libmetadef.so",
    "liberror_manager.so",
    "libplatform.so",
    "libmmpa.so",
    "libopsbase.so",
]
_LIBRARIES = {
    "acl": ["libascendcl.so", "libacl_rt.so", "libnnopbase.so"],
    "op_api": ["libnnopbase.so", "libascendcl.so", "libacl_rt.so", "libprofapi.so", "libge_common_base.so", "libascend_dump.so", "libopsbase.so"] + _LOG,
    "op_def": _REGISTRY + _LOG,
    "op_master": ["librt2_registry.a", "libtiling_api.a"] + _REGISTRY + ["libnnopbase.so"] + _LOG,
    "ops_proto": ["librt2_registry.a"] + _REGISTRY + ["libge_compiler.so"] + _LOG,
}

# Without these no library of a package can be linked, whatever the version.
_NEEDED = ["libexe_graph.so", "libnnopbase.so", "libregister.so"]

_INCOMPLETE = """the host side of operators cannot be built with the CANN toolkit in {shown}; it lacks {missing}
  fix: install the whole toolkit, with its parts for operator development;
       or build for the CPU twin: --@pypto_rules//pypto_rules/settings:kernel_backend=twin"""

def _missing(op_build, include, libraries):
    missing = [] if op_build else ["op_build, of tools/opbuild"]
    missing += [] if include else ["include, the headers of CANN"]
    return missing + ["lib64/" + library for library in _NEEDED if library not in libraries]

def _cc_targets(name, include, imports):
    """`<name>_headers`, and what is compiled and linked with them."""
    directories = {path.rpartition("/")[0]: None for path in include}
    cc_library(
        name = name + "_headers",
        hdrs = include,
        includes = [d for d in _INCLUDE_DIRECTORIES if [path for path in directories if (path + "/").startswith(d + "/")]],
        tags = ["manual"],
    )
    cc_library(name = name + "_sdk", defines = _OLD_ABI, tags = ["manual"], deps = [name + "_headers"])
    cc_library(name = name + "_op_def_sdk", tags = ["manual"], deps = [name + "_sdk"] + imports["op_def"])

    # What acl itself needs is on the machine with the NPU.
    cc_library(
        name = name + "_acl",
        linkopts = ["-Wl,--allow-shlib-undefined"],
        tags = ["manual"],
        deps = [name + "_headers"] + imports["acl"],
    )

def cann_host_targets(name, op_build, include, lib64, shown):
    """Declares `<name>`, the host toolchain of a toolkit; where the toolkit lacks a part, one that says so when it is used.

    Args:
      name: name of the `pypto_host_toolchain`; `<name>_…` are its parts.
      op_build: label of CANN's op_build, or None.
      include: list of the headers, `glob(["include/**"])`.
      lib64: list of the libraries, `glob(["lib64/*.so*", "lib64/*.a"], allow_empty = True)`.
      shown: where the toolkit is, for people.
    """
    libraries = {path.rpartition("/")[2]: path for path in lib64}
    missing = _missing(op_build, include, libraries)
    if missing:
        problem = _INCOMPLETE.format(missing = ", ".join(missing), shown = shown)
        unusable_toolchain(name = name, problem = problem, visibility = ["//visibility:public"])
        return
    found = {use: [library for library in names if library in libraries] for use, names in _LIBRARIES.items()}
    imported = {library: "%s_%s" % (name, library.removesuffix(".so")) for use in ["acl", "op_def"] for library in found[use]}
    for library, target in imported.items():
        cc_import(name = target, shared_library = libraries[library], tags = ["manual"])
    _cc_targets(name, include, {use: [imported[library] for library in found[use]] for use in ["acl", "op_def"]})
    for command in ["aclnn", "dump", "proto"]:
        op_build_tool(name = "%s_%s" % (name, command), command = command, lib64 = lib64, op_build = op_build, tags = ["manual"])
    pypto_host_toolchain(
        name = name,
        acl = name + "_acl",
        aclnn = name + "_aclnn",
        backend = "cann",
        defines = _DEFINES,
        op_api_libraries = [libraries[library] for library in found["op_api"]],
        op_def_dump = name + "_dump",
        op_def_sdk = name + "_op_def_sdk",
        op_master_libraries = [libraries[library] for library in found["op_master"]],
        ops_proto_libraries = [libraries[library] for library in found["ops_proto"]],
        proto = name + "_proto",
        reads_library = True,
        run_time = libraries["libnnopbase.so"],
        sdk = name + "_sdk",
        visibility = ["//visibility:public"],
    )
