"""`pypto_op_package`: kernels for every chosen SoC → the vendor tree and its installer.

```starlark
pypto_op_package(
    name = "pkg",
    ops = [":add_example"],
    vendor_name = "custom",
)
```
"""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":actions.bzl", "run_tool")
load(":host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE")
load(":names.bzl", "file_name_problem", "label_text", "vendor_name_problem")
load(":package_host.bzl", "host_side")
load(":providers.bzl", "PyptoKernelInfo", "PyptoPackageInfo")
load(":socs.bzl", "DEFAULT_SOC", "soc_notes")
load(":transitions.bzl", "HOST_BRANCH", "split_by_soc")

_ARCHITECTURES = ["aarch64", "x86_64"]

_ATTRS = {
    "ops": attr.label_list(
        doc = "The operators to package. Their kernels are built once per SoC of `//pypto_rules/settings:soc`, their host sides once.",
        allow_empty = False,
        cfg = split_by_soc,
        mandatory = True,
        providers = [PyptoKernelInfo],
    ),
    "package_file": attr.string(
        doc = "File name of the installer. Default: `cann-ops-<vendor>_linux-<architecture>.run`; a second package of the same " +
              "vendor in one BUILD file needs a name of its own.",
    ),
    "socs": attr.string_list(
        doc = "The SoCs of the package, when the command line names none.",
    ),
    "stamped": attr.bool(
        doc = "Whether version.info says when and of which revision the package was made. `pypto_op_package` sets it when `--stamp` is given.",
    ),
    "vendor_name": attr.string(
        default = "custom",
        doc = "Directory below `vendors/`. `--@pypto_rules//pypto_rules/settings:vendor_name` overrides it.",
    ),
    "version": attr.string(
        default = "1.0.0",
        doc = "Version of the package, recorded in `version.info` and the manifest.",
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
    "_architectures": attr.label_list(
        default = ["@platforms//cpu:" + cpu for cpu in _ARCHITECTURES],
        providers = [platform_common.ConstraintValueInfo],
    ),
    "_makeself": attr.label(
        cfg = "exec",
        default = "@pypto_makeself//:makeself",
    ),
    "_no_exports": attr.label(allow_single_file = True, default = "//pypto_rules/private:no_exports.ld"),
    "_op_api_exports": attr.label(allow_single_file = True, default = "//pypto_rules/private:op_api_exports.ld"),
    "_package_tool": attr.label(
        cfg = "exec",
        default = "//pypto_rules/tools/package",
        executable = True,
    ),
    "_soc": attr.label(default = "//pypto_rules/settings:soc"),
    "_vendor_name": attr.label(default = "//pypto_rules/settings:vendor_name"),
}

def _architecture(ctx):
    for constraint in ctx.attr._architectures:
        if ctx.target_platform_has_constraint(constraint[platform_common.ConstraintValueInfo]):
            return constraint.label.name
    fail("%s: the target platform is neither of %s. Set --platforms to one that is." % (label_text(ctx.label), ", ".join(_ARCHITECTURES)))

def _vendor_name(ctx):
    name = ctx.attr._vendor_name[BuildSettingInfo].value or ctx.attr.vendor_name
    problem = vendor_name_problem(name)
    if problem:
        fail("%s: %s" % (label_text(ctx.label), problem))
    return name

def _say_socs(ctx):
    socs = ctx.attr._soc[BuildSettingInfo].value or ctx.attr.socs
    notes = soc_notes(socs) if socs else ["no SoC given, building for %s. Choose with --config=<soc>." % DEFAULT_SOC]
    for note in notes:
        # buildifier: disable=print
        print("%s: %s" % (label_text(ctx.label), note))

def _kernels_by_op(ctx):
    """op_file → struct(label, kernels = list of PyptoKernelInfo, one per SoC), in the order of `ops` and of the SoCs."""
    kernels = {}
    seen = {}
    for targets in ctx.split_attr.ops.values():
        for target in targets:
            info = target[PyptoKernelInfo]

            # Kernels enter the device platform by themselves: the target platform's branch repeats the first SoC's.
            if (target.label, info.soc) not in seen:
                seen[(target.label, info.soc)] = True
                kernels.setdefault(info.op_file, []).append((target.label, info))
    for op_file, entries in kernels.items():
        labels = {label_text(label): None for label, _ in entries}.keys()
        if len(labels) > 1:
            fail("%s: ops has two operators of the file name '%s': %s; one package holds each file name once. Rename one kernel file." %
                 (label_text(ctx.label), op_file, ", ".join(labels)))
    return {op_file: struct(label = entries[0][0], kernels = [info for _, info in entries]) for op_file, entries in kernels.items()}

def _op_spec(op, host):
    first = op.kernels[0]
    op_def = host.op_defs.get(op.label)
    return {
        "headers": [first.headers.directory.path],
        "kernel_json": first.manifest.path,
        "kernel_name": first.op_file,
        "op_def": op_def.path if op_def else None,
        "op_file": first.op_file,
        "op_type": first.op_type,
        "socs": [
            {"binaries": k.binaries.path, "options": k.options, "soc": k.soc, "variants": k.variants.path}
            for k in op.kernels
        ],
        "sources": [{"path": s.file.path, "short": s.shipped} for s in first.sources],
    }

def _op_files(op):
    kernels = op.kernels
    files = [s.file for s in kernels[0].sources] + [kernels[0].manifest, kernels[0].headers.directory]
    for kernel in kernels:
        files += [kernel.binaries, kernel.variants]
    return files

def _package_action(ctx, vendor, run_name, ops, host):
    spec = ctx.actions.declare_file(ctx.label.name + ".spec.json")
    ctx.actions.write(spec, json.encode_indent({
        "arch": _architecture(ctx),
        "backend": ops.values()[0].kernels[0].backend,
        "host": {
            "aclnn_headers": [f.path for f in host.headers],
            "libraries": {role: f.path for role, f in host.libraries.items()},
            "proto_headers": [f.path for f in host.proto_headers],
        },
        "ops": [_op_spec(op, host) for op in ops.values()],
        "package_file": run_name,
        "vendor_name": vendor,
        "version": ctx.attr.version,
    }, indent = " ") + "\n")
    tree = ctx.actions.declare_directory(ctx.label.name + ".tree")
    manifest = ctx.actions.declare_file(ctx.label.name + ".manifest.json")
    run = ctx.actions.declare_file(run_name)
    tar = ctx.actions.declare_file(run_name.removesuffix(".run") + ".tar.gz")
    uninstaller = ctx.actions.declare_file(ctx.label.name + ".uninstall.sh")
    makeself = [f for f in ctx.files._makeself if f.basename == "makeself.sh"][0]
    args = ctx.actions.args()
    args.add("--spec", spec)
    args.add_all("--tree", [tree], expand_directories = False)
    args.add("--manifest", manifest)
    args.add("--run", run)
    args.add("--tar", tar)
    args.add("--uninstall", uninstaller)
    args.add("--makeself", makeself)
    inputs = [f for op in ops.values() for f in _op_files(op)] + host.libraries.values() + host.op_defs.values()
    inputs += host.headers + host.proto_headers
    if ctx.attr.stamped:
        # The first has BUILD_TIMESTAMP, the second what --workspace_status_command says.
        args.add_all([ctx.version_file, ctx.info_file], before_each = "--status")
        inputs += [ctx.version_file, ctx.info_file]
    run_tool(
        ctx.actions,
        mnemonic = "PyptoPackage",
        progress_message = "Packaging %{label}",
        tool = ctx.attr._package_tool[DefaultInfo].files_to_run,
        arguments = [args],
        inputs = depset([spec] + inputs, transitive = [ctx.attr._makeself[DefaultInfo].files]),
        outputs = [tree, manifest, run, tar, uninstaller],
    )
    return struct(manifest = manifest, run = run, tar = tar, tree = tree, uninstaller = uninstaller)

def _pypto_op_package_impl(ctx):
    vendor = _vendor_name(ctx)
    _say_socs(ctx)
    problem = file_name_problem(ctx.attr.package_file)
    if ctx.attr.package_file and problem:
        fail("%s: package_file %s" % (label_text(ctx.label), problem))
    run_name = ctx.attr.package_file or "cann-ops-%s_linux-%s.run" % (vendor, _architecture(ctx))

    # Without the branch there are kernels alone: in the target platform they are the same as in the first SoC's.
    host = host_side(ctx, ctx.split_attr.ops.get(HOST_BRANCH, []))
    ops = _kernels_by_op(ctx)
    made = _package_action(ctx, vendor, run_name, ops, host)
    return [
        DefaultInfo(files = depset([made.run]), executable = made.run, runfiles = ctx.runfiles([made.tree])),
        OutputGroupInfo(
            manifest = depset([made.manifest]),
            tar = depset([made.tar]),
            tree = depset([made.tree]),
        ),
        PyptoPackageInfo(
            manifest = made.manifest,
            op_api = host.libraries.get("op_api"),
            run = made.run,
            socs = [kernel.soc for kernel in ops.values()[0].kernels],
            tree = made.tree,
            uninstaller = made.uninstaller,
            vendor_name = vendor,
        ),
        host.cc_info,
        # For the environment of tests: where the package lies in their runfiles, as ASCEND_CUSTOM_OPP_PATH wants it.
        platform_common.TemplateVariableInfo({"PYPTO_OPP_PATH": made.tree.short_path + "/vendors/" + vendor}),
    ]

pypto_op_package = rule(
    doc = "Packages operators for a vendor: `bazel build` writes the installer, output group `tree` the vendor tree, `tar` the tree " +
          "as a `.tar.gz`, `manifest` its list.",
    implementation = _pypto_op_package_impl,
    attrs = _ATTRS,
    executable = True,
    fragments = ["cpp"],
    provides = [CcInfo, PyptoPackageInfo],
    toolchains = use_cc_toolchain() + [HOST_TOOLCHAIN_TYPE],
)
