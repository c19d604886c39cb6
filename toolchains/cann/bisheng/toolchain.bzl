"""`bisheng_toolchain`: a toolkit's bisheng as a C++ toolchain of Bazel."""

load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load(":config.bzl", "bisheng_config")

def bisheng_toolchain(name, chip, compiler_files, bisheng, headers, builtin_include_directories):
    """A C++ toolchain for AI Cores.

    The target has `cc_common.CcToolchainInfo`. A compile asks for the feature `aicore_cube` or `aicore_vec`, and for
    any of `debug`, `oom`, `sanitizer` and `dump`; it writes one object a source.

    Args:
      name: name of the `cc_toolchain`.
      chip: "c220" or "c310".
      compiler_files: list of labels, bisheng with all it needs, the ld.lld beside it among it.
      bisheng: label of the compiler.
      headers: label of a `cann_headers` of the same toolkit.
      builtin_include_directories: directories of the compiler's own headers as dependency files name them, e.g. the
        absolute directory that the toolkit is installed in: bisheng resolves links.
    """
    bisheng_config(
        name = name + "_config",
        builtin_include_directories = builtin_include_directories,
        chip = chip,
        compiler = bisheng,
        compiler_files = compiler_files,
        headers = headers,
    )
    native.filegroup(
        name = name + "_files",
        srcs = compiler_files + [Label("//toolchains/cann/bisheng:driver")],
    )
    native.filegroup(name = name + "_no_files")
    cc_toolchain(
        name = name,
        all_files = name + "_files",
        compiler_files = name + "_files",
        dwp_files = name + "_no_files",
        linker_files = name + "_files",
        objcopy_files = name + "_no_files",
        strip_files = name + "_no_files",
        toolchain_config = name + "_config",
        toolchain_identifier = "bisheng-" + chip,
        visibility = ["//visibility:public"],
    )
