"""`pypto_op`: an operator by the conventions of an operator project.

```starlark
pypto_op(
    name = "add_example",  # op_kernel/add_example.py, op_host/add_example_{def,infershape,tiling}.cpp
    aclnn_type = "aclnn",
)
```
"""

load(":aclnn.bzl", "pypto_aclnn")
load(":kernel.bzl", "pypto_kernel")
load(":names.bzl", "COMMON_ATTRS", "camel_case")
load(":op_def.bzl", "pypto_op_def")
load(":op_host.bzl", "pypto_op_host")
load(":operator.bzl", "pypto_operator")
load(":socs.bzl", "SUPPORTED_SOCS")
load(":tiling_headers.bzl", "pypto_tiling_headers")
load(":variants.bzl", "pypto_variants")

# Where operator projects keep an aclnn interface written by hand.
_OP_API = ["op_api", "op_host/op_api"]

def _kernel_file(name, src):
    """The kernel file, by convention or as given; fails when there is none."""
    if src:
        return src
    src = "op_kernel/%s.py" % name
    if not native.glob([src], allow_empty = True):
        found = native.glob(["op_kernel/*.py"], allow_empty = True)
        fail("pypto_op '%s': there is no %s in this package, which has %s. Rename the operator or the file, or name the kernel file with `src`." %
             (name, src, ", ".join(found) or "no .py file in op_kernel"))
    return src

def _definition(name):
    """`op_host/<name>_def.cpp`, the only `*_def.cpp`, or None; fails when there are host sources without one."""
    found = native.glob(["op_host/*_def.cpp"], allow_empty = True)
    conventional = "op_host/%s_def.cpp" % name
    if conventional in found:
        return conventional
    if len(found) > 1:
        fail("pypto_op '%s': op_host has several definitions, %s, and none is %s. Name the operator's with `definition`." %
             (name, ", ".join(found), conventional))
    if found:
        return found[0]
    sources = native.glob(["op_host/*.cpp"], allow_empty = True)
    if sources:
        fail("pypto_op '%s': op_host has %s but no %s, which says what the operator's inputs and outputs are. Add it, or name it with `definition`." %
             (name, ", ".join(sources), conventional))
    return None

def _on_machines_only(label):
    """The host side is not looked at in a device platform, where packages build the kernel."""
    devices = {Label("//pypto_rules/platforms:soc_" + soc): None for soc in SUPPORTED_SOCS}
    return select(devices | {"//conditions:default": label})

def _host_side(name, aclnn_type, host_deps, host_copts, kwargs):
    """The targets `<name>_host` and `<name>_aclnn`."""
    headers = native.glob(["op_api/**/*.h", "op_graph/**/*.h", "op_host/**/*.h", "op_kernel/**/*.h"], allow_empty = True)
    pypto_op_host(
        name = name + "_host",
        binary_lists = native.glob(["op_host/config/*/%s_binary.json" % name], allow_empty = True),
        copts = host_copts,
        graph_srcs = native.glob(["op_graph/*.cpp"], allow_empty = True),
        hdrs = headers,
        infershape_srcs = native.glob(["op_host/*_infershape*.cpp"], allow_empty = True),
        op_def = name + "_op_def",
        output_name = name,
        proto_hdrs = native.glob(["op_graph/*_proto*.h"], allow_empty = True),
        tiling = name + "_tiling",
        tiling_srcs = native.glob(["op_host/*_tiling*.cpp"], allow_empty = True),
        deps = host_deps,
        **kwargs
    )
    pypto_aclnn(
        name = name + "_aclnn",
        aclnn_type = aclnn_type,
        copts = host_copts,
        hdrs = native.glob([directory + "/acl*_*.h" for directory in _OP_API], allow_empty = True),
        op_def = name + "_op_def",
        output_name = name,
        srcs = native.glob([directory + "/*.cpp" for directory in _OP_API], allow_empty = True) + headers,
        deps = host_deps,
        **kwargs
    )

def pypto_op(
        name,
        op_type = None,
        aclnn_type = "aclnn",
        src = None,
        definition = None,
        deps = [],
        dtypes = {},
        op_def = None,
        copts = [],
        defines = [],
        host_deps = [],
        host_copts = [],
        **kwargs):
    """Declares an operator `<name>` from the files of an operator project.

    Beside it: `<name>_kernel`, its shared headers `<name>_tiling`, the table `<name>.variants`, and with an OpDef
    `<name>_op_def`, `<name>_host` and `<name>_aclnn`.

    Args:
      name: name of the operator and, by convention, of its kernel file.
      op_type: CamelCase operator type; default: CamelCase of `name`.
      aclnn_type: `aclnn`, `aclnn_inner` or `aclnn_exclude`, as of `pypto_aclnn`.
      src: the kernel file; default: `op_kernel/<name>.py`.
      definition: the file with the OpDef; default: `op_host/<name>_def.cpp`. Without one there is no host side.
      deps: helper modules of the kernel.
      dtypes: dtype columns to build instead of all that the OpDef has, see `pypto_kernel`.
      op_def: an `op.json` written by hand, to check the kernel against, when there is no `definition`.
      copts: options of every variant's compile; with select() on the SoC, see `pypto_kernel`.
      defines: preprocessor definitions of every variant's compile, likewise.
      host_deps: C++ libraries that the host sources use.
      host_copts: options of the host sources' compiles.
      **kwargs: common attributes (`visibility`, `tags`, …) of all targets.
    """
    op_type = op_type or camel_case(name)
    definition = definition or (None if op_def else _definition(name))
    if definition:
        op_def = ":%s_op_def" % name
        pypto_op_def(
            name = name + "_op_def",
            src = definition,
            copts = host_copts,
            op_type = op_type,
            output_name = name,
            deps = host_deps,
            **kwargs
        )
        _host_side(name, aclnn_type, host_deps, host_copts, kwargs)
    pypto_kernel(
        name = name + "_kernel",
        src = _kernel_file(name, src),
        copts = copts,
        defines = defines,
        dtypes = dtypes,
        op_def = op_def,
        op_type = op_type,
        output_name = name,
        deps = deps,
        **kwargs
    )
    pypto_tiling_headers(
        name = name + "_tiling",
        kernel = name + "_kernel",
        **kwargs
    )
    pypto_operator(
        name = name,
        aclnn = _on_machines_only(name + "_aclnn") if definition else None,
        aclnn_type = aclnn_type,
        host = _on_machines_only(name + "_host") if definition else None,
        kernel = name + "_kernel",
        op_def = op_def if definition else None,
        **kwargs
    )
    pypto_variants(
        name = name + ".variants",
        kernel = name,
        tags = ["manual"] + kwargs.get("tags", []),
        **{key: value for key, value in kwargs.items() if key in COMMON_ATTRS}
    )
