"""A repository with rules_pkg's toolchain around the machine's rpmbuild."""

_VARIABLE = "PYPTO_RPMBUILD"

_BUILD = """load("@rules_pkg//toolchains/rpm:rpmbuild.bzl", "rpmbuild_toolchain")

rpmbuild_toolchain(
    name = "rpmbuild",
    path = "{path}",
)

toolchain(
    name = "toolchain",
    toolchain = ":rpmbuild",
    toolchain_type = "@rules_pkg//toolchains/rpm:rpmbuild_toolchain_type",
)
"""

def _rpmbuild_impl(rctx):
    given = rctx.getenv(_VARIABLE)
    if given and not (given.startswith("/") and rctx.path(given).exists):
        fail("""
%s is '%s', which is not the absolute path of an rpmbuild
  fix: name one, or leave the variable out
""" % (_VARIABLE, given))

    # Found again once it is installed.
    rctx.watch("/usr/bin/rpmbuild")
    rctx.file("BUILD.bazel", _BUILD.format(path = given or rctx.which("rpmbuild") or ""))

rpmbuild_repository = repository_rule(
    implementation = _rpmbuild_impl,
    doc = """rpmbuild as a toolchain: `--repo_env=PYPTO_RPMBUILD`, else rpmbuild on PATH.

Without one the toolchain says so, as rules_pkg has it; only a build of an `.rpm` fails.""",
)
