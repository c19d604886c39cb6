"""What the repository `pypto_cann_toolkit` declares: the toolkit's files, and a toolchain for each SoC."""

load("//toolchains/cann/bisheng:headers.bzl", "cann_headers")
load("//toolchains/cann/bisheng:toolchain.bzl", "bisheng_toolchain")
load(":socs.bzl", "ARCHES", "refusals")
load(":unusable.bzl", "unusable_toolchain")

_PUBLIC = {"visibility": ["//visibility:public"]}
_CHIPS = ["c220", "c310"]
_LATER = """pypto_rules finds CANN {version} in {shown}, and cannot build with it yet
  fix: build for the CPU twin: --@pypto_rules//pypto_rules/settings:kernel_backend=twin"""

def _files(directory, pattern = "**"):
    return native.glob(["%s/%s" % (directory, pattern)], exclude = ["**/__pycache__/**"]) if directory else []

# buildifier: disable=unnamed-macro
def unusable_toolkit_targets(problem):
    """The toolchains of a toolkit that cannot be used.

    Args:
      problem: what is wrong, and the fix.
    """
    native.filegroup(name = "report", srcs = ["toolkit.txt"], **_PUBLIC)
    for name in sorted(ARCHES) + ["host"]:
        unusable_toolchain(name = "cann_" + name, problem = problem, **_PUBLIC)

# buildifier: disable=unnamed-macro
def cann_toolkit_targets(
        version,
        asc,
        include,
        tikcpp,
        ascendc,
        version_header,
        pypto,
        pypto_version,
        accepted_arches,
        probe_error,
        builtin_include_directories,
        op_build,
        lib64,
        shown):
    """The files of a toolkit and its toolchains, `cann_<soc>` and `cann_host`.

    Args:
      version: CANN's.
      asc: directory of Ascend C's headers, in the repository.
      include: directory of CANN's headers.
      tikcpp: directory of Ascend C's older headers, or None.
      ascendc: directory of more of Ascend C's headers, or None.
      version_header: the header that is included before each source, or None.
      pypto: directory that pypto_pro and pypto are imported from.
      pypto_version: their version.
      accepted_arches: names of architectures that pypto_pro accepts.
      probe_error: why nothing can be built, empty otherwise.
      builtin_include_directories: absolute paths that headers may lie in although no target declares them.
      op_build: the generator of the host side, or None.
      lib64: directory of the host side's libraries, or None.
      shown: where the toolkit is, for people.
    """
    cann_headers(
        name = "headers",
        asc = _files(asc),
        ascendc = _files(ascendc),
        include = _files(include),
        pypto = _files(pypto, "pypto_pro/include/**"),
        tikcpp = _files(tikcpp),
        version_header = version_header,
        **_PUBLIC
    )
    for chip in _CHIPS:
        bisheng_toolchain(
            name = "bisheng_" + chip,
            bisheng = "bisheng/bin/bisheng",
            builtin_include_directories = builtin_include_directories,
            chip = chip,
            compiler_files = _files("bisheng"),
            headers = ":headers",
        )
    native.filegroup(name = "pypto", srcs = _files(pypto), **_PUBLIC)
    native.filegroup(name = "host_libraries", srcs = _files(lib64), **_PUBLIC)
    native.filegroup(name = "host_generator", srcs = [op_build] if op_build else [], **_PUBLIC)
    native.filegroup(name = "report", srcs = ["toolkit.txt"], **_PUBLIC)
    refused = refusals(version, pypto_version, accepted_arches, probe_error)
    for name in sorted(ARCHES) + ["host"]:
        unusable_toolchain(
            name = "cann_" + name,
            problem = refused.get(name, _LATER.format(shown = shown, version = version)),
            **_PUBLIC
        )
