"""`pypto_kernel`: one PyPTO Pro kernel file → one binary per dtype column, each TilingKey variant compiled on its own.

```starlark
pypto_kernel(
    name = "add_example",
    src = "op_kernel/add_example.py",
    dtypes = {"data_dtype": ["float16", "float", "int32"]},
)
```
"""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc:action_names.bzl", "CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load(":cpus.bzl", "CPU_ATTRS", "target_cpu")
load(":kernel_actions.bzl", "codegen_action", "compile_variants", "contract_action", "headers_action", "link_action")
load(":kernel_sources.bzl", "kernel_sources")
load(":names.bzl", "camel_case", "is_identifier", "label_text")
load(":providers.bzl", "PyptoKernelInfo")
load(":toolchain.bzl", "TOOLCHAIN_TYPE")
load(":transitions.bzl", "device_platform")

# The dtypes of a column as the OpDef spells them.
DTYPES = [
    "bfloat16",
    "bool",
    "float",
    "float16",
    "int16",
    "int32",
    "int64",
    "int8",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
]

# Beginnings of options that replace an action's outputs, add some beside them, or read files that are not declared.
_RESERVED_COPTS = ["@", "-o", "-c", "-S", "-E", "-x", "-M", "-B", "-Wp,", "-dump", "-save-temps", "-fsyntax-only", "--output", "--version"]

_ATTRS = {
    "copts": attr.string_list(
        doc = "Options added to the compile of every variant. Options that name outputs are refused. For one SoC alone: " +
              "`select({\"@pypto_rules//pypto_rules/platforms:soc_ascend950\": […], \"//conditions:default\": []})`.",
    ),
    "defines": attr.string_list(doc = "Preprocessor definitions of every variant's compile, `NAME` or `NAME=value`; per SoC as `copts`."),
    "deps": attr.label_list(
        doc = "Helper modules the kernel imports: `.py` files, imported by their bare name, or `py_library` targets, imported " +
              "from the root of their repository or a directory of their `imports`.",
        allow_files = [".py"],
    ),
    "dtypes": attr.string_list_dict(
        doc = "Dtype columns: dtype variable of the kernel's `datatype` → dtype per column, in the OpDef's spelling. " +
              "Several variables: lists of equal length, read in parallel. Leave empty for a kernel without `datatype`, " +
              "and for all columns of `op_def`.",
    ),
    "op_def": attr.label(
        doc = "The operator's `pypto_op_def`, or an `op.json` written by hand: an object with `op_type`, `inputs` and `outputs` " +
              "(lists of objects with `name` and `dtypes`), `op_file` and `op_interface` if the OpDef sets them. The kernel's " +
              "parameters, their order, dtypes and names are checked against it, and its dtype columns are built.",
        allow_single_file = [".json"],
        # An OpDef is data: one for all platforms.
        cfg = "exec",
    ),
    "op_type": attr.string(
        doc = "CamelCase operator type. Default: CamelCase of the kernel file's name.",
    ),
    "output_name": attr.string(doc = "Beginning of the outputs' names. Default: the target's name."),
    "src": attr.label(
        doc = "The kernel file, `op_kernel/<op_file>.py`.",
        allow_single_file = [".py"],
        mandatory = True,
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
    "_headers_tool": attr.label(
        default = "//pypto_rules/tools/headers",
        cfg = "exec",
        executable = True,
    ),
    "_dtypes": attr.label(default = "//pypto_rules/settings:dtypes"),
    "_max_variants": attr.label(default = "//pypto_rules/settings:max_variants"),
    "_tiling_keys": attr.label(default = "//pypto_rules/settings:tiling_keys"),
}

def _op_type(ctx, op_file):
    op_type = ctx.attr.op_type or camel_case(op_file)
    if not is_identifier(op_type):
        fail("%s: op_type '%s' is not a name an operator can have; allowed are letters, digits and underscores, a letter first. " % (label_text(ctx.label), op_type) +
             "Set `op_type`, e.g. \"AddExample\".")
    return op_type

def _columns(label, dtypes):
    """The dtype columns as a list of dicts; fails on lists of unequal length and on unknown dtypes."""
    for variable, names in dtypes.items():
        for name in names:
            if name not in DTYPES:
                fail("%s: dtypes['%s'] has '%s'; allowed are: %s. Use the OpDef's spelling, e.g. \"float16\"." % (label, variable, name, ", ".join(DTYPES)))
    lengths = {variable: len(names) for variable, names in dtypes.items()}
    if len({length: None for length in lengths.values()}) > 1:
        fail("%s: the lists in `dtypes` are columns read in parallel, but their lengths differ: %s. Give every variable one dtype per column." % (label, lengths))
    if not dtypes:
        return [{}]
    if not lengths.values()[0]:
        fail("%s: `dtypes` names the variables %s but no dtype; give each at least one." % (label, ", ".join(dtypes.keys())))
    columns = [
        {variable: names[i] for variable, names in sorted(dtypes.items())}
        for i in range(lengths.values()[0])
    ]
    for i, column in enumerate(columns):
        if column in columns[:i]:
            fail("%s: column %d of `dtypes` repeats an earlier one: %s. Remove it." % (label, i, column))
    return columns

def _check_copts(label, copts):
    for copt in copts:
        for reserved in _RESERVED_COPTS:
            if copt.startswith(reserved):
                fail("%s: copts has '%s'; options that begin with '%s' change what the compile reads or writes. Remove it." % (label, copt, reserved))

def _check_defines(label, defines):
    for define in defines:
        if not is_identifier(define.partition("=")[0].lstrip("_")):
            fail("%s: defines has '%s'; allowed is NAME or NAME=value, where NAME has letters, digits and underscores. Correct it." % (label, define))

def _features_by_core(ctx, toolchain):
    """Core → what the C++ toolchain does for it."""
    return {
        core: cc_common.configure_features(
            ctx = ctx,
            cc_toolchain = toolchain.cc_toolchain,
            requested_features = ctx.features + features,
            unsupported_features = ctx.disabled_features,
        )
        for core, features in toolchain.cores.items()
    }

def _pypto_kernel_impl(ctx):
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE].pypto
    name = ctx.attr.output_name or ctx.label.name
    src = ctx.file.src
    op_file = src.basename.removesuffix(".py")
    op_type = _op_type(ctx, op_file)
    columns = _columns(label_text(ctx.label), ctx.attr.dtypes) if ctx.attr.dtypes or not ctx.file.op_def else None
    _check_copts(label_text(ctx.label), ctx.attr.copts)
    _check_defines(label_text(ctx.label), ctx.attr.defines)
    python = kernel_sources(ctx.label, src, ctx.attr.deps)
    features = _features_by_core(ctx, toolchain)
    modes = [
        mode
        for mode in toolchain.mode_features
        if cc_common.is_enabled(feature_configuration = features.values()[0], feature_name = mode)
    ]

    manifest = contract_action(
        ctx.actions,
        name,
        toolchain,
        src,
        python,
        ctx.attr._max_variants[BuildSettingInfo].value,
        ctx.file.op_def,
    )
    headers = headers_action(
        ctx.actions,
        name,
        ctx.attr._headers_tool[DefaultInfo].files_to_run,
        manifest,
        op_type,
    )
    wanted = struct(
        dtypes = ctx.attr._dtypes[BuildSettingInfo].value,
        tiling_keys = ctx.attr._tiling_keys[BuildSettingInfo].value,
    )
    generated = codegen_action(ctx.actions, name, toolchain, src, python, manifest, op_type, columns, ctx.file.op_def, wanted, modes)
    options = toolchain.copts + ["-D" + define for define in ctx.attr.defines] + ctx.attr.copts
    objects = [
        compile_variants(ctx.actions, name, toolchain, core, features[core], sources, options)
        for core, sources in generated.sources.items()
    ]
    linker = cc_common.get_tool_for_action(
        feature_configuration = features.values()[0],
        action_name = CPP_LINK_DYNAMIC_LIBRARY_ACTION_NAME,
    )
    binaries = link_action(ctx.actions, name, toolchain, linker, manifest, generated.variants, objects, ctx.file.op_def, modes)

    return [
        DefaultInfo(files = depset([binaries]), runfiles = ctx.runfiles(files = [binaries])),
        OutputGroupInfo(
            contract = depset([manifest]),
            headers = depset([headers.directory, headers.host_include]),
            objects = depset(objects),
            python = depset([headers.python]),
            sources = depset(generated.sources.values() + [generated.source_map]),
            variants = depset([generated.variants]),
        ),
        PyptoKernelInfo(
            backend = toolchain.backend,
            binaries = binaries,
            cpu = target_cpu(ctx),
            generated = generated.sources.values(),
            headers = headers,
            manifest = manifest,
            op_def = ctx.file.op_def,
            op_file = op_file,
            op_type = op_type,
            options = options,
            soc = toolchain.soc,
            source_map = generated.source_map,
            sources = python.sources,
            toolkit = toolchain.toolkit,
            variants = generated.variants,
        ),
    ]

pypto_kernel = rule(
    doc = "Builds a kernel: contract, shared headers, one C++ source and one compile action per variant, one binary per dtype column.",
    implementation = _pypto_kernel_impl,
    attrs = _ATTRS | CPU_ATTRS,
    cfg = device_platform,
    fragments = ["cpp"],
    provides = [PyptoKernelInfo],
    toolchains = [TOOLCHAIN_TYPE],
)
