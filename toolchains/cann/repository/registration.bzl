"""The cheap repository: says whether there is a CANN toolkit, and registers its toolchains; loads nothing of it."""

load(":detect.bzl", "SETTINGS", "detect")
load(":report.bzl", "detection_report")

_MACRO = Label("//toolchains/cann:registration.bzl")

_BUILD = """load("{macro}", "cann_registration")

exports_files(["report.txt"])

cann_registration(
    problem = {problem},
    state = "{state}",
    toolkit = "@pypto_cann_toolkit//",
)
"""

_STATE = """\"\"\"Whether there is a CANN toolkit: `STATE` is "none", "broken" or "found".\"\"\"

FOUND = {found}
STATE = "{state}"
"""

_DECLARED = """MODULE.bazel declares the installer of CANN {version}; it is downloaded and unpacked when a kernel is built
result: CANN is used
"""

def _declared(rctx):
    """Returns (state, problem, report) of an installer that is not there yet."""
    notes = "".join(["note: %s\n" % note for note in rctx.attr.notes])
    return "found", "", notes + _DECLARED.format(version = rctx.attr.version)

def _detected(rctx):
    found = detect(rctx)
    return found.state, found.problem, detection_report(found, rctx.attr.notes)

def _registration_impl(rctx):
    state, problem, report = _declared(rctx) if rctx.attr.archive else _detected(rctx)
    rctx.file("BUILD.bazel", _BUILD.format(macro = _MACRO, problem = repr(problem), state = state), executable = False)
    rctx.file("report.txt", report, executable = False)
    rctx.file("state.bzl", _STATE.format(found = state == "found", state = state), executable = False)

registration_repository = repository_rule(
    implementation = _registration_impl,
    doc = "Toolchains of CANN if there is one; `report.txt`, what was looked at; `state.bzl`, whether there is one.",
    attrs = SETTINGS | {"notes": attr.string_list(doc = "What to say of MODULE.bazel.")},
)
