"""The module extension that finds CANN, and its tags."""

load(":registration.bzl", "registration_repository")
load(":toolkit.bzl", "toolkit_repository")

_PYPTO = {
    "pypto": attr.string(doc = "Absolute path of the directory that pypto_pro is imported from. Default: the toolkit's own, else " +
                               "that of python3 on PATH."),
    "pypto_version": attr.string(doc = "The version that pypto_pro must have. Default: any."),
}

_local = tag_class(
    doc = "A toolkit that is installed. What the extension does without a tag, with what it looks for given.",
    attrs = _PYPTO | {
        "path": attr.string(doc = "Absolute path of the toolkit. Default: `ASCEND_HOME_PATH`, `ASCEND_TOOLKIT_HOME`, else where " +
                                  "installers put it."),
    },
)

_toolkit = tag_class(
    doc = "A toolkit of a fixed version: its installer is downloaded and unpacked, not run, when a kernel is built.",
    attrs = _PYPTO | {
        "integrity": attr.string(doc = "Digest of the installer as in `sha256-<base64>`.", mandatory = True),
        "urls": attr.string_list(doc = "Where the `.run` file is, `https://` or `file://`.", mandatory = True),
        "version": attr.string(doc = "Its version, as in `9.2.0`; that of the installer must be the same.", mandatory = True),
    },
)

def _check(tag):
    for name in ["path", "pypto"]:
        value = getattr(tag, name, "")
        if value and not value.startswith("/"):
            fail("\nthe extension `cann`: %s is '%s', which is no absolute path\n  fix: %s = \"/…\" in MODULE.bazel" % (name, value, name))

def _cann_impl(module_ctx):
    archives, locals, notes = [], [], []
    for module in module_ctx.modules:
        if module.is_root:
            archives += module.tags.toolkit
            locals += module.tags.local
        elif module.tags.toolkit or module.tags.local:
            notes.append("tags of the module %s are ignored: the toolkit is the root module's choice" % module.name)
    tags = archives + locals
    if len(tags) > 1:
        fail("\nthe extension `cann`: %d tags in MODULE.bazel, and a build has one toolkit\n  fix: leave one `cann.local` or `cann.toolkit`" % len(tags))
    settings = {"archive": bool(archives)}
    for tag in tags:
        _check(tag)
        settings |= {name: getattr(tag, name, "") for name in ["path", "pypto", "pypto_version", "version"]}
    registration_repository(name = "pypto_cann", notes = notes, **settings)
    toolkit_repository(
        name = "pypto_cann_toolkit",
        integrity = archives[0].integrity if archives else "",
        urls = archives[0].urls if archives else [],
        **settings
    )
    return module_ctx.extension_metadata(reproducible = True)

cann = module_extension(
    implementation = _cann_impl,
    doc = """Finds the CANN toolkit that kernels are built with; a workspace that has one installed need not mention it.

```starlark
cann = use_extension("@pypto_rules//pypto_rules:extensions.bzl", "cann")
cann.local(path = "/opt/Ascend/cann-9.2.0", pypto_version = "0.2.0")
```

`bazel run @pypto_rules//pypto_rules/tools:doctor` says what was found, and where it was looked for.""",
    tag_classes = {"local": _local, "toolkit": _toolkit},
)
