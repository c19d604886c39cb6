"""Compiles and links host code with the machine's C++ toolchain: one static library per operator, one shared per package."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

# The libraries of a package (cann-flow, section 3.5), without `lib` and `.so`.
OP_MASTER = "cust_opmaster_rt2.0"
OPS_PROTO = "cust_opsproto_rt2.0"
OP_API = "cust_opapi"

# As operator projects compile their host code (cann-flow, section 3.5).
_COPTS = ["-std=c++17", "-fvisibility=hidden", "-fno-strict-aliasing", "-fno-common"]

# Nothing of the machine may reach the bytes, and no symbol may be missing where a package is used.
_LINK_FLAGS = ["-Wl,--build-id=none", "-Wl,--no-undefined", "-Wl,-z,relro,-z,now"]

def _features(ctx, cc_toolchain):
    return cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )

def compile_host(ctx, name, srcs, headers, sdk, deps, copts = [], defines = []):
    """Compiles sources for a library of a package.

    Args:
      ctx: of a rule with `use_cc_toolchain()` and the fragment `cpp`.
      name: names the archive.
      srcs: list of File, may be empty.
      headers: list of File that the sources may include.
      sdk: CcInfo of the backend, to compile with. Its library is linked by `link_host_library`, without a run path.
      deps: list of CcInfo to compile and link with.
      copts: list of string, after our own.
      defines: list of string, for these sources only.

    Returns:
      CcLinkingContext with all objects, none of which the linker leaves out.
    """
    if not srcs:
        return cc_common.merge_cc_infos(cc_infos = deps).linking_context
    cc_toolchain = find_cc_toolchain(ctx)
    features = _features(ctx, cc_toolchain)
    _, outputs = cc_common.compile(
        actions = ctx.actions,
        name = name,
        cc_toolchain = cc_toolchain,
        feature_configuration = features,
        srcs = srcs,
        private_hdrs = headers,
        compilation_contexts = [info.compilation_context for info in [sdk] + deps],
        user_compile_flags = _COPTS + copts,
        local_defines = defines,
        disallow_nopic_outputs = True,
    )
    context, _ = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        name = name,
        cc_toolchain = cc_toolchain,
        feature_configuration = features,
        compilation_outputs = outputs,
        linking_contexts = [info.linking_context for info in deps],
        alwayslink = True,
        disallow_dynamic_library = True,
    )
    return context

def link_host_library(ctx, name, directory, contexts, libraries, exports = None):
    """Links a library of a package.

    Args:
      ctx: as for `compile_host`.
      name: `cust_opapi` for `libcust_opapi.so`; also its soname.
      directory: directory of the output, below the BUILD package's.
      contexts: list of CcLinkingContext.
      libraries: list of File of the backend: archives, taken whole, and shared libraries, of which those stay that are
        needed. They are found by their soname where the package is used: no run path.
      exports: File, a linker version script, or None: nothing is exported.

    Returns:
      LibraryToLink.
    """
    cc_toolchain = find_cc_toolchain(ctx)
    script = exports or ctx.file._no_exports
    archives = [f.path for f in libraries if f.extension == "a"]
    flags = _LINK_FLAGS + ["-Wl,-soname,lib%s.so" % name, "-Wl,--version-script=" + script.path]
    if archives:
        flags += ["-Wl,--whole-archive"] + archives + ["-Wl,--no-whole-archive"]
    flags += ["-Wl,--as-needed"] + [f.path for f in libraries if f.extension == "so"]
    outputs = cc_common.link(
        actions = ctx.actions,
        name = directory + "/" + name,
        cc_toolchain = cc_toolchain,
        feature_configuration = _features(ctx, cc_toolchain),
        linking_contexts = contexts,
        user_link_flags = flags,
        additional_inputs = [script] + libraries,
        output_type = "dynamic_library",
    )
    return outputs.library_to_link

def library_file(library):
    """The file of a library that `link_host_library` returned.

    Args:
      library: LibraryToLink.

    Returns:
      File, not the link below `_solib` that programs of the build find it by.
    """
    return library.resolved_symlink_dynamic_library or library.dynamic_library
