"""Where pypto_pro is, the front end and code generator, with pypto, which it is installed with; and its version."""

load(":layout.bzl", "PYTHON_PLACES", "on_machine")
load(":look.bzl", "is_directory", "names", "read")
load(":pythons.bzl", "site_packages")

_FIX = "install the pypto that goes with it, or name its directory with `pypto` of the tag in MODULE.bazel"

def _version(rctx, directory):
    """The version of the installed package, else what the module says of itself."""
    for name in names(rctx, directory):
        # Looked at so that another version is seen: it removes this one.
        if name.startswith("pypto-") and name.endswith(".dist-info") and is_directory(rctx, directory + "/" + name):
            return name.removeprefix("pypto-").removesuffix(".dist-info")
    for line in (read(rctx, directory + "/pypto/__init__.py") or "").splitlines():
        if line.startswith("__version__ = "):
            return line.partition("=")[2].strip().strip("\"'")
    return "unknown"

def _places(rctx, given, toolkit):
    """Pairs of who says it and a directory."""
    if given:
        return [("MODULE.bazel", given.rstrip("/") + below) for below in ["", "/site-packages"]]
    found = [("the toolkit's", toolkit + "/" + place) for place in on_machine(rctx, PYTHON_PLACES)] if toolkit else []
    return found + [("python3's", directory) for directory in site_packages(rctx)]

def find_pypto(rctx, given, toolkit, version):
    """Finds pypto_pro.

    Args:
      rctx: the repository context.
      given: directory that MODULE.bazel names, may be empty.
      toolkit: the toolkit's directory, None without one.
      version: the version that MODULE.bazel asks for, may be empty.

    Returns:
      struct: `directory`, of Python packages, None if there is none; `version`; `steps`, lines on each place; `missing`,
      list of texts: what is missing or does not fit.
    """
    steps = []
    for said, directory in _places(rctx, given, toolkit):
        if not is_directory(rctx, directory + "/pypto_pro"):
            steps.append("%s (%s): no pypto_pro" % (directory, said))
            continue
        found = _version(rctx, directory)
        steps.append("%s (%s): pypto_pro %s" % (directory, said, found))
        missing = []
        if not is_directory(rctx, directory + "/pypto"):
            missing.append("pypto, which pypto_pro needs; looked for %s/pypto" % directory)
        if version and version != found:
            missing.append("pypto_pro %s, which MODULE.bazel asks for; %s in %s is %s: %s" % (version, said, directory, found, _FIX))
        return struct(directory = directory, version = found, steps = steps, missing = missing)
    looked = ", ".join([directory for _, directory in _places(rctx, given, toolkit)])
    return struct(
        directory = None,
        version = "unknown",
        steps = steps,
        missing = ["pypto_pro, the front end of kernels; looked in %s: %s" % (looked, _FIX)],
    )
