"""Where the machine's Python keeps packages."""

load(":look.bzl", "is_directory")

_ASKED = "import sys; print('python%d.%d' % sys.version_info[:2], sys.prefix)"

def _name_and_prefix(rctx, python):
    """Returns (`python3.11`, the directory that it is installed in); (None, None) if it does not run."""
    name = python.realpath.basename
    if name.startswith("python3."):
        return name, str(python.dirname.dirname)

    # No link to a Python but a script that chooses one, as of pyenv: it knows which.
    result = rctx.execute([python, "-I", "-c", _ASKED], timeout = 60)
    name, _, prefix = result.stdout.strip().partition(" ")
    return (name, prefix) if result.return_code == 0 and prefix else (None, None)

def _below(prefix, name):
    return [
        "%s/lib/%s/site-packages" % (prefix, name),
        "%s/lib64/%s/site-packages" % (prefix, name),
        "%s/local/lib/%s/dist-packages" % (prefix, name),
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
    found = []
    for python in [rctx.path(conda + "/bin/python3") if conda else None, rctx.which("python3")]:
        name, prefix = _name_and_prefix(rctx, python) if python and python.exists else (None, None)
        if name:
            found += _below(prefix, name) + ["%s/.local/lib/%s/site-packages" % (rctx.getenv("HOME") or "", name)]
    return [path for path in {path: None for path in found} if is_directory(rctx, path)]
