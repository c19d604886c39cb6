"""`pypto_op`: an operator by the conventions of an operator project.

```starlark
pypto_op(
    name = "add_example",  # op_kernel/add_example.py
    dtypes = {"data_dtype": ["float16", "float", "int32"]},
)
```
"""

load(":kernel_macro.bzl", "pypto_kernel")
load(":names.bzl", "camel_case")
load(":tiling_headers.bzl", "pypto_tiling_headers")

def pypto_op(name, op_type = None, src = None, deps = [], dtypes = {}, op_def = None, copts = [], **kwargs):
    """Declares an operator: its kernel `<name>`, its shared headers `<name>_tiling`, the table `<name>.variants`.

    Args:
      name: name of the operator and, by convention, of its kernel file.
      op_type: CamelCase operator type; default: CamelCase of `name`.
      src: the kernel file; default: `op_kernel/<name>.py`.
      deps: helper modules of the kernel.
      dtypes: dtype columns, see `pypto_kernel`.
      op_def: description of the OpDef to check the kernel against, see `pypto_kernel`.
      copts: options of every variant's compile.
      **kwargs: common attributes (`visibility`, `tags`, …) of both targets.
    """
    if not src:
        src = "op_kernel/%s.py" % name
        if not native.glob([src], allow_empty = True):
            found = native.glob(["op_kernel/*.py"], allow_empty = True)
            fail("pypto_op '%s': there is no %s in this package, which has %s. Rename the operator or the file, or name the kernel file with `src`." %
                 (name, src, ", ".join(found) or "no .py file in op_kernel"))
    pypto_kernel(
        name = name,
        src = src,
        copts = copts,
        deps = deps,
        dtypes = dtypes,
        op_def = op_def,
        op_type = op_type or camel_case(name),
        **kwargs
    )
    pypto_tiling_headers(
        name = name + "_tiling",
        kernel = ":" + name,
        **kwargs
    )
