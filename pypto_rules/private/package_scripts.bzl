"""A package's installer and uninstaller as programs of their own, for `bazel run`."""

load(":providers.bzl", "PyptoPackageInfo")

def _package_script_impl(ctx):
    info = ctx.attr.package[PyptoPackageInfo]
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = script,
        is_executable = True,
        target_file = info.run if ctx.attr.script == "install" else info.uninstaller,
    )
    return [DefaultInfo(executable = script, files = depset([script]))]

package_script = rule(
    doc = "The installer or the uninstaller of a package; the options are theirs.",
    implementation = _package_script_impl,
    attrs = {
        "package": attr.label(doc = "The package.", mandatory = True, providers = [PyptoPackageInfo]),
        "script": attr.string(doc = "Which of the two.", mandatory = True, values = ["install", "uninstall"]),
    },
    executable = True,
)
