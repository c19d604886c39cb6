"""A toolkit that MODULE.bazel declares: its installer is downloaded and unpacked, never run."""

load("//pypto_rules/private/repositories:host.bzl", "find_pythons")

UNPACKED = "unpacked"

def download_toolkit(rctx):
    """Puts the files of the declared toolkit into the directory `UNPACKED`.

    Args:
      rctx: the context of a repository with the attributes `integrity`, `urls` and `_unpack`.
    """
    pythons = find_pythons(rctx)
    if not pythons:
        fail("\nCANN's installer is unpacked with Python 3, and there is no python3 on PATH nor in /usr/bin\n  fix: install python3")
    rctx.report_progress("downloading CANN's installer")
    rctx.download(rctx.attr.urls, "toolkit.run", integrity = rctx.attr.integrity)
    rctx.report_progress("unpacking CANN's installer")
    result = rctx.execute([pythons[0], "-I", "-B", rctx.attr._unpack, "toolkit.run", UNPACKED], timeout = 3600)
    if result.return_code:
        fail("\nthe installer of CANN from %s cannot be unpacked: %s\n  fix: `urls` and `integrity` of the tag `toolkit` in MODULE.bazel must be those of an Ascend-cann-toolkit_<version>_linux-<cpu>.run" % (
            ", ".join(rctx.attr.urls),
            result.stderr.strip(),
        ))
    rctx.delete("toolkit.run")
