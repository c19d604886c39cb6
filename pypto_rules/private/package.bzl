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
load(":cpus.bzl", "CPU_ATTRS", "TARGET_CPUS", "target_cpu")
load(":host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE")
load(":names.bzl", "file_name_problem", "label_text", "vendor_name_problem")
load(":package_host.bzl", "host_side")
load(":providers.bzl", "PyptoKernelInfo", "PyptoPackageInfo")
load(":socs.bzl", "DEFAULT_SOC", "soc_notes")
load(":transitions.bzl", "HOST_BRANCH", "split_by_soc")

_BACKEND_FLAG = "--@pypto_rules//pypto_rules/settings:kernel_backend"

_ATTRS = {
    "framework": attr.label_keyed_string_dict(
        doc = "Plug-ins of frameworks: file → `caffe`, `onnx` or `tensorflow`, the directory below `framework/` that it goes to.",
        allow_files = True,
    ),
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

def _architecture(ctx, kernels):
    """The CPU of the host libraries; fails when the twin's kernels are for another."""
    cpu = target_cpu(ctx)
    if not cpu:
        fail("%s: the CPU of the target platform is none of %s. Set --platforms to one that has one of them." % (label_text(ctx.label), ", ".join(TARGET_CPUS)))
    for kernel in kernels:
        if kernel.backend == "twin" and kernel.cpu != cpu:
            fail(("%s: the target platform has CPU %s, and the kernels of the CPU twin are built for %s: " +
                  "they follow the platforms of pypto_rules alone. Use --platforms=@pypto_rules//pypto_rules/platforms:linux_%s.") %
                 (label_text(ctx.label), cpu, kernel.cpu, cpu))
    return cpu

def _host_backend(ctx, host):
    """The backend of the host libraries, None when there are none."""
    return ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.backend if host.libraries else None

def _check_backends(ctx, kernels, host_backend):
    """All kernels are of one backend, and so is the host side, which launches them; its backend is None without one."""
    of = {}
    for kernel in kernels:
        of.setdefault(kernel.backend, []).append("%s for %s" % (kernel.op_file, kernel.soc))
    if len(of) > 1:
        found = " and ".join(["%s (%s)" % (backend, ", ".join(names)) for backend, names in of.items()])
        fail(("%s: a package has kernels of one backend, these are of %s. Choose SoCs that one backend has, or the backend: " +
              "%s=<%s>.") % (label_text(ctx.label), found, _BACKEND_FLAG, "|".join(of.keys())))
    backend = kernels[0].backend
    if host_backend and host_backend != backend:
        fail("%s: the kernels are of the backend %s, the host side is of %s, whose run time cannot launch them. Build both of one: %s=<%s|%s>." %
             (label_text(ctx.label), backend, host_backend, _BACKEND_FLAG, backend, host_backend))

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

def _package_inputs(ctx, vendor, arch, run_name, ops, host):
    """Writes spec.json: struct(spec, files = all that the tool reads, status = files of a stamped build)."""
    plugins = [(file, framework) for target, framework in ctx.attr.framework.items() for file in target[DefaultInfo].files.to_list()]
    first = ops.values()[0].kernels[0]
    spec = ctx.actions.declare_file(ctx.label.name + ".spec.json")
    ctx.actions.write(spec, json.encode_indent({
        "arch": arch,
        "backend": first.backend,
        "host": {
            "aclnn_headers": [f.path for f in host.headers],
            "backend": _host_backend(ctx, host),
            "plugins": [{"framework": framework, "path": file.path} for file, framework in plugins],
            "libraries": {role: f.path for role, f in host.libraries.items()},
            "proto_headers": [f.path for f in host.proto_headers],
        },
        "ops": [_op_spec(op, host) for op in ops.values()],
        "package_file": run_name,
        "toolkit": first.toolkit,
        "vendor_name": vendor,
        "version": ctx.attr.version,
    }, indent = " ") + "\n")
    inputs = [f for op in ops.values() for f in _op_files(op)] + host.libraries.values() + host.op_defs.values()
    inputs += host.headers + host.proto_headers + [file for file, _ in plugins]
    status = []
    if ctx.attr.stamped:
        # The first has BUILD_TIMESTAMP, the second what --workspace_status_command says.
        status = [ctx.version_file, ctx.info_file]
    return struct(files = [spec] + inputs + status, spec = spec, status = status)

def _run_package_tool(ctx, mnemonic, inputs, outputs, makeself = None):
    """Runs the tool for some of its outputs: option → File."""
    args = ctx.actions.args()
    args.add("--spec", inputs.spec)
    args.add_all(inputs.status, before_each = "--status")
    for option, file in outputs.items():
        args.add_all("--" + option, [file], expand_directories = False)
    if makeself:
        args.add("--makeself", [f for f in makeself.to_list() if f.basename == "makeself.sh"][0])
    run_tool(
        ctx.actions,
        mnemonic = mnemonic,
        progress_message = "Packaging %{label}",
        tool = ctx.attr._package_tool[DefaultInfo].files_to_run,
        arguments = [args],
        inputs = depset(inputs.files, transitive = [makeself] if makeself else []),
        outputs = outputs.values(),
    )

def _package_action(ctx, inputs, run_name):
    """Tree and installer, in one action: they hold the same files."""
    outputs = {
        "manifest": ctx.actions.declare_file(ctx.label.name + ".manifest.json"),
        "run": ctx.actions.declare_file(run_name),
        "tar": ctx.actions.declare_file(run_name.removesuffix(".run") + ".tar.gz"),
        "tree": ctx.actions.declare_directory(ctx.label.name + ".tree"),
        "uninstall": ctx.actions.declare_file(ctx.label.name + ".uninstall.sh"),
    }
    _run_package_tool(ctx, "PyptoPackage", inputs, outputs, ctx.attr._makeself[DefaultInfo].files)
    return struct(**outputs)

def _system_action(ctx, inputs):
    """What `.deb` and `.rpm` are made of, for those who build one."""
    outputs = {
        "rpm-spec": ctx.actions.declare_file(ctx.label.name + ".system.spec"),
        "system-check": ctx.actions.declare_file(ctx.label.name + ".system.preinst"),
        "system-data": ctx.actions.declare_file(ctx.label.name + ".system.tar.gz"),
    }
    _run_package_tool(ctx, "PyptoSystemPackage", inputs, outputs)
    return struct(check = outputs["system-check"], data = outputs["system-data"], rpm_spec = outputs["rpm-spec"])

def _pypto_op_package_impl(ctx):
    vendor = _vendor_name(ctx)
    _say_socs(ctx)
    problem = file_name_problem(ctx.attr.package_file)
    if ctx.attr.package_file and problem:
        fail("%s: package_file %s" % (label_text(ctx.label), problem))

    # Without the branch there are kernels alone: in the target platform they are the same as in the first SoC's.
    host = host_side(ctx, ctx.split_attr.ops.get(HOST_BRANCH, []))
    ops = _kernels_by_op(ctx)
    kernels = [kernel for op in ops.values() for kernel in op.kernels]
    _check_backends(ctx, kernels, _host_backend(ctx, host))
    arch = _architecture(ctx, kernels)
    run_name = ctx.attr.package_file or "cann-ops-%s_linux-%s.run" % (vendor, arch)
    inputs = _package_inputs(ctx, vendor, arch, run_name, ops, host)
    made = _package_action(ctx, inputs, run_name)
    return [
        DefaultInfo(files = depset([made.run]), executable = made.run, runfiles = ctx.runfiles([made.tree])),
        OutputGroupInfo(
            manifest = depset([made.manifest]),
            tar = depset([made.tar]),
            tree = depset([made.tree]),
        ),
        PyptoPackageInfo(
            arch = arch,
            manifest = made.manifest,
            op_api = host.libraries.get("op_api"),
            run = made.run,
            socs = [kernel.soc for kernel in ops.values()[0].kernels],
            system = _system_action(ctx, inputs),
            tree = made.tree,
            uninstaller = made.uninstall,
            vendor_name = vendor,
            version = ctx.attr.version,
        ),
        host.cc_info,
        # For the environment of tests: where the package lies in their runfiles, as ASCEND_CUSTOM_OPP_PATH wants it.
        platform_common.TemplateVariableInfo({"PYPTO_OPP_PATH": made.tree.short_path + "/vendors/" + vendor}),
    ]

pypto_op_package = rule(
    doc = "Packages operators for a vendor: `bazel build` writes the installer, output group `tree` the vendor tree, `tar` the tree " +
          "as a `.tar.gz`, `manifest` its list.",
    implementation = _pypto_op_package_impl,
    attrs = _ATTRS | CPU_ATTRS,
    executable = True,
    fragments = ["cpp"],
    provides = [CcInfo, PyptoPackageInfo],
    toolchains = use_cc_toolchain() + [HOST_TOOLCHAIN_TYPE],
)
