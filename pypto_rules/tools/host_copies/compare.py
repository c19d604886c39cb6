"""A struct of the host against the kernel's TilingData."""

from __future__ import annotations

import itertools
import re

from pypto_rules.tools.contract.manifest import Kernel, TilingField
from pypto_rules.tools.host_copies.cxx_structs import Field, Struct, structs

_REGISTERED = re.compile(r"\bREGISTER_TILING_DATA_CLASS\s*\(\s*(\w+)\s*,\s*(?:\w+::)*(\w+)\s*\)")


def problems(kernel: Kernel, op_type: str, path: str, text: str) -> list[str]:
    """What is wrong with the copies of the TilingData in a source, one text for each; `path` is its name in them.

    A copy is a struct of the TilingData's name, in whatever namespace, or one registered for the operator.
    """
    names = {kernel.tiling.name} | {found[2] for found in _REGISTERED.finditer(text) if found[1] == op_type}
    found = (_problem(kernel, path, struct) for struct in structs(text, names))
    return [problem for problem in found if problem]


def _problem(kernel: Kernel, path: str, struct: Struct) -> str | None:
    tiling = kernel.tiling
    where = f"{path}:{struct.line}: error: {struct.name} is a copy of the TilingData {tiling.name}"
    fix = f"remove it: the class {tiling.name} of {kernel.op_file}.py is in every tiling source without an include"
    if struct.fields is None:
        return f"{where} of {kernel.op_file}.py that cannot be compared with it; fix: {fix}"
    rows = [(_text(host), _text(own)) for host, own in itertools.zip_longest(struct.fields, tiling.fields)]
    differs = [index for index, (host, own) in enumerate(rows) if host != own]
    if not differs and struct.size == tiling.sizeof:
        return None
    host, own = rows[differs[0]] if differs else (f"{struct.size} bytes", f"{tiling.sizeof} bytes")
    width = max(len(row[0]) for row in [("host", ""), *rows])
    table = "\n".join(f"    {left:<{width}}  {right}" for left, right in [("host", "kernel"), *rows])
    return (
        f"{where} of {kernel.op_file}.py with another layout; first difference: {host} here, {own} in the kernel; "
        f"fix: {fix}\n{table}"
    )


def _text(field: Field | TilingField | None) -> str:
    return f"{field.name}@{field.offset} {field.ctype}" if field else "-"
