"""`tested_operator`: what tests of an operator's host side need, as files and as Make variables for their environment."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load(":host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE")
load(":names.bzl", "label_text", "runfile_path")
load(":providers.bzl", "PyptoKernelInfo", "PyptoOpInfo", "PyptoPackageInfo")
load(":pytest.bzl", "pytest_test")
load(":socs.bzl", "socs_or_default")
load(":tiling_headers.bzl", "tiling_module")
load(":transitions.bzl", "twin")

# The variables; pypto_rules.testing reads them. Those with paths name them relative to the runfiles directory.
TILING_VARIABLES = ["PYPTO_KERNEL", "PYPTO_OP_DEF", "PYPTO_PROTO_LIBRARY", "PYPTO_SOC", "PYPTO_TILING_LIBRARY", "PYPTO_TWIN_HOST"]
OP_VARIABLES = ["PYPTO_ACLNN_TYPE", "PYPTO_KERNEL", "PYPTO_OP_DEF", "PYPTO_PACKAGE", "PYPTO_SOC", "PYPTO_TWIN_HOST"]

def _tested_operator_impl(ctx):
    kernel = ctx.attr.op[PyptoKernelInfo]
    op = ctx.attr.op[PyptoOpInfo]
    if not op.host or not op.op_def:
        fail("%s: %s has no host side to test: there is no op_host/*_def.cpp beside its BUILD file. Add the op_host sources, or test the kernel alone with pypto_kernel_test." %
             (label_text(ctx.label), label_text(ctx.attr.op.label)))
    if ctx.attr.package and op.aclnn_type == "aclnn_exclude":
        fail("%s: the aclnn interface of %s is written by hand (aclnn_type = \"aclnn_exclude\"); pypto_op_test calls generated ones. Test it with a C++ program, by pypto_aclnn_example." %
             (label_text(ctx.label), label_text(ctx.attr.op.label)))
    socs = socs_or_default(ctx.attr._soc[BuildSettingInfo].value)
    if len(socs) > 1:
        # buildifier: disable=print
        print("%s: tests run on one SoC, here %s; run them again for %s." % (label_text(ctx.label), kernel.soc, ", ".join(socs[1:])))
    if ctx.attr.package and kernel.soc not in ctx.attr.package[PyptoPackageInfo].socs:
        fail("%s: the test runs on %s, and %s is for %s. Add --config=<soc>, or the SoC to `socs` of the package." %
             (label_text(ctx.label), kernel.soc, label_text(ctx.attr.package.label), ", ".join(ctx.attr.package[PyptoPackageInfo].socs)))
    files = {
        "PYPTO_KERNEL": kernel.binaries,
        "PYPTO_OP_DEF": op.op_def.op_json,
        "PYPTO_TWIN_HOST": ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host.run_time,
    }
    package = ctx.attr.package[PyptoPackageInfo] if ctx.attr.package else None
    if package:
        files["PYPTO_PACKAGE"] = package.tree
    else:
        files["PYPTO_PROTO_LIBRARY"] = op.host.ops_proto
        files["PYPTO_TILING_LIBRARY"] = op.host.op_master
    variables = {name: runfile_path(file, ctx.workspace_name) for name, file in files.items()}
    variables["PYPTO_ACLNN_TYPE"] = op.aclnn_type
    variables["PYPTO_SOC"] = kernel.soc
    if package:
        variables["PYPTO_PACKAGE"] += "/vendors/" + package.vendor_name
    extra = [kernel.manifest, kernel.variants, kernel.source_map, kernel.headers.python]
    return [
        DefaultInfo(files = depset(files.values()), runfiles = ctx.runfiles(files = files.values() + extra)),
        tiling_module(ctx, kernel.headers),
        platform_common.TemplateVariableInfo(variables),
    ]

tested_operator = rule(
    doc = "The host side of an operator with its kernel's description, or the package it is in, as data of a test.",
    implementation = _tested_operator_impl,
    cfg = twin,
    attrs = {
        "op": attr.label(doc = "The `pypto_op`.", mandatory = True, providers = [PyptoKernelInfo, PyptoOpInfo]),
        "package": attr.label(doc = "The `pypto_op_package` to call the operator in.", providers = [PyptoPackageInfo]),
        "_soc": attr.label(default = "//pypto_rules/settings:soc"),
    },
    toolchains = [HOST_TOOLCHAIN_TYPE],
)

def operator_test(name, variables, op, srcs, deps, data, env, package = None, **kwargs):
    """pytest on files that get at an operator's host side through variables: the macros of users.

    Args:
      name: name of the test.
      variables: which of the variables it needs.
      op: the `pypto_op` under test.
      srcs: pytest files, and their helpers.
      deps: further Python libraries.
      data: further files.
      env: further environment.
      package: the `pypto_op_package` that `op` is called in, or None.
      **kwargs: as of py_test.
    """
    tested_operator(
        name = name + "_operator",
        testonly = True,
        op = op,
        package = package,
        tags = ["manual"],
        visibility = ["//visibility:private"],
    )
    pytest_test(
        name = name,
        srcs = srcs,
        data = data + [name + "_operator"],
        env = env | {variable: "$(%s)" % variable for variable in variables},
        toolchains = [name + "_operator"],
        deps = deps + [Label("//pypto_rules/testing"), name + "_operator"],
        **kwargs
    )
