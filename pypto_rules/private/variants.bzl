"""`pypto_variants`: prints the variants of a kernel, one a line, when it is run."""

load(":names.bzl", "label_text", "runfile_path")
load(":providers.bzl", "PyptoKernelInfo")

def _pypto_variants_impl(ctx):
    kernel = ctx.attr.kernel[PyptoKernelInfo]
    tool = ctx.attr._tool[DefaultInfo]
    launcher = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.expand_template(
        template = ctx.file._launcher,
        output = launcher,
        substitutions = {
            "{label}": label_text(ctx.attr.kernel.label),
            "{manifest}": runfile_path(kernel.manifest, ctx.workspace_name),
            "{sources}": " ".join(["--sources \"$runfiles/%s\"" % runfile_path(d, ctx.workspace_name) for d in kernel.generated]),
            "{tool}": runfile_path(tool.files_to_run.executable, ctx.workspace_name),
            "{variants}": runfile_path(kernel.variants, ctx.workspace_name),
        },
        is_executable = True,
    )
    runfiles = ctx.runfiles(kernel.generated + [kernel.manifest, kernel.variants])
    return [DefaultInfo(executable = launcher, runfiles = runfiles.merge(tool.default_runfiles))]

pypto_variants = rule(
    doc = "The table of a kernel's variants: dtypes, TilingKey fields, packed key, entry symbol, digest of the source. " +
          "`bazel run` it, with `-- --format=json` or `--format=csv` for other programs. Nothing is compiled for it.",
    implementation = _pypto_variants_impl,
    attrs = {
        "kernel": attr.label(doc = "The `pypto_kernel`.", mandatory = True, providers = [PyptoKernelInfo]),
        "_launcher": attr.label(allow_single_file = True, default = "//pypto_rules/tools/variants:launcher.sh"),
        "_tool": attr.label(cfg = "exec", default = "//pypto_rules/tools/variants", executable = True),
    },
    executable = True,
)
