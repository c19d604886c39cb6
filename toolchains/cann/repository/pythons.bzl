"""Where the machine's Python keeps packages; found without starting it."""

load(":look.bzl", "is_directory")

def _version(rctx, python):
    """`python3.11` that python3 is a link to, None where the name does not say it."""
    name = rctx.path(python).realpath.basename
    return name if name.startswith("python3.") else None

def _below(prefix, version):
    return [
        "%s/lib/%s/site-packages" % (prefix, version),
        "%s/lib64/%s/site-packages" % (prefix, version),
        "%s/local/lib/%s/dist-packages" % (prefix, version),
        "%s/lib/python3/dist-packages" % prefix,
    ]

def site_packages(rctx):
    """The directories of packages of conda's Python, of python3 on PATH, and of the user.

    Args:
      rctx: the repository context.

    Returns:
      list of directories that are there.
    """

    # Another environment is active when PATH is another.
    rctx.getenv("PATH")
    conda = rctx.getenv("CONDA_PREFIX")
    pythons = [conda + "/bin/python3"] if conda else []
    on_path = rctx.which("python3")
    if on_path:
        pythons.append(str(on_path))
    found = []
    for python in pythons:
        version = _version(rctx, python) if rctx.path(python).exists else None
        if version:
            found += _below(str(rctx.path(python).dirname.dirname), version)
            found.append("%s/.local/lib/%s/site-packages" % (rctx.getenv("HOME") or "", version))
    return [path for path in {path: None for path in found} if is_directory(rctx, path)]
