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

# Former names. As the others, they may go on: `Ascend910_9599` is of the family that is called ascend950 today.
_FORMER_NAMES = {"ascend910_95": "ascend950"}

def compute_unit(soc):
    """The compute unit that a name means, matched as build.sh does it.

    Args:
      soc: a compute unit, the full name of a SoC (`Ascend910B3`), or the beginning of one that no other begins with.

    Returns:
      One of `KNOWN_SOCS`, or None.
    """
    name = soc.lower()
    if name in KNOWN_SOCS:
        return name
    begun = [known for known in KNOWN_SOCS + _FORMER_NAMES.keys() if name.startswith(known)]
    if begun:
        longest = sorted(begun, key = len)[-1]
        return _FORMER_NAMES.get(longest, longest)
    meant = [known for known in KNOWN_SOCS if name and known.startswith(name)]
    return meant[0] if len(meant) == 1 else None

def _distance(one, other):
    """How many letters must be inserted, removed or replaced to make one name the other."""
    row = list(range(len(other) + 1))
    for i in range(len(one)):
        above, row = row, [i + 1]
        for j in range(len(other)):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (0 if one[i] == other[j] else 1)))
    return row[-1]

def soc_problem(soc):
    """What is wrong with a SoC name, or None.

    Args:
      soc: the name as given by the user.

    Returns:
      A message that names the value, what is allowed and the edit that fixes it; None for a supported SoC.
    """
    unit = compute_unit(soc)
    if unit in SUPPORTED_SOCS:
        return None
    supported = "supported are: %s" % ", ".join(SUPPORTED_SOCS)
    if unit:
        return "SoC '%s' is known, but PyPTO Pro kernels cannot be built for it; %s. Choose one with --config=<soc>." % (soc, supported)
    near = sorted(KNOWN_SOCS, key = lambda known: _distance(soc.lower(), known))[0]
    return "SoC '%s' is unknown; nearest is '%s'; known are: %s; %s. Choose one with --config=<soc>." % (soc, near, ", ".join(KNOWN_SOCS), supported)

def socs_or_default(socs):
    """The SoCs to build for: those given, each once and in their order, else the default of build.sh.

    Args:
      socs: value of `//pypto_rules/settings:soc`, a list of names, may be empty.

    Returns:
      A non-empty list of compute units; fails with `soc_problem`'s text for a name that cannot be built for.
    """
    chosen = []
    for soc in socs or [DEFAULT_SOC]:
        problem = soc_problem(soc)
        if problem:
            fail(problem)
        unit = compute_unit(soc)
        if unit not in chosen:
            chosen.append(unit)
    return chosen

def soc_notes(socs):
    """What to tell of names that are not those of compute units.

    Args:
      socs: names that can be built for.

    Returns:
      list of string: "ascend910b3 is built as ascend910b".
    """
    return ["%s is built as %s" % (soc, compute_unit(soc)) for soc in socs if soc != compute_unit(soc)]
