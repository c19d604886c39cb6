"""`situation`: what a build decides on, for the doctor: the flag `kernel_backend`, and whether there is CANN."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

def _situation_impl(ctx):
    file = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(file, json.encode({
        "cann": ctx.attr.cann,
        "kernel_backend": ctx.attr.kernel_backend[BuildSettingInfo].value,
    }))
    return [DefaultInfo(files = depset([file]), runfiles = ctx.runfiles([file]))]

situation = rule(
    doc = "Writes `<name>.json`.",
    implementation = _situation_impl,
    attrs = {
        "cann": attr.string(doc = "State of CANN: none, broken or found.", mandatory = True),
        "kernel_backend": attr.label(doc = "The flag.", mandatory = True, providers = [BuildSettingInfo]),
    },
)
