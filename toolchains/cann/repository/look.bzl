"""Looking at files of the machine so that Bazel looks again when they change: come, go, or have another content.

Nothing is followed through links: a path is kept as it was found, so that `latest` may point elsewhere tomorrow.
"""

def _watch(rctx, path):
    # Of its own directory a repository knows what changes.
    if not str(path).startswith(str(rctx.path(".")) + "/"):
        rctx.watch(path)

def is_directory(rctx, path):
    """Whether there is a directory.

    Args:
      rctx: the repository context.
      path: string.

    Returns:
      bool.
    """
    path = rctx.path(path)
    _watch(rctx, path)
    return path.exists and path.is_dir

def is_file(rctx, path):
    """Whether there is a file.

    Args:
      rctx: the repository context.
      path: string.

    Returns:
      bool.
    """
    path = rctx.path(path)
    _watch(rctx, path)
    return path.exists and not path.is_dir

def names(rctx, path):
    """What is in a directory now. That it gets other entries is not seen: whoever takes one looks at that one, too.

    Bazel (seen with 7.7.1) can watch for it, but then ends every build with "Inconsistent filesystem operations" once the
    directory itself is gone, until `bazel clean --expunge`.

    Args:
      rctx: the repository context.
      path: string.

    Returns:
      sorted list of names; none if there is no directory.
    """
    if not is_directory(rctx, path):
        return []
    return sorted([child.basename for child in rctx.path(path).readdir(watch = "no")])

def read(rctx, path):
    """The text of a small file.

    Args:
      rctx: the repository context.
      path: string.

    Returns:
      string, None if there is no file.
    """
    return rctx.read(path) if is_file(rctx, path) else None

def first_directory(rctx, root, places):
    """The first of some places that is a directory.

    Args:
      rctx: the repository context.
      root: string, the directory that the places are in.
      places: list of relative paths.

    Returns:
      relative path, None if none is.
    """
    for place in places:
        if is_directory(rctx, root + "/" + place):
            return place
    return None
