"""The SoCs: compute-unit names as `build.sh --soc=` takes them, and which of them PyPTO Pro kernels can be built for.

Source: `scripts/build.conf.sh` of the public operator projects (13 names) and their PyPTO Pro support matrix.
"""

DEFAULT_SOC = "ascend910b"

SUPPORTED_SOCS = [
    "ascend910_93",
    "ascend910b",
    "ascend950",
]

UNSUPPORTED_SOCS = [
    "ascend031",
    "ascend035",
    "ascend310b",
    "ascend310p",
    "ascend610lite",
    "ascend630",
    "ascend910",
    "kirin9030",
    "kirinx90",
    "mc62",
]

KNOWN_SOCS = sorted(SUPPORTED_SOCS + UNSUPPORTED_SOCS)

def soc_problem(soc):
    """What is wrong with a SoC name, or None.

    Args:
      soc: the name as given by the user.

    Returns:
      A message that names the value, what is allowed and the edit that fixes it; None for a supported SoC.
    """
    if soc in SUPPORTED_SOCS:
        return None
    supported = "supported are: %s" % ", ".join(SUPPORTED_SOCS)
    if soc in UNSUPPORTED_SOCS:
        return "SoC '%s' is known, but PyPTO Pro kernels cannot be built for it; %s. Choose one with --config=<soc>." % (soc, supported)
    return "SoC '%s' is unknown; known are: %s; %s. Choose one with --config=<soc>." % (soc, ", ".join(KNOWN_SOCS), supported)

def socs_or_default(socs):
    """The SoCs to build for: those given, each once and in their order, else the default of build.sh.

    Args:
      socs: value of `//pypto_rules/settings:soc`, a list of names, may be empty.

    Returns:
      A non-empty list of names; fails with `soc_problem`'s text for a name that cannot be built for.
    """
    chosen = []
    for soc in socs or [DEFAULT_SOC]:
        problem = soc_problem(soc)
        if problem:
            fail(problem)
        if soc not in chosen:
            chosen.append(soc)
    return chosen
