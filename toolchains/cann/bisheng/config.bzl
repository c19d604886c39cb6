"""How bisheng is called: its whole command line, read from top to bottom (cann-flow, section 4.8)."""

load("@rules_cc//cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME", "CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME")
load(
    "@rules_cc//cc:cc_toolchain_config_lib.bzl",
    "action_config",
    "env_entry",
    "env_set",
    "feature",
    "feature_set",
    "flag_group",
    "flag_set",
    "tool",
    "with_feature_set",
)
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("//pypto_rules/private:actions.bzl", "ACTION_ENV")
load(":headers.bzl", "CannHeadersInfo")

CHIPS = ["c220", "c310"]

_COMMAND_LINE = "command_line"
_CORES = {"aicore_cube": "cube", "aicore_vec": "vec"}
_LONG_CALLS = ["-mllvm", "-cce-aicore-long-call", "-mllvm", "-cce-aicore-jump-expand=true"]
_SANITIZER = {
    "c220": ["--cce-enable-sanitizer", "-gline-tables-only"] + _LONG_CALLS,
    "c310": ["-gline-tables-only"] + _LONG_CALLS,
}
_OOM = {
    "c220": ["-DASCENDC_OOM=1"],
    "c310": ["-mllvm", "-cce-block-local-relocate=false", "-DASCENDC_OOM=1"],
}

def _flags(flags, **when):
    """Flags of a compile; `when` are the `features` or `not_features` they depend on."""
    return flag_set(
        actions = [CPP_COMPILE_ACTION_NAME],
        flag_groups = [flag_group(flags = flags)],
        with_features = [with_feature_set(**when)] if when else [],
    )

def _each(flag, variable):
    """A flag for each value of a variable of Bazel's."""
    group = flag_group(flags = [flag % ("%{" + variable + "}")], iterate_over = variable, expand_if_available = variable)
    return flag_set(actions = [CPP_COMPILE_ACTION_NAME], flag_groups = [group])

def _beginning(chip, headers):
    """What comes before the source's own options: the wrapper's, the headers' (4.4, 4.5 step 2)."""
    flags = ["-c", "-O3", "-x", "cce", "-DHIGH_PERFORMANCE=1", "-DDETERMINISTIC_MODE=0"]
    flags += ["-DHIGH_PERFORMANCE_"] if chip == "c310" else []
    flags.append("--cce-disable-kernel-global-attr-check")
    flags += ["-I" + directory for directory in headers.directories]
    flags += ["-include" + headers.version_header] if headers.version_header else []
    return flags + ["-DASCENDC_TPL_KERNEL", "-I" + headers.pypto, "-DONE_CORE_DUMP_SIZE=1024"]

def _after_core(chip):
    """What comes after the source and its core: the object, the options of the code generator (4.8)."""
    flags = ["-D__DAV_C310__"] if chip == "c310" else []
    flags += ["--cce-aicore-only", "-o", "%{output_file}"]
    options = [
        "-cce-aicore-stack-size=0x8000",
        "-cce-aicore-function-stack-size=0x8000",
        "-cce-aicore-record-overflow=false",
        "-cce-aicore-addr-transform",
    ]
    options += ["--cce-aicore-jump-expand=true"] if chip == "c310" else []
    options.append("-cce-aicore-dcci-insert-for-scalar=false")
    return flags + [flag for option in options for flag in ("-mllvm", option)]

def _command_line(chip, headers):
    """The sets of flags in the order of the command line."""
    return [
        _flags(_beginning(chip, headers)),
        _flags(["-DL2_CACHE_HINT"], not_features = ["debug", "sanitizer"]),  # 4.8
        # 4.8: the macro switches the API's own checks on and the hint off; 4.9: a debug link keeps the symbols of -g.
        _flags(["-DASCENDC_DEBUG", "-g"], features = ["debug"]),
        # 4.8: a kernel that dumps does without WORKSPACE_PARAM_OFFSET; the generated sources ask for this macro.
        _flags(["-DASCENDC_DUMP=1"], features = ["dump"]),
        _each("-D%s", "preprocessor_defines"),
        _each("%s", "user_compile_flags"),
        _flags(["-MD", "-MF", "%{dependency_file}", "%{source_file}"]),
    ] + [
        _flags(["--cce-aicore-arch=dav-%s-%s" % (chip, core)], features = [name])
        for name, core in _CORES.items()
    ] + [
        _flags(_after_core(chip)),
        _flags(_SANITIZER[chip], features = ["sanitizer"]),  # 4.8, row "sanitizer"
        _flags(["-std=c++17"]),
        _flags(_OOM[chip], features = ["oom"]),  # 4.8, row "oom"
    ]

def _features(chip, headers, compiler):
    environment = ACTION_ENV | {"PYPTO_BISHENG": compiler.path}
    entries = [env_entry(key = name, value = value) for name, value in environment.items()]
    return [
        feature(name = "no_legacy_features"),
        # Bazel appends `-c <source> -o <object>` to the command line unless these are on.
        feature(name = "compiler_input_flags", enabled = True),
        feature(name = "compiler_output_flags", enabled = True),
        # It requires a core. As the compile implies it, a toolchain for no core can link, and refuses to compile.
        feature(
            name = _COMMAND_LINE,
            requires = [feature_set(features = [name]) for name in _CORES],
            env_sets = [env_set(actions = [CPP_COMPILE_ACTION_NAME], env_entries = entries)],
            flag_sets = _command_line(chip, headers),
        ),
    ] + [
        feature(name = name, provides = ["core"])
        for name in _CORES
    ] + [
        feature(name = name)
        for name in ["debug", "dump", "oom", "sanitizer"]
    ]

def _linker(ctx):
    """The ld.lld that came with the compiler: no other knows AI Core objects."""
    directory = ctx.file.compiler.dirname
    for file in ctx.files.compiler_files:
        if file.dirname == directory and file.basename == "ld.lld":
            return file
    fail("%s: compiler_files has no ld.lld in %s, beside the compiler. Add it; a toolkit without it is incomplete." % (ctx.label, directory))

def _bisheng_config_impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = "none",
        abi_version = "aicore",
        action_configs = [
            action_config(
                action_name = CPP_COMPILE_ACTION_NAME,
                implies = [_COMMAND_LINE],
                tools = [tool(tool = ctx.executable._driver)],
            ),
            action_config(
                action_name = CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME,
                tools = [tool(tool = _linker(ctx))],
            ),
        ],
        compiler = "bisheng",
        cxx_builtin_include_directories = ctx.attr.builtin_include_directories,
        features = _features(ctx.attr.chip, ctx.attr.headers[CannHeadersInfo], ctx.file.compiler),
        target_cpu = "dav-" + ctx.attr.chip,
        target_libc = "none",
        target_system_name = "aicore",
        toolchain_identifier = "bisheng-" + ctx.attr.chip,
    )

bisheng_config = rule(
    doc = "How bisheng is called for a chip.",
    implementation = _bisheng_config_impl,
    attrs = {
        "builtin_include_directories": attr.string_list(doc = "Directories of the compiler's own headers, as dependency files name them."),
        "chip": attr.string(doc = "Chip, as bisheng names it.", mandatory = True, values = CHIPS),
        "compiler": attr.label(doc = "bisheng.", allow_single_file = True, cfg = "exec", mandatory = True),
        "compiler_files": attr.label_list(doc = "bisheng with all it needs, ld.lld among it.", allow_files = True, cfg = "exec", mandatory = True),
        "headers": attr.label(doc = "`cann_headers` of the same toolkit.", mandatory = True, providers = [CannHeadersInfo]),
        "_driver": attr.label(cfg = "exec", default = "//toolchains/cann/bisheng:driver", executable = True),
    },
    provides = [CcToolchainConfigInfo],
)
