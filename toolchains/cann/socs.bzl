"""The SoCs of the backend, and which of them a pypto_pro can generate code for."""

# SoC → what pypto_pro calls its architecture, by version. `SOCS` of codegen/socs.py says the same; a test compares them.
ARCHES = {
    "ascend910_93": ["a3", "a2"],
    "ascend910b": ["a3", "a2"],
    "ascend950": ["a5", "3510"],
}

# SoC → its chip, as bisheng names it.
CHIPS = {
    "ascend910_93": "c220",
    "ascend910b": "c220",
    "ascend950": "c310",
}

_REFUSED = """pypto_pro {pypto} of CANN {version} cannot build for {soc}: it accepts {accepted}, and {soc} is {names} there
  fix: build for another SoC{others}, or use a pypto_pro that accepts one of these names (`pypto` of the tag in MODULE.bazel);
       or build for the CPU twin: --@pypto_rules//pypto_rules/settings:kernel_backend=twin"""

_UNASKED = """CANN {version} cannot be used: {problem}
  fix: install what it needs, or name another toolkit with ASCEND_HOME_PATH or in MODULE.bazel;
       or build for the CPU twin: --@pypto_rules//pypto_rules/settings:kernel_backend=twin"""

def refusals(version, pypto_version, accepted, problem):
    """The SoCs that cannot be built for.

    Args:
      version: CANN's.
      pypto_version: pypto_pro's.
      accepted: names of architectures that pypto_pro accepts.
      problem: why nothing can be built at all, empty otherwise.

    Returns:
      dict: SoC → a text that says why, and what to do.
    """
    if problem:
        return {soc: _UNASKED.format(version = version, problem = problem) for soc in ARCHES}
    usable = [soc for soc, names in ARCHES.items() if [name for name in names if name in accepted]]
    return {
        soc: _REFUSED.format(
            accepted = "'%s'" % "', '".join(accepted) if accepted else "none that is known",
            names = " or ".join(["'%s'" % name for name in names]),
            others = " (%s)" % ", ".join(usable) if usable else "",
            pypto = pypto_version,
            soc = soc,
            version = version,
        )
        for soc, names in ARCHES.items()
        if soc not in usable
    }
