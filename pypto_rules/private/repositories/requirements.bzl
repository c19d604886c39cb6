"""Reads locked requirements files (`name==version ; marker \\` and `--hash=` lines)."""

def parse_requirements(text):
    """Splits a locked requirements file into its requirements.

    Args:
      text: content of the file.

    Returns:
      list of structs (name, version, marker, hashes), in the order of the file. `marker` is "" where
      the requirement always holds; `hashes` are "sha256:..." strings.
    """
    requirements = []
    for line in text.replace("\\\n", " ").split("\n"):
        line = line.split(" #")[0].strip()
        if not line or line.startswith("#"):
            continue
        words = line.split(" --hash=")
        spec, _, marker = words[0].partition(";")
        name, equal, version = spec.strip().partition("==")
        if not equal or len(words) < 2:
            fail("requirements: '%s' needs one version (name==version) and at least one --hash" % spec.strip())
        requirements.append(struct(
            name = name.strip().lower().replace("-", "_").replace(".", "_"),
            version = version.strip(),
            marker = marker.strip(),
            hashes = [word.strip() for word in words[1:]],
        ))
    return requirements

def marker_holds(marker, python_version):
    """Tells whether a requirement with this marker is for a Python version on Linux.

    Args:
      marker: clauses of the form `python_full_version OP 'X.Y'` (or `'X.Y.*'`), `python_version OP
        'X.Y'` and `sys_platform OP 'name'`, joined by "and"; "" always holds.
      python_version: "X.Y".

    Returns:
      bool.
    """
    return all([_clause_holds(clause.strip(), python_version) for clause in marker.split(" and ")]) if marker else True

def _clause_holds(clause, python_version):
    words = clause.replace("\"", "'").split(" ")
    if len(words) != 3 or words[0] not in ["python_full_version", "python_version", "sys_platform"]:
        fail("requirements: cannot read the marker '%s'; see marker_holds for what is allowed" % clause)
    value = words[2].strip("'")
    if words[0] == "sys_platform":
        return _compare("linux" == value, None, words[1], clause)
    mine, theirs = _version(python_version), _version(value.removesuffix(".*"))
    return _compare(mine == theirs, mine < theirs, words[1], clause)

def _version(text):
    return [int(part) for part in text.split(".")[:2]]

def _compare(equal, less, operator, clause):
    if operator == "==":
        return equal
    if operator == "!=":
        return not equal
    if less != None and operator in ["<", "<=", ">", ">="]:
        return {"<": less, "<=": less or equal, ">": not less and not equal, ">=": not less}[operator]
    fail("requirements: cannot read the operator of the marker '%s'" % clause)

def select_requirements(text, python_version):
    """Returns the requirements of a locked file that hold for one Python version on Linux.

    Args:
      text: content of the file.
      python_version: "X.Y".

    Returns:
      list of structs as parse_requirements gives.
    """
    return [r for r in parse_requirements(text) if marker_holds(r.marker, python_version)]

def render_requirements(requirements):
    """Writes requirements for pip, without markers: pip would test them on the wrong interpreter.

    Args:
      requirements: list of structs as parse_requirements gives.

    Returns:
      str.
    """
    return "".join(["%s==%s %s\n" % (r.name, r.version, " ".join(["--hash=" + h for h in r.hashes])) for r in requirements])

def parse_dependencies(metadata):
    """Returns the distributions that a wheel's METADATA asks for, extras left out.

    Args:
      metadata: content of the METADATA file.

    Returns:
      list of normalized names.
    """
    names = []
    for line in metadata.split("\n\n")[0].split("\n"):
        if not line.startswith("Requires-Dist:") or "extra ==" in line:
            continue
        name = line.removeprefix("Requires-Dist:").strip()
        for mark in [" ", ";", "(", "[", "<", ">", "=", "!", "~"]:
            name = name.split(mark)[0]
        name = name.lower().replace("-", "_").replace(".", "_")
        if name not in names:
            names.append(name)
    return names
