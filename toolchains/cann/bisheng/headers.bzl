"""`cann_headers`: the headers of a toolkit that variants are compiled with, and their directories in bisheng's order."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

CannHeadersInfo = provider(
    doc = "Where bisheng finds a toolkit's headers: paths from the execution root, never absolute.",
    fields = {
        "directories": "list of string: directories of CANN's headers, each once, in the order of the command line.",
        "pypto": "string: directory of pypto_pro's headers.",
        "version_header": "string: what is included before each source, or None where the toolkit has none.",
    },
)

# The order is the command line's (cann-flow, 4.5 step 2); a toolkit need not have all of them.
_DIRECTORIES = [
    "asc/impl/adv_api",
    "asc/impl/basic_api",
    "asc/impl/c_api",
    "asc/impl/basic_api/reg_compute",
    "asc/impl/simt_api",
    "asc/impl/utils",
    "asc",
    "asc/include",
    "asc/include/adv_api",
    "asc/include/basic_api",
    "asc/include/aicpu_api",
    "asc/include/c_api",
    "asc/include/basic_api/reg_compute",
    "asc/include/simt_api",
    "asc/include/utils",
    "include",
    "include/ascendc",
    "ascendc/act",
    "tikcpp",
    "tikcpp/tikcfw",
    "tikcpp/tikcfw/impl",
    "tikcpp/tikcfw/interface",
]
_PYPTO = "pypto_pro/include/"

def _directories(label, files):
    """Those of the directories below the target's package that hold any of the files."""
    package = "/".join([part for part in [label.workspace_root, label.package] if part])
    root = package + "/" if package else ""
    found = [directory for directory in _DIRECTORIES if any([file.path.startswith(root + directory + "/") for file in files])]
    return [root + directory for directory in found]

def _pypto_directory(label, files):
    for file in files:
        before, marker, _ = file.path.partition(_PYPTO)
        if marker:
            return before + marker.removesuffix("/")
    fail("%s: pypto has %d files, none below '%s'. Give the headers that are installed with pypto_pro." % (label, len(files), _PYPTO))

def _cann_headers_impl(ctx):
    cann = ctx.files.asc + ctx.files.include + ctx.files.tikcpp + ctx.files.ascendc
    version_header = [ctx.file.version_header] if ctx.file.version_header else []
    headers = depset(cann + ctx.files.pypto + version_header)
    return [
        DefaultInfo(files = headers),
        # No include directories here: Bazel sorts them by kind, while the command line has a place for each.
        CcInfo(compilation_context = cc_common.create_compilation_context(headers = headers)),
        CannHeadersInfo(
            directories = _directories(ctx.label, cann),
            pypto = _pypto_directory(ctx.label, ctx.files.pypto),
            version_header = version_header[0].path if version_header else None,
        ),
    ]

cann_headers = rule(
    doc = """Headers of a toolkit: declared in the package that the toolkit's directories `asc`, `include`, … lie in.

    ```starlark
    cann_headers(
        name = "headers",
        asc = glob(["asc/**"]),
        include = glob(["include/**"]),
        pypto = glob(["python/pypto_pro/include/**"]),
    )
    ```
    """,
    implementation = _cann_headers_impl,
    attrs = {
        "asc": attr.label_list(doc = "Files below `asc/`.", allow_files = True, mandatory = True),
        "ascendc": attr.label_list(doc = "Files below `ascendc/`.", allow_files = True),
        "include": attr.label_list(doc = "Files below `include/`.", allow_files = True, mandatory = True),
        "pypto": attr.label_list(doc = "Headers of pypto_pro, below a directory `pypto_pro/include/`.", allow_files = True, mandatory = True),
        "tikcpp": attr.label_list(doc = "Files below `tikcpp/`.", allow_files = True),
        "version_header": attr.label(doc = "`asc_devkit_version.h`.", allow_single_file = True),
    },
    provides = [CcInfo, CannHeadersInfo],
)
