"""Puts together what was found: is there a CANN toolkit that kernels can be built with, and if not, why not."""

load(":find.bzl", "VARIABLES", "find_toolkit")
load(":layout.bzl", "examine", "machine")
load(":pypto.bzl", "find_pypto")

# What the tags of MODULE.bazel say, for both repositories.
SETTINGS = {
    "archive": attr.bool(doc = "Whether MODULE.bazel declares an installer to download."),
    "path": attr.string(doc = "Directory of the toolkit; empty: it is looked for."),
    "pypto": attr.string(doc = "Directory with pypto_pro; empty: it is looked for."),
    "pypto_version": attr.string(doc = "The version that pypto_pro must have; empty: any."),
    "version": attr.string(doc = "The version that the toolkit must have; empty: any."),
}

_TWIN = "build for the CPU twin: --@pypto_rules//pypto_rules/settings:kernel_backend=twin"

_NONE = """no CANN toolkit was found, and kernel_backend is 'cann'
  looked at:
{steps}
  fix: install Ascend-cann-toolkit_<version>_linux-{machine}.run and `source <its directory>/set_env.sh`, which sets {variable};
       or declare one in MODULE.bazel with the tag `local` or `toolkit` of the extension `cann`;
       or {twin}"""

_WRONG = """no CANN toolkit where one is said to be: {wrong}
  looked at:
{steps}
  fix: name the directory that holds set_env.sh, or unset the variable (then it is looked for, and without one the CPU twin is used);
       or {twin}"""

_INCOMPLETE = """the CANN toolkit {version} in {root} ({said}) cannot build kernels; what is missing:
{missing}
  fix: install the whole toolkit (Ascend-cann-toolkit_<version>_linux-{machine}.run) with a pypto that goes with it,
       or name another with {variable} or in MODULE.bazel;
       or {twin}"""

def _lines(texts):
    return "\n".join(["    - " + text for text in texts])

def _text(rctx, template, **values):
    return template.format(machine = machine(rctx), twin = _TWIN, variable = VARIABLES[0], **values)

def _result(state, steps, layout = None, pypto = None, problem = ""):
    return struct(state = state, layout = layout, pypto = pypto, steps = steps, problem = problem)

def _judge(rctx, layout, said, steps):
    pypto = find_pypto(rctx, rctx.attr.pypto, layout.root, rctx.attr.pypto_version)
    missing = layout.missing + pypto.missing
    if rctx.attr.version and rctx.attr.version != layout.version:
        missing.append("CANN %s, which MODULE.bazel asks for; this is %s" % (rctx.attr.version, layout.version))
    if not missing:
        return _result("found", steps, layout, pypto)
    problem = _text(rctx, _INCOMPLETE, missing = _lines(missing), root = layout.root, said = said, version = layout.version)
    return _result("broken", steps, layout, pypto, problem)

def detect(rctx):
    """Looks for a toolkit on the machine.

    Args:
      rctx: the context of a repository with the attributes `SETTINGS`.

    Returns:
      struct: `state`, "none", "broken" or "found"; `layout` and `pypto`, as of examine and find_pypto, None where there
      is no toolkit; `steps`, lines on what was looked at; `problem`, a text for the user unless "found".
    """
    place = find_toolkit(rctx, rctx.attr.path)
    if place.layout:
        return _judge(rctx, place.layout, place.said, place.steps)
    if place.wrong:
        problem = _text(rctx, _WRONG, wrong = ", ".join(place.wrong), steps = _lines(place.steps))
        return _result("broken", place.steps, problem = problem)
    return _result("none", place.steps, problem = _text(rctx, _NONE, steps = _lines(place.steps)))

def detect_unpacked(rctx, directory):
    """Looks at a toolkit that was unpacked.

    Args:
      rctx: the context of a repository with the attributes `SETTINGS`.
      directory: string.

    Returns:
      struct as of detect, "broken" or "found".
    """
    return _judge(rctx, examine(rctx, directory), "the installer in MODULE.bazel", [])
