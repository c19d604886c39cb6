"""A repository of Python packages: wheels that pip downloads by version and hash, one target each."""

load(":host.bzl", "find_pythons")
load(":requirements.bzl", "parse_dependencies", "render_requirements", "select_requirements")

_VERSION_VARIABLE = "PYPTO_PYTHON_VERSION"

# The default interpreter of rules_python 1.4 from the Central Registry.
_DEFAULT_VERSION = "3.11"

_OLDEST = [3, 10]

# PATH of actions under --incompatible_strict_action_env.
_ACTION_PATH = ["/bin", "/usr/bin", "/usr/local/bin"]

_ARCHITECTURES = {"aarch64": "aarch64", "amd64": "x86_64", "arm64": "aarch64", "x86_64": "x86_64"}

# pip does not derive older from newer manylinux tags when they are given by hand.
_MANYLINUX = ["manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014"]

_BUILD_HEADER = """load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_python//python:defs.bzl", "py_library")

package(default_visibility = ["//visibility:public"])
"""

_BUILD_LIBRARY = """
py_library(
    name = "{name}",
    srcs = glob(["lib/{name}/**/*.py"], exclude = ["lib/{name}/**/tests/**"]),
    data = glob(["lib/{name}/**"], exclude = [
        "**/* *",
        "**/*.py",
        "**/*.pyc",
        "**/*.pyi",
        "lib/{name}/**/tests/**",
    ]),
    imports = ["lib/{name}"],
    deps = {deps},
)
"""

_BUILD_HEADERS = """
cc_library(
    name = "{name}",
    hdrs = glob(["lib/{name}/{directory}/**/*.h*"]),
    includes = ["lib/{name}/{directory}"],
)
"""

def _find_python(rctx):
    """Returns the path of a Python that has pip."""
    seen = []
    for path in find_pythons(rctx):
        # -E: PYTHONPATH and PYTHONHOME of the shell stay out; pip itself may be one of the user's own packages.
        probe = rctx.execute([path, "-E", "-m", "pip", "--version"], timeout = 60)
        if probe.return_code == 0:
            return path
        seen.append("%s (%s)" % (path, (probe.stderr.strip().splitlines() or ["no answer"])[-1]))
    fail("""
pypto_rules needs a Python 3 with pip to download Python packages, and found none.
  looked at: %s
  fix: install pip for one of them, e.g. `apt-get install python3-pip` (Debian) or `dnf install python3-pip` (openEuler)
""" % (", ".join(seen) or "no python3 on PATH nor in /usr/bin"))

def _host_version(rctx):
    """Returns the version of the machine's Python as actions find it."""
    for directory in _ACTION_PATH:
        python = rctx.path(directory + "/python3")
        if python.exists:
            # A system upgrade changes the version: fetch again.
            rctx.watch(python.realpath)
            result = rctx.execute([python, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
            if result.return_code == 0:
                return result.stdout.strip()
    fail("""
The machine has no python3 that actions can use: none works in %s.
  fix: install it, e.g. `apt-get install python3` (Debian) or `dnf install python3` (openEuler)
""" % ", ".join(_ACTION_PATH))

def _target_version(rctx):
    """Returns the version of the Python that packages are for."""
    given = rctx.getenv(_VERSION_VARIABLE) or _DEFAULT_VERSION
    version = _host_version(rctx) if given == "host" else given
    parts = version.split(".")
    if len(parts) != 2 or not all([part.isdigit() for part in parts]):
        fail("""
%s is '%s'; it must be the version of the Python that actions use, as in 3.11, or "host" for the machine's
  fix: --repo_env=%s=3.11 on the command line or in .bazelrc
""" % (_VERSION_VARIABLE, given, _VERSION_VARIABLE))
    if [int(part) for part in parts] < _OLDEST:
        fail("""
The Python of actions is %s; pypto_rules needs Python %d.%d or later.
  fix: %s
""" % (
            version,
            _OLDEST[0],
            _OLDEST[1],
            "install a later python3 in /usr/bin, or use Bazel with rules_python's own interpreters" if given == "host" else "--repo_env=%s=3.11" % _VERSION_VARIABLE,
        ))
    return version

def _download(rctx, python, version):
    """Downloads the wheels for the target interpreter into the directory `wheels`."""
    requirements = select_requirements(rctx.read(rctx.attr.requirements), version)
    architecture = _ARCHITECTURES.get(rctx.os.arch)
    if not architecture:
        fail("pypto_rules has no Python packages for the machine '%s'; known: %s" % (rctx.os.arch, ", ".join(sorted(_ARCHITECTURES))))
    rctx.file("requirements.txt", render_requirements(requirements))
    command = [python, "-E", "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    command += ["--implementation=cp", "--python-version=" + version]
    command += ["--abi=" + abi for abi in ["cp" + version.replace(".", ""), "abi3", "none"]]
    command += ["--platform=%s_%s" % (tag, architecture) for tag in _MANYLINUX]
    command += ["--dest=wheels", "--requirement=requirements.txt"]
    rctx.report_progress("downloading %d Python packages" % len(requirements))
    result = rctx.execute(command, timeout = 1200, environment = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"})
    if result.return_code:
        fail("""
The Python packages of @%s could not be downloaded for Python %s on %s.
  command: %s
  pip says: %s
  fix: see that this command works here (network, `pip config list`); for another interpreter set --repo_env=%s=X.Y
""" % (rctx.attr.name.split("~")[-1].split("+")[-1], version, architecture, " ".join([str(word) for word in command]), result.stderr.strip(), _VERSION_VARIABLE))
    rctx.delete("requirements.txt")
    return requirements

def _unpack(rctx, python, name):
    """Unpacks one distribution into lib/<name> and returns the names it depends on."""
    wheels = [w for w in rctx.path("wheels").readdir() if w.basename.split("-")[0].lower().replace(".", "_") == name]
    if len(wheels) != 1:
        fail("expected one wheel of %s, found %s" % (name, [w.basename for w in wheels]))
    result = rctx.execute([python, "-I", "-m", "zipfile", "-e", wheels[0], "lib/" + name])
    if result.return_code:
        fail("cannot unpack %s: %s" % (wheels[0].basename, result.stderr))
    for pattern in rctx.attr.remove.get(name, []):
        directory, _, prefix = pattern.removesuffix("*").rpartition("/")
        for path in rctx.path("lib/%s/%s" % (name, directory)).readdir():
            if path.basename.startswith(prefix):
                rctx.delete(path)
    info = [d for d in rctx.path("lib/" + name).readdir() if d.basename.endswith(".dist-info")][0]

    # RECORD lists what was just removed, and no one reads it here.
    rctx.delete(info.get_child("RECORD"))
    return parse_dependencies(rctx.read(info.get_child("METADATA")))

def _python_packages_impl(rctx):
    python, version = _find_python(rctx), _target_version(rctx)
    names = [r.name for r in _download(rctx, python, version)]
    build = [_BUILD_HEADER]
    for name in names:
        deps = [":" + d for d in sorted(_unpack(rctx, python, name)) if d in names]
        if name in rctx.attr.headers:
            build.append(_BUILD_HEADERS.format(name = name, directory = rctx.attr.headers[name]))
        else:
            build.append(_BUILD_LIBRARY.format(name = name, deps = repr(deps)))
    rctx.delete("wheels")
    rctx.file("BUILD.bazel", "".join(build))

python_packages = repository_rule(
    implementation = _python_packages_impl,
    doc = """Python packages as `py_library` targets, one for each distribution of a locked requirements file.
Those in `headers` hold C++ headers and become `cc_library` targets.

pip downloads the wheels, so that the index and proxies that the machine is set up for are used.
Compiled packages are those for `--repo_env=PYPTO_PYTHON_VERSION` (default 3.11), whatever Python runs pip.""",
    attrs = {
        "headers": attr.string_dict(doc = "distribution → directory of its C++ headers"),
        "remove": attr.string_list_dict(doc = "distribution → files to leave out, each a path with a trailing `*`"),
        "requirements": attr.label(mandatory = True, doc = "locked requirements file"),
    },
)
