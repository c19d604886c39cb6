"""Programs of the machine, for repository rules."""

_PYTHONS = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"]

def find_pythons(rctx):
    """Returns the Pythons of the machine: those on PATH first, then those in /usr/bin.

    Args:
      rctx: the repository context.

    Returns:
      list of paths.
    """
    found = []
    for name in _PYTHONS:
        for path in [rctx.which(name), rctx.path("/usr/bin/" + name)]:
            if path and path.exists and path not in found:
                found.append(path)
    return found
