"""`distribution`: the files of a package and of the packages below it, as another workspace needs them."""

def distribution(name = "distribution", srcs = None):
    """Collects all files of this package and of the packages below it; each of those calls this macro, too.

    `//:distribution` is the ruleset as tests copy it to use it from a workspace of their own.

    Args:
      name: name of the filegroup.
      srcs: files of this package, all by default.
    """
    if srcs == None:
        srcs = native.glob(["**"], exclude = ["**/__pycache__/**"])
    below = native.subpackages(include = ["**"], allow_empty = True)
    here = native.package_name()
    native.filegroup(
        name = name,
        srcs = srcs + ["//%s/%s:%s" % (here, package, name) for package in below],
        visibility = ["//visibility:public"],
    )
