"""The heavy repository: the toolkit's parts under fixed names, and what its compiler and its pypto_pro say of themselves."""

load("//pypto_rules/private/repositories:host.bzl", "find_pythons")
load("//toolchains/cann:socs.bzl", "ARCHES", "refusals")
load(":archive.bzl", "UNPACKED", "download_toolkit")
load(":detect.bzl", "SETTINGS", "detect", "detect_unpacked")
load(":report.bzl", "layout_report")

_MACRO = Label("//toolchains/cann:toolkit_targets.bzl")

_EMPTY = """filegroup(
    name = "report",
    visibility = ["//visibility:public"],
)
"""

_UNUSABLE = """load("{macro}", "unusable_toolkit_targets")

unusable_toolkit_targets({problem})
"""

_TARGETS = """load("{macro}", "cann_toolkit_targets")

cann_toolkit_targets(
    accepted_arches = {accepted_arches},
    asc = {asc},
    ascendc = {ascendc},
    builtin_include_directories = {builtin_include_directories},
    include = {include},
    lib64 = {lib64},
    op_build = {op_build},
    probe_error = {probe_error},
    pypto = {pypto},
    pypto_version = {pypto_version},
    shown = {shown},
    tikcpp = {tikcpp},
    version = {version},
    version_header = {version_header},
)
"""

def _link(rctx, found):
    """Links the parts; through the paths as they were found, so that Bazel sees when one leads elsewhere."""
    for name, place in found.layout.links.items():
        rctx.symlink("%s/%s" % (found.layout.root, place), name)
    for name in ["pypto", "pypto_pro"]:
        rctx.symlink("%s/%s" % (found.pypto.directory, name), "python/" + name)

def _header_directories(rctx, found):
    """Returns (where the compiler finds headers of its own and where links of the repository lead, why it says nothing)."""
    bisheng = str(rctx.path("bisheng/bin/bisheng"))
    result = rctx.execute([bisheng, "-E", "-xc++", "-v", "/dev/null"], environment = {"LC_ALL": "C"}, timeout = 60)
    if result.return_code:
        said = (result.stderr.strip().splitlines() or ["no message"])[-1]
        return [], "%s/%s/bin/bisheng does not run on this machine: %s" % (found.layout.root, found.layout.links["bisheng"], said)
    listed = result.stderr.partition("#include <...> search starts here:")[2].partition("End of search list.")[0]
    listed = [rctx.path(line.strip()) for line in listed.splitlines() if line.strip()]
    linked = [rctx.path(name) for name in ["asc", "ascendc", "bisheng", "include", "python/pypto_pro", "tikcpp"]]
    directories = [str(path) for path in listed] + [str(path.realpath) for path in listed + linked if path.exists]
    return sorted({path: None for path in directories}), ""

def _accepted(rctx):
    """Returns (the names of architectures that pypto_pro accepts, why it could not be asked)."""
    pythons = find_pythons(rctx)
    if not pythons:
        return [], "there is no python3 on PATH nor in /usr/bin"
    arches = {arch: None for names in ARCHES.values() for arch in names}.keys()
    result = rctx.execute([pythons[0], "-I", "-B", rctx.attr._probe, rctx.path("python")] + arches, timeout = 120)
    if result.return_code:
        said = (result.stderr.strip().splitlines() or ["it ended with status %d" % result.return_code])[-1]
        return [], "pypto_pro cannot be imported by %s: %s" % (pythons[0], said)
    answer = json.decode(result.stdout)
    if answer["error"]:
        return [], "pypto_pro cannot be imported by %s: %s" % (pythons[0], answer["error"])
    return answer["accepted"], ""

def _report(found, accepted, problem, new):
    """The SoCs, each with why it cannot be built for; of a toolkit that is `new`, also what is in it."""
    refused = refusals(found.layout.version, found.pypto.version, accepted, problem)
    said = {soc: "refused, " + refused[soc].split("\n")[0] if soc in refused else "can be built for" for soc in sorted(ARCHES)}
    pypto = "pypto_pro %s from %s\n" % (found.pypto.version, found.pypto.directory)
    return (layout_report(found.layout) if new else "") + pypto + "".join(["  %s: %s\n" % item for item in said.items()])

def _write(rctx, found):
    _link(rctx, found)
    accepted, unasked = _accepted(rctx)
    directories, silent = _header_directories(rctx, found)
    problem = "; ".join([text for text in [silent, unasked] if text])
    parts = {name: repr(name) if name in found.layout.links else None for name in ["asc", "ascendc", "include", "lib64", "op_build", "tikcpp"]}
    rctx.file("BUILD.bazel", _TARGETS.format(
        macro = _MACRO,
        accepted_arches = repr(accepted),
        builtin_include_directories = repr(directories),
        probe_error = repr(problem),
        pypto = repr("python"),
        pypto_version = repr(found.pypto.version),
        shown = repr(found.layout.root),
        version = repr(found.layout.version),
        version_header = repr(found.layout.version_header),
        **parts
    ), executable = False)
    rctx.file("toolkit.txt", _report(found, accepted, problem, rctx.attr.archive), executable = False)

def _toolkit_impl(rctx):
    if rctx.attr.archive:
        download_toolkit(rctx)
        found = detect_unpacked(rctx, str(rctx.path(UNPACKED)))
    else:
        found = detect(rctx)
    if found.state == "found":
        _write(rctx, found)
    elif rctx.attr.archive:
        rctx.file("toolkit.txt", found.problem + "\n", executable = False)
        rctx.file("BUILD.bazel", _UNUSABLE.format(macro = _MACRO, problem = repr(found.problem)), executable = False)
    else:
        rctx.file("BUILD.bazel", _EMPTY, executable = False)

toolkit_repository = repository_rule(
    implementation = _toolkit_impl,
    doc = "The CANN toolkit under fixed names, with its toolchains; fetched when a kernel is built with CANN.",
    attrs = SETTINGS | {
        "integrity": attr.string(doc = "Digest of the installer."),
        "urls": attr.string_list(doc = "Where the installer is downloaded."),
        "_probe": attr.label(default = Label(":probe_arches.py")),
        "_unpack": attr.label(default = Label(":unpack.py")),
    },
)
