"""The transitions: a package fans out over its SoCs and its own platform, a kernel enters a device platform, tests are of the twin.

The first two set the platform. The flag `soc` keeps what the user gave: were it set here too, the output directories of a SoC would
depend on how the SoC was chosen, and `--config=ascend950` after the same SoC in a list would recompile it. The one exception
is the host side of a package with `socs` of its own, which must not look at a kernel of another SoC.
"""

load("@pypto_cann//:state.bzl", "STATE")
load(":cpus.bzl", "TARGET_CPUS", "device_platform_name")
load(":socs.bzl", "SUPPORTED_SOCS", "socs_or_default")

_SOC = "//pypto_rules/settings:soc"
_BACKEND = "//pypto_rules/settings:kernel_backend"
_PLATFORMS = "//command_line_option:platforms"

_PLATFORM = "//pypto_rules/platforms:"
_TARGET_PLATFORMS = {Label(_PLATFORM + "linux_" + cpu): cpu for cpu in TARGET_CPUS}
_DEVICE_PLATFORMS = {
    (soc, cpu): Label(_PLATFORM + device_platform_name(soc, cpu))
    for soc in SUPPORTED_SOCS
    for cpu in [None] + TARGET_CPUS
}

# The branch of `split_by_soc` that stays in the target platform; the others have the names of SoCs.
HOST_BRANCH = "host"

def _cpu(settings):
    """The CPU that the target platform asks for by its name; None for this machine's. Transitions see no constraints."""
    return ([_TARGET_PLATFORMS[p] for p in settings[_PLATFORMS] if p in _TARGET_PLATFORMS] or [None])[0]

def _split_by_soc_impl(settings, attr):
    given = settings[_SOC]
    socs = socs_or_default(given or attr.socs)
    cpu = _cpu(settings)
    devices = {soc: {_PLATFORMS: [_DEVICE_PLATFORMS[(soc, cpu)]], _SOC: given} for soc in socs}
    return devices | {HOST_BRANCH: {_PLATFORMS: settings[_PLATFORMS], _SOC: given or attr.socs}}

split_by_soc = transition(
    implementation = _split_by_soc_impl,
    inputs = [_SOC, _PLATFORMS],
    outputs = [_SOC, _PLATFORMS],
)

def _device_platform_impl(settings, _attr):
    platforms = settings[_PLATFORMS]
    if [p for p in platforms if p in _DEVICE_PLATFORMS.values()]:
        return {_PLATFORMS: platforms}

    # A kernel that is built alone under several SoCs is built for the first; the package builds it for each.
    return {_PLATFORMS: [_DEVICE_PLATFORMS[(socs_or_default(settings[_SOC])[0], _cpu(settings))]]}

device_platform = transition(
    implementation = _device_platform_impl,
    inputs = [_SOC, _PLATFORMS],
    outputs = [_PLATFORMS],
)

# Without CANN the twin is what a build has anyway; then nothing is set, and a test shares all outputs with the rest of the build.
_CANN_IS_THERE = STATE != "none"

def _twin_impl(settings, _attr):
    return {_BACKEND: "twin" if _CANN_IS_THERE else settings[_BACKEND]}

# What a test executes is of the twin, whatever kernels are built for.
twin = transition(
    implementation = _twin_impl,
    inputs = [_BACKEND],
    outputs = [_BACKEND],
)

def _twin_unless_cann_impl(settings, _attr):
    auto = settings[_BACKEND] == "auto"
    return {_BACKEND: "twin" if auto and _CANN_IS_THERE else settings[_BACKEND]}

# A program that may run on the twin or on an NPU does so on the twin unless CANN was asked for.
twin_unless_cann = transition(
    implementation = _twin_unless_cann_impl,
    inputs = [_BACKEND],
    outputs = [_BACKEND],
)
