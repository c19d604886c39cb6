"""`python_app`: a Python tool of the ruleset as one directory with compiled modules, started by one process.

A `py_binary` starts Python two or three times and compiles every module it imports at each start, since the files of a
build have no `__pycache__`. For actions that run for a tenth of a second that is most of their time (measured: 0.31 s
of CPU for the contract of a small kernel, 0.12 s as an app).
"""

load("@rules_python//python:defs.bzl", "PyInfo")
load(":actions.bzl", "run_tool")
load(":names.bzl", "runfile_path")

_PYTHON = "@bazel_tools//tools/python:toolchain_type"

# Bazel's own default runtime: a shell script that looks python3 up on PATH, after starting it once for its version.
_LOOKED_UP = "py3wrapper.sh"

def _destinations(library, workspace):
    """Pairs of file and its place in the app, and the directories of the app that modules are imported from."""
    roots = ["modules"]
    directories = {}
    for entry in library[PyInfo].imports.to_list():
        roots.append("imports/%d" % len(directories))
        directories[entry + "/"] = roots[-1]
    placed = []
    for file in library[DefaultInfo].default_runfiles.files.to_list():
        path = runfile_path(file, workspace)
        below = [d for d in directories if path.startswith(d)]
        if below:
            placed.append((file, directories[below[0]] + "/" + path.removeprefix(below[0])))
        else:
            placed.append((file, "modules/" + path.partition("/")[2]))
    return placed, roots

def _interpreter(runtime, workspace, bare):
    """The interpreter as the launcher names it, and the files it needs."""
    if runtime.interpreter_path:
        return runtime.interpreter_path, depset()
    if runtime.interpreter.basename == _LOOKED_UP:
        return "python3", depset()
    path = "${RUNFILES_DIR:-$0.runfiles}/" + runfile_path(runtime.interpreter, workspace)
    if bare:
        path = runtime.interpreter.path
    return path, depset([runtime.interpreter], transitive = [runtime.files])

def _python_app_impl(ctx):
    placed, roots = _destinations(ctx.attr.library, ctx.workspace_name)
    app = ctx.actions.declare_directory(ctx.label.name + ".app")
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    args.add_all([app], expand_directories = False)
    args.add(ctx.attr.main)
    args.add_joined(roots, join_with = ":")
    args.add_all(["%s=%s" % (place, file.path) for file, place in placed])
    run_tool(
        ctx.actions,
        mnemonic = "PyptoPackApp",
        progress_message = "Packing tool %{label}",
        tool = ctx.attr._pack[DefaultInfo].files_to_run,
        arguments = [args],
        inputs = [file for file, _ in placed],
        outputs = [app],
    )
    interpreter, files = _interpreter(ctx.toolchains[_PYTHON].py3_runtime, ctx.workspace_name, ctx.attr.bare)
    launcher = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.expand_template(
        template = ctx.file._launcher,
        output = launcher,
        substitutions = {"{interpreter}": interpreter},
        is_executable = True,
    )
    return [DefaultInfo(
        executable = launcher,
        files = depset([launcher, app], transitive = [files] if ctx.attr.bare else []),
        runfiles = ctx.runfiles([launcher, app], transitive_files = files),
    )]

python_app = rule(
    doc = "A Python tool, quick to start: `main` of a module of `library`, with all that the library needs.",
    implementation = _python_app_impl,
    attrs = {
        "bare": attr.bool(doc = "Started from the execution root without runfiles, as C++ toolchains start tools: its files hold all it needs."),
        "library": attr.label(doc = "The modules, a py_library with its deps and data.", mandatory = True, providers = [PyInfo]),
        "main": attr.string(doc = "Module whose `main()` returns the exit code, by its dotted name.", mandatory = True),
        "_launcher": attr.label(allow_single_file = True, default = "//pypto_rules/tools/app:launcher.sh"),
        "_pack": attr.label(cfg = "exec", default = "//pypto_rules/tools/app:pack", executable = True),
    },
    executable = True,
    toolchains = [_PYTHON],
)
