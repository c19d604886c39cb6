"""`pypto_op_def`: an operator's `_def.cpp` → `op.json`.

```starlark
pypto_op_def(
    name = "add_example_op_def",
    src = "op_host/add_example_def.cpp",
)
```
"""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load(":actions.bzl", "run_tool")
load(":host_toolchain.bzl", "HOST_TOOLCHAIN_TYPE")
load(":names.bzl", "COMMON_ATTRS")
load(":providers.bzl", "PyptoOpDefInfo")

def _op_def_impl(ctx):
    toolchain = ctx.toolchains[HOST_TOOLCHAIN_TYPE].pypto_host
    library_files = depset([ctx.executable.library], transitive = [ctx.attr.library[DefaultInfo].default_runfiles.files])
    op_json = ctx.actions.declare_file((ctx.attr.output_name or ctx.label.name) + ".op.json")
    args = ctx.actions.args()
    args.add("--dump", toolchain.op_def_dump.executable)
    args.add("--library", ctx.executable.library)
    args.add("--shown", ctx.file.src)
    args.add("--op-type", ctx.attr.op_type)
    args.add("--out", op_json)
    run_tool(
        ctx.actions,
        mnemonic = "PyptoOpDef",
        progress_message = "Reading OpDef %{label}",
        tool = ctx.attr._op_def_tool[DefaultInfo].files_to_run,
        arguments = [args],
        inputs = library_files,
        tools = [toolchain.op_def_dump],
        outputs = [op_json],
    )
    return [DefaultInfo(files = depset([op_json])), PyptoOpDefInfo(
        library = ctx.executable.library,
        library_files = library_files,
        op_json = op_json,
    )]

_op_def = rule(
    doc = "Loads the library of a `_def.cpp` and writes what its OpDef says.",
    implementation = _op_def_impl,
    attrs = {
        "library": attr.label(
            doc = "The `_def.cpp` as a shared library, which the action loads.",
            cfg = "exec",
            executable = True,
            mandatory = True,
        ),
        "op_type": attr.string(doc = "The operator type, when the file registers several. Default: the only one."),
        "output_name": attr.string(doc = "Beginning of the output's name. Default: the target's name."),
        "src": attr.label(doc = "The file, for messages.", allow_single_file = True, mandatory = True),
        "_op_def_tool": attr.label(cfg = "exec", default = "//pypto_rules/tools/opdef", executable = True),
    },
    provides = [PyptoOpDefInfo],
    toolchains = [HOST_TOOLCHAIN_TYPE],
)

def pypto_op_def(name, src, op_type = "", output_name = "", deps = [], copts = [], **kwargs):
    """Compiles `_def.cpp` for the machine that builds, runs it and writes `op.json`.

    Args:
      name: name of the target; its default output is `<output_name>.op.json`.
      src: the file with `OP_ADD`, unchanged from an operator project.
      op_type: the operator type, when the file registers several.
      output_name: beginning of the output's name. Default: `name`.
      deps: C++ libraries that the file includes.
      copts: options of its compile.
      **kwargs: common attributes (`visibility`, `tags`, …).
    """
    common = {key: value for key, value in kwargs.items() if key in COMMON_ATTRS}
    cc_binary(
        name = name + "_library",
        srcs = [src],
        copts = ["-std=c++17"] + copts,
        linkopts = ["-Wl,--no-undefined"],
        linkshared = True,
        tags = ["manual"] + kwargs.get("tags", []),
        deps = deps + [Label("//pypto_rules:op_def_sdk")],
        **common
    )
    _op_def(
        name = name,
        library = name + "_library",
        op_type = op_type,
        output_name = output_name,
        src = src,
        **kwargs
    )
