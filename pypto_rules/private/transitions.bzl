"""The two transitions: a package fans out over its SoCs, a kernel enters the device platform of its SoC."""

load(":socs.bzl", "socs_or_default")

_SOC = "//pypto_rules/settings:soc"
_PLATFORMS = "//command_line_option:platforms"

def _split_by_soc_impl(settings, _attr):
    return {soc: {_SOC: [soc]} for soc in socs_or_default(settings[_SOC])}

split_by_soc = transition(
    implementation = _split_by_soc_impl,
    inputs = [_SOC],
    outputs = [_SOC],
)

def _device_platform_impl(settings, _attr):
    # A kernel that is built alone under several SoCs is built for the first; the package builds it for each.
    soc = socs_or_default(settings[_SOC])[0]
    return {
        # Set even when it was empty: a kernel built alone and through a package then share one configuration.
        _SOC: [soc],
        _PLATFORMS: "//pypto_rules/platforms:" + soc,
    }

device_platform = transition(
    implementation = _device_platform_impl,
    inputs = [_SOC],
    outputs = [_SOC, _PLATFORMS],
)
