"""What is where in a CANN toolkit. Versions and kinds of installation differ; of each part all known places are tried."""

load(":look.bzl", "first_directory", "is_file", "read")

# Part → its places in a toolkit, `ARCH` being the machine's.
_COMPILERS = [
    "tools/bisheng_compiler",
    "tools/ccec_compiler",
    "compiler/ccec_compiler",
    "ARCH-linux/bisheng_compiler",
    "ARCH-linux/ccec_compiler",
]
_DIRECTORIES = {
    "asc": ["ARCH-linux/asc", "asc", "compiler/asc"],
    "ascendc": ["ARCH-linux/ascendc", "ascendc", "compiler/ascendc"],
    "include": ["include", "ARCH-linux/include"],
    "lib64": ["lib64", "ARCH-linux/lib64"],
    "tikcpp": ["ARCH-linux/tikcpp", "tikcpp", "compiler/tikcpp"],
}
_OP_BUILDS = ["tools/opbuild/op_build", "ARCH-linux/tools/opbuild/op_build"]
_VERSION_HEADERS = ["version/asc_devkit_version.h", "ascendc/asc_devkit_version.h"]
_VERSION_FILES = [
    "ARCH-linux/ascend_toolkit_install.info",
    "ascend_toolkit_install.info",
    "compiler/version.info",
    "version.info",
]

# Directories of Python packages, in a toolkit.
PYTHON_PLACES = ["python/site-packages", "ARCH-linux/python/site-packages"]

# What kernels cannot be built without.
_NEEDED = {"asc": "asc, the headers of Ascend C", "include": "include, the headers of CANN"}

_ARCHES = {"amd64": "x86_64", "arm64": "aarch64"}

def machine(rctx):
    """The machine's architecture as CANN spells it.

    Args:
      rctx: the repository context.

    Returns:
      `x86_64` or `aarch64`.
    """
    return _ARCHES.get(rctx.os.arch, rctx.os.arch)

def on_machine(rctx, places):
    """Places with the machine's architecture in them.

    Args:
      rctx: the repository context.
      places: list of paths with `ARCH`.

    Returns:
      list of paths.
    """
    return [place.replace("ARCH", machine(rctx)) for place in places]

def _missing(what, places):
    return "%s; looked for %s" % (what, ", ".join(places))

def _compiler(rctx, root):
    """Returns (directory with bin/bisheng, what is missing)."""
    places = on_machine(rctx, _COMPILERS)
    for present, absent in [("bisheng", "ld.lld"), ("ld.lld", "bisheng")]:
        for place in places:
            if is_file(rctx, "%s/%s/bin/%s" % (root, place, present)):
                beside = "%s/bin/%s" % (place, absent)
                missing = [] if is_file(rctx, root + "/" + beside) else [_missing("%s, beside %s" % (absent, present), [beside])]
                return place, missing
    looked = [place + "/bin/bisheng" for place in places]
    return None, [_missing("bisheng, the compiler for AI Cores, and its linker ld.lld", looked)]

def _version(rctx, root):
    for place in on_machine(rctx, _VERSION_FILES):
        for line in (read(rctx, root + "/" + place) or "").splitlines():
            name, _, value = line.partition("=")
            if name.strip().lower() == "version" and value.strip():
                return value.strip()
    return "unknown"

def _version_header(rctx, include):
    for place in _VERSION_HEADERS:
        if include and is_file(rctx, include + "/" + place):
            return "include/" + place
    return None

def _op_build(rctx, root):
    for place in on_machine(rctx, _OP_BUILDS):
        if is_file(rctx, root + "/" + place):
            return place
    return None

def examine(rctx, root):
    """Finds the parts of a toolkit.

    Args:
      rctx: the repository context.
      root: string, the toolkit's directory.

    Returns:
      struct: `root`; `is_toolkit`, whether what only CANN has is there; `links`, name in the repository → path in the
      toolkit of each part that is there; `missing`, list of texts; `version`; `version_header`, its path in the
      repository or None.
    """
    compiler, missing = _compiler(rctx, root)
    links = {"bisheng": compiler, "op_build": _op_build(rctx, root)}
    for name, places in _DIRECTORIES.items():
        links[name] = first_directory(rctx, root, on_machine(rctx, places))
        if name in _NEEDED and not links[name]:
            missing.append(_missing(_NEEDED[name], on_machine(rctx, places)))
    return struct(
        root = root,
        is_toolkit = bool(links["bisheng"] or links["asc"]),
        links = {name: place for name, place in links.items() if place},
        missing = missing,
        version = _version(rctx, root),
        version_header = _version_header(rctx, "%s/%s" % (root, links["include"]) if links["include"] else None),
    )
