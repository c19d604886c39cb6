"""`pypto_variants`: prints the variants of a kernel, one a line, when it is run."""

load(":names.bzl", "label_text")
load(":providers.bzl", "PyptoKernelInfo")

def _runfile(ctx, file):
    path = file.short_path
    return path.removeprefix("../") if path.startswith("../") else ctx.workspace_name + "/" + path

def _pypto_variants_impl(ctx):
    kernel = ctx.attr.kernel[PyptoKernelInfo]
    tool = ctx.attr._tool[DefaultInfo]
    launcher = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.expand_template(
        template = ctx.file._launcher,
        output = launcher,
        substitutions = {
            "{label}": label_text(ctx.attr.kernel.label),
            "{manifest}": _runfile(ctx, kernel.manifest),
            "{sources}": _runfile(ctx, kernel.generated),
            "{tool}": _runfile(ctx, tool.files_to_run.executable),
            "{variants}": _runfile(ctx, kernel.variants),
        },
        is_executable = True,
    )
    runfiles = ctx.runfiles([kernel.generated, kernel.manifest, kernel.variants])
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
