"""What the repository `pypto_cann_toolkit` declares: the toolkit's files, and a toolchain for each SoC."""

load("@rules_python//python:defs.bzl", "py_library")
load("//pypto_rules:toolchains.bzl", "pypto_toolchain")
load("//pypto_rules/private:python_app.bzl", "python_app")
load("//toolchains/cann/bisheng:headers.bzl", "cann_headers")
load("//toolchains/cann/bisheng:toolchain.bzl", "bisheng_toolchain")
load("//toolchains/cann/host:targets.bzl", "cann_host_targets")
load(":socs.bzl", "ARCHES", "CHIPS", "refusals")
load(":unusable.bzl", "unusable_toolchain")

_PUBLIC = {"visibility": ["//visibility:public"]}

# The cores of a chip that have an instruction set of their own (cann-flow, section 4.8), and bisheng's features for them.
_CORES = {"cube": "aicore_cube", "vec": "aicore_vec"}

def _files(directory, pattern = "**"):
    return native.glob(["%s/%s" % (directory, pattern)], exclude = ["**/__pycache__/**"]) if directory else []

def _codegen(pypto):
    """`codegen`: the code generator with the toolkit's pypto_pro."""
    modules = _files(pypto)
    sources = [file for file in modules if file.endswith(".py")]
    py_library(
        name = "pypto",
        srcs = sources,
        data = [file for file in modules if file not in sources],
        imports = [pypto],
    )
    py_library(
        name = "codegen_lib",
        deps = [":pypto", Label("//toolchains/cann/codegen:lib")],
    )
    python_app(
        name = "codegen",
        library = ":codegen_lib",
        main = "toolchains.cann.codegen.cli",
    )

def _kernel_toolchain(soc, version, pypto_version):
    pypto_toolchain(
        name = "cann_" + soc,
        backend = "cann",
        cc_toolchain = ":bisheng_" + CHIPS[soc],
        codegen = ":codegen",
        contract = Label("//toolchains/twin/frontend:contract"),
        core_features = _CORES,
        executes_kernel = True,
        link = Label("//toolchains/cann/link"),
        mode_features = ["debug", "oom"],
        runtime = ":headers",
        soc = soc,
        toolkit = {"cann": version, "pypto_pro": pypto_version},
        **_PUBLIC
    )

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
    native.filegroup(name = "report", srcs = ["toolkit.txt"], **_PUBLIC)
    refused = refusals(version, pypto_version, accepted_arches, probe_error)
    cann_headers(
        name = "headers",
        asc = _files(asc),
        ascendc = _files(ascendc),
        include = _files(include),
        pypto = _files(pypto, "pypto_pro/include/**"),
        tikcpp = _files(tikcpp),
        version_header = version_header,
    )
    for chip in {chip: None for chip in CHIPS.values()}:
        bisheng_toolchain(
            name = "bisheng_" + chip,
            bisheng = "bisheng/bin/bisheng",
            builtin_include_directories = builtin_include_directories,
            chip = chip,
            compiler_files = _files("bisheng"),
            headers = ":headers",
        )
    _codegen(pypto)
    for soc in sorted(ARCHES):
        if soc in refused:
            unusable_toolchain(name = "cann_" + soc, problem = refused[soc], **_PUBLIC)
        else:
            _kernel_toolchain(soc, version, pypto_version)
    cann_host_targets(
        name = "cann_host",
        include = _files(include),
        lib64 = native.glob([lib64 + "/*.so*", lib64 + "/*.a"], allow_empty = True) if lib64 else [],
        op_build = op_build,
        shown = shown,
    )
