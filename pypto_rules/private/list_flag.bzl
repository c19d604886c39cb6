"""The build setting type of flags that may be given several times."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

def _list_flag_impl(ctx):
    return [BuildSettingInfo(value = ctx.build_setting_value)]

list_flag = rule(
    doc = "A repeatable list of strings: every use of the flag, on the command line or by a `--config`, adds one.",
    implementation = _list_flag_impl,
    build_setting = config.string_list(flag = True, repeatable = True),
)
