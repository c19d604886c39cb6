"""Where a CANN toolkit may be: what the workspace says, else what the shell says, else where installers put it."""

load(":layout.bzl", "examine")
load(":look.bzl", "is_directory", "names")
load(":pythons.bzl", "site_packages")

VARIABLES = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"]

def _place(said, directories, named):
    return struct(said = said, directories = directories, named = named)

def _around(path):
    """A directory that someone named, and those that may be meant: the toolkit around its `<arch>-linux`, or in it."""
    path = path.rstrip("/")
    if path.endswith("-linux"):
        path = path.rpartition("/")[0]
    return [path, path + "/latest", path + "/cann", path + "/ascend-toolkit/latest"]

def _installed_in(rctx, ascend):
    """The toolkits in a directory `Ascend` of an installer: the one in use, then by their versions."""
    fixed = [ascend + "/" + name for name in ["ascend-toolkit/latest", "cann/latest", "cann", "latest"]]
    versions = [ascend + "/" + name for name in names(rctx, ascend) if name.startswith("cann-")]
    return fixed + reversed(versions)

def _named_places(rctx, path):
    if path:
        return [_place("MODULE.bazel", _around(path), True)]
    given = [(variable, rctx.getenv(variable)) for variable in VARIABLES]
    return [_place(variable, _around(value), True) for variable, value in given if value]

def _usual_places(rctx):
    home, conda = rctx.getenv("HOME"), rctx.getenv("CONDA_PREFIX")
    directories = ["/usr/local/Ascend"]
    directories += [home + "/Ascend"] if home else []
    directories += [conda + "/Ascend"] if conda else []
    directories += [packages + "/ascend" for packages in site_packages(rctx)]
    return [_place("installed in " + ascend, _installed_in(rctx, ascend), False) for ascend in directories]

def find_toolkit(rctx, path):
    """Finds the toolkit.

    Who names a place means it: if there is no toolkit, no other is taken.

    Args:
      rctx: the repository context.
      path: directory that MODULE.bazel names, may be empty.

    Returns:
      struct: `layout`, as of examine, or None; `said`, who named it; `steps`, lines on each place; `wrong`, the named
      places without a toolkit if there are named ones and none has one, as texts.
    """
    steps = [] if path else ["%s: %s" % (name, rctx.getenv(name) or "not set") for name in VARIABLES]
    named = _named_places(rctx, path)
    for place in named or _usual_places(rctx):
        for directory in place.directories:
            if not is_directory(rctx, directory):
                steps.append("%s (%s): no such directory" % (directory, place.said))
                continue
            layout = examine(rctx, directory)
            if layout.is_toolkit:
                steps.append("%s (%s): a CANN toolkit" % (directory, place.said))
                return struct(layout = layout, said = place.said, steps = steps, wrong = [])
            steps.append("%s (%s): no CANN toolkit, neither bisheng nor asc in it" % (directory, place.said))
    wrong = ["%s names %s" % (place.said, place.directories[0]) for place in named]
    return struct(layout = None, said = None, steps = steps, wrong = wrong)
