"""What the repository `pypto_cann` declares: toolchains of CANN for kernels and for the host side."""

load("//pypto_rules/private:socs.bzl", "SUPPORTED_SOCS")
load(":unusable.bzl", "unusable_toolchain")

# State → when its toolchains are for a build. Without CANN the twin is taken unless CANN is asked for.
_SETTINGS = {
    "broken": Label("//pypto_rules/settings:cann_allowed"),
    "found": Label("//pypto_rules/settings:cann_allowed"),
    "none": Label("//pypto_rules/settings:kernel_backend_cann"),
}
_HOST_TYPE = Label("//pypto_rules:host_toolchain_type")
_KERNEL_TYPE = Label("//pypto_rules:toolchain_type")

# buildifier: disable=unnamed-macro
def cann_registration(state, problem, toolkit):
    """Toolchains that lead to the toolkit's repository, or to what is wrong.

    Args:
      state: "none", "broken" or "found".
      problem: what is wrong unless found.
      toolkit: the label of the repository with the toolkit's toolchains, `@…//`.
    """
    settings = [_SETTINGS[state]]
    if state != "found":
        unusable_toolchain(
            name = "unusable",
            problem = problem,
            tags = ["manual"],
        )
    for soc in SUPPORTED_SOCS:
        native.toolchain(
            name = soc,
            target_compatible_with = [Label("//pypto_rules/platforms:soc_" + soc)],
            target_settings = settings,
            toolchain = toolkit + ":cann_" + soc if state == "found" else ":unusable",
            toolchain_type = _KERNEL_TYPE,
        )
    native.toolchain(
        name = "host",
        target_settings = settings,
        toolchain = toolkit + ":cann_host" if state == "found" else ":unusable",
        toolchain_type = _HOST_TYPE,
    )
