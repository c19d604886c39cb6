"""C++ toolchains around a GCC cross compiler of the machine."""

load("@rules_cc//cc:action_names.bzl", "ALL_CC_COMPILE_ACTION_NAMES", "ALL_CC_LINK_ACTION_NAMES", "ALL_CPP_COMPILE_ACTION_NAMES")
load(
    "@rules_cc//cc:cc_toolchain_config_lib.bzl",
    "feature",
    "flag_group",
    "flag_set",
    "tool_path",
    "with_feature_set",
)
load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

_TOOLS = ["ar", "cpp", "gcc", "gcov", "ld", "nm", "objcopy", "objdump", "strip"]

# As Bazel's own toolchain for the machine has them: no clock and no real path of a header reaches an object.
_COMPILE_FLAGS = [
    "-U_FORTIFY_SOURCE",
    "-fstack-protector",
    "-fno-omit-frame-pointer",
    "-fno-canonical-system-headers",
    "-Wno-builtin-macro-redefined",
    "-D__DATE__=\"redacted\"",
    "-D__TIMESTAMP__=\"redacted\"",
    "-D__TIME__=\"redacted\"",
]
_OPT_FLAGS = ["-g0", "-O2", "-D_FORTIFY_SOURCE=1", "-DNDEBUG", "-ffunction-sections", "-fdata-sections"]

# gcc links, also C++; the libraries are shared ones, so that their place on the command line does not matter.
_LINK_FLAGS = ["-Wl,-z,relro,-z,now", "-Wl,--push-state,--no-as-needed,-lstdc++,-lm,--pop-state"]

def _flags(actions, flags, **kwargs):
    return flag_set(actions = actions, flag_groups = [flag_group(flags = flags)], **kwargs)

def _features():
    compile_flags = [
        _flags(ALL_CC_COMPILE_ACTION_NAMES, _COMPILE_FLAGS),
        _flags(ALL_CC_COMPILE_ACTION_NAMES, ["-g"], with_features = [with_feature_set(features = ["dbg"])]),
        _flags(ALL_CC_COMPILE_ACTION_NAMES, _OPT_FLAGS, with_features = [with_feature_set(features = ["opt"])]),
        _flags(ALL_CPP_COMPILE_ACTION_NAMES, ["-std=c++17"]),
    ]
    return [
        feature(name = "default_compile_flags", enabled = True, flag_sets = compile_flags),
        feature(name = "default_link_flags", enabled = True, flag_sets = [_flags(ALL_CC_LINK_ACTION_NAMES, _LINK_FLAGS)]),
        feature(name = "supports_dynamic_linker", enabled = True),
        feature(name = "supports_pic", enabled = True),
        feature(name = "dbg"),
        feature(name = "opt"),
    ]

def _cross_toolchain_config_impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = "glibc",
        abi_version = "gcc",
        compiler = "gcc",
        cxx_builtin_include_directories = ctx.attr.include_directories,
        features = _features(),
        target_cpu = ctx.attr.cpu,
        target_libc = "glibc",
        target_system_name = ctx.attr.cpu + "-linux-gnu",
        tool_paths = [tool_path(name = tool, path = ctx.attr.prefix + tool) for tool in _TOOLS],
        toolchain_identifier = "pypto-cross-" + ctx.attr.cpu,
    )

_cross_toolchain_config = rule(
    doc = "How a GCC cross compiler is called.",
    implementation = _cross_toolchain_config_impl,
    attrs = {
        "cpu": attr.string(doc = "CPU it compiles for.", mandatory = True),
        "include_directories": attr.string_list(doc = "Absolute directories of the compiler's own headers.", mandatory = True),
        "prefix": attr.string(doc = "What the absolute paths of its programs begin with.", mandatory = True),
    },
    provides = [CcToolchainConfigInfo],
)

def cross_cc_toolchain(name, cpu, include_directories, prefix):
    """A C++ toolchain around a GCC cross compiler.

    Args:
      name: name of the `cc_toolchain`.
      cpu: CPU it compiles for, e.g. `aarch64`.
      include_directories: absolute directories of the compiler's own headers.
      prefix: what the absolute paths of its programs begin with, e.g. `/usr/bin/aarch64-linux-gnu-`.
    """
    _cross_toolchain_config(
        name = name + "_config",
        cpu = cpu,
        include_directories = include_directories,
        prefix = prefix,
    )
    native.filegroup(name = name + "_files")
    cc_toolchain(
        name = name,
        all_files = name + "_files",
        compiler_files = name + "_files",
        dwp_files = name + "_files",
        linker_files = name + "_files",
        objcopy_files = name + "_files",
        strip_files = name + "_files",
        supports_param_files = True,
        toolchain_config = name + "_config",
        toolchain_identifier = "pypto-cross-" + cpu,
    )

def _missing_cross_compiler_impl(ctx):
    fail("\n" + ctx.attr.message)

missing_cross_compiler = rule(
    doc = "Stands for a toolchain whose compiler the machine lacks: a build that needs it ends with what to install.",
    implementation = _missing_cross_compiler_impl,
    attrs = {"message": attr.string(doc = "What is missing, and the fix.", mandatory = True)},
)
