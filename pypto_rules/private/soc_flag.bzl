"""The build setting type of `//pypto_rules/settings:soc`: a string list that `--config` lines add to."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

def _soc_flag_impl(ctx):
    return [BuildSettingInfo(value = ctx.build_setting_value)]

soc_flag = rule(
    doc = "A repeatable list of SoC names: every `--config=<soc>` adds one.",
    implementation = _soc_flag_impl,
    build_setting = config.string_list(flag = True, repeatable = True),
)
