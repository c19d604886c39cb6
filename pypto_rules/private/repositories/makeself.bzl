"""A repository with makeself, the archiver of self-extracting installers."""

load(":host.bzl", "find_pythons")

_DIRECTORY_VARIABLE = "PYPTO_MAKESELF"

_BUILD = """filegroup(
    name = "makeself",
    srcs = [
        "makeself.sh",
        "makeself-header.sh",
    ],
    visibility = ["//visibility:public"],
)
"""

def _first_existing(rctx, paths):
    for path in paths:
        if rctx.path(path).exists:
            return rctx.path(path)
    return None

def _in_root(rctx, root):
    """Returns (script, header) of Debian's package unpacked in a directory, or None."""
    script = _first_existing(rctx, [root + "/usr/bin/makeself"])
    header = _first_existing(rctx, [root + "/usr/share/makeself/makeself-header.sh"])
    return (script, header) if script and header else None

def _given(rctx):
    """Returns what --repo_env=PYPTO_MAKESELF names; bazelw sets it to its private root."""
    root = rctx.getenv(_DIRECTORY_VARIABLE)
    if not root:
        return None
    found = _in_root(rctx, root)
    if not found:
        fail("""
%s is '%s', which holds no usr/bin/makeself with usr/share/makeself/makeself-header.sh
  fix: name a directory with an unpacked makeself package, or leave the variable out
""" % (_DIRECTORY_VARIABLE, root))
    return found

def _on_path(rctx):
    for name in ["makeself", "makeself.sh"]:
        script = rctx.which(name)
        if script:
            script = script.realpath
            header = _first_existing(rctx, [
                str(script.dirname.get_child("makeself-header.sh")),
                "/usr/share/makeself/makeself-header.sh",
                "/usr/lib/makeself/makeself-header.sh",
            ])
            if header:
                return (script, header)
    return None

def _from_archive(rctx):
    """Returns makeself of the Debian archive, or fails with what to install."""
    pythons = find_pythons(rctx)
    reason = "apt-get, dpkg-deb or python3 is missing"
    if pythons and rctx.which("apt-get") and rctx.which("dpkg-deb"):
        rctx.report_progress("downloading makeself from the Debian archive")
        result = rctx.execute([pythons[0], "-EsB", rctx.attr._fetch, "makeself", rctx.path("package")], timeout = 600)
        found = _in_root(rctx, str(rctx.path("package")))
        if result.return_code == 0 and found:
            return found
        reason = result.stderr.strip()
    fail("""
Installers are made with makeself, which was not found on PATH and could not be downloaded.
  reason: %s
  fix: install the package makeself (`apt-get install makeself` on Debian, `dnf install makeself` on openEuler)
""" % reason)

def _makeself_impl(rctx):
    script, header = _given(rctx) or _on_path(rctx) or _from_archive(rctx)
    rctx.file("makeself.sh", rctx.read(script), executable = True)
    rctx.file("makeself-header.sh", rctx.read(header), executable = False)
    rctx.file("BUILD.bazel", _BUILD)
    rctx.delete("package")

makeself_repository = repository_rule(
    implementation = _makeself_impl,
    doc = """makeself under fixed names: `:makeself` is `makeself.sh` and `makeself-header.sh`.

It is the first of: the directory in `--repo_env=PYPTO_MAKESELF`, makeself on PATH, the package of the Debian archive.""",
    attrs = {"_fetch": attr.label(default = Label("//tools/bootstrap:fetch_package.py"))},
)
