"""A repository with the C++ toolchains of the machine's cross compilers: for Linux on the other CPU."""

_CONFIG = Label("//pypto_rules/private:cross_toolchain.bzl")

# CPU → Debian's package with the compiler. Its programs begin with `<CPU>-linux-gnu-`.
_PACKAGES = {
    "aarch64": "g++-aarch64-linux-gnu",
    "x86_64": "g++-x86-64-linux-gnu",
}

_HEAD = """load("{config}", "cross_cc_toolchain", "missing_cross_compiler")

package(default_visibility = ["//visibility:public"])
"""

_FOUND = """
cross_cc_toolchain(
    name = "{cpu}_compiler",
    cpu = "{cpu}",
    include_directories = {include_directories},
    prefix = "{prefix}",
)
"""

_MISSING = """
missing_cross_compiler(
    name = "{cpu}_compiler",
    message = {message},
)
"""

_TOOLCHAIN = """
toolchain(
    name = "{cpu}",
    exec_compatible_with = [
        "@platforms//cpu:{host}",
        "@platforms//os:linux",
    ],
    target_compatible_with = [
        "@platforms//cpu:{cpu}",
        "@platforms//os:linux",
    ],
    toolchain = ":{cpu}_compiler",
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
)
"""

def _host_cpu(rctx):
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(rctx.os.arch, rctx.os.arch)

def _include_directories(rctx, gxx):
    """Where the compiler finds its own headers, as it prints them and as they really lie; None if it does not run."""
    result = rctx.execute([gxx, "-E", "-xc++", "-v", "/dev/null"], environment = {"LC_ALL": "C"})
    if result.return_code != 0:
        return None
    listed = result.stderr.partition("#include <...> search starts here:")[2].partition("End of search list.")[0]
    found = {}
    for line in listed.splitlines():
        if line.strip():
            found[line.strip()] = None
            found[str(rctx.path(line.strip()).realpath)] = None
    return found.keys()

def _compiler(rctx, cpu):
    """Returns (path of g++, problem); one of them is None."""
    variable = "PYPTO_%s_GXX" % cpu.upper()
    name = cpu + "-linux-gnu-g++"
    fix = "install the package %s (`apt-get install %s` on Debian), or name the compiler with --repo_env=%s=/path/to/%s" % (
        _PACKAGES[cpu],
        _PACKAGES[cpu],
        variable,
        name,
    )
    given = rctx.getenv(variable)
    if given:
        if given.startswith("/") and given.endswith("g++") and rctx.path(given).exists:
            return given, None
        return None, "%s is '%s', which is not the absolute path of a g++\n  fix: %s" % (variable, given, fix)

    # Found again once it is installed.
    rctx.watch("/usr/bin/" + name)
    found = rctx.which(name)
    if found:
        return str(found), None
    return None, "host libraries for %s need %s, which is not on PATH\n  fix: %s" % (cpu, name, fix)

def _cross_compilers_impl(rctx):
    host = _host_cpu(rctx)
    build = _HEAD.format(config = str(_CONFIG))
    for cpu in sorted(_PACKAGES):
        if cpu == host:
            continue
        gxx, problem = _compiler(rctx, cpu)
        directories = _include_directories(rctx, gxx) if gxx else None
        if gxx and directories == None:
            problem = "%s does not run: `%s -E -xc++ -v /dev/null` fails\n  fix: reinstall the package %s" % (gxx, gxx, _PACKAGES[cpu])
        if problem:
            build += _MISSING.format(cpu = cpu, message = repr(problem))
        else:
            build += _FOUND.format(cpu = cpu, include_directories = repr(directories), prefix = gxx.removesuffix("g++"))
        build += _TOOLCHAIN.format(cpu = cpu, host = host)
    rctx.file("BUILD.bazel", build)

cross_compilers_repository = repository_rule(
    implementation = _cross_compilers_impl,
    doc = """A C++ toolchain for Linux on each CPU that is not the machine's.

Its compiler is `--repo_env=PYPTO_<CPU>_GXX`, else `<cpu>-linux-gnu-g++` on PATH. Without one the toolchain is there and fails
with what to install, but only in builds that need it. A toolchain that the user's module registers comes first.""",
)
