"""`op_build_tool`: op_build of a toolkit as one of the tools of a host toolchain."""

load("//pypto_rules/private:socs.bzl", "SUPPORTED_SOCS")

def _directory(ctx):
    """The one directory of the toolkit's libraries."""
    directories = {file.dirname: None for file in ctx.files.lib64}
    if len(directories) != 1:
        fail("%s: lib64 has files of %s. Name those of one directory, in which op_build finds its libraries." %
             (ctx.label, ", ".join(directories) or "no directory"))
    return directories.keys()[0]

def _op_build_tool_impl(ctx):
    app = ctx.attr._app[DefaultInfo]
    launcher = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.expand_template(
        template = ctx.file._launcher,
        output = launcher,
        is_executable = True,
        substitutions = {
            "{app}": app.files_to_run.executable.path,
            "{command}": ctx.attr.command,
            "{lib64}": _directory(ctx),
            "{op_build}": ctx.file.op_build.path,
            "{socs}": ";".join(SUPPORTED_SOCS),
        },
    )
    files = depset([launcher, ctx.file.op_build] + ctx.files.lib64, transitive = [app.files])
    return [DefaultInfo(executable = launcher, files = files, runfiles = ctx.runfiles(transitive_files = files))]

op_build_tool = rule(
    doc = "A tool that an action starts from the execution root: `//toolchains/cann/host/op_build` with a toolkit's program and libraries.",
    implementation = _op_build_tool_impl,
    attrs = {
        "command": attr.string(doc = "What it does.", mandatory = True, values = ["aclnn", "dump", "proto"]),
        "lib64": attr.label_list(doc = "The toolkit's libraries, which op_build is loaded with.", allow_files = True, mandatory = True),
        "op_build": attr.label(doc = "CANN's program.", allow_single_file = True, mandatory = True),
        "_app": attr.label(default = "//toolchains/cann/host/op_build:app"),
        "_launcher": attr.label(allow_single_file = True, default = "//toolchains/cann/host:launcher.sh"),
    },
    executable = True,
)
