"""A `<op>_binary.json` kept by hand against the columns of the OpDef (reports, A12).

Operator projects list per SoC which combinations are compiled, in `op_host/config/<soc>/<op>_binary.json`. Here the
OpDef alone says that, and a list that says something else is a mistake in one of the two.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pypto_rules.tools.opdef.model import OpDef, OpDefError, SocOp

Row = dict[str, tuple[str, str]]

_ALIASES = {"float32": "float", "fp16": "float16", "bf16": "bfloat16"}


def differences(op: OpDef, soc: str, path: Path, shown: str) -> list[str]:
    """What differs, one text for each: a column that one side lacks, a parameter with other values.

    Raises:
        OpDefError: the file is no such list, or the OpDef is not registered for the SoC.
    """
    on_soc = op.for_soc(soc)
    listed = _listed(path, shown)
    wanted = [dict(column.tensors) for column in on_soc.columns]
    found: list[str] = []
    for index, row in enumerate(listed):
        if row not in wanted:
            found.append(f"{shown}: error: column {index} {_near(row, wanted, on_soc)}; {_fix(op)}")
    for row in wanted:
        if row not in listed and not any(_compared(row, other) for other in listed if other not in wanted):
            found.append(f"{shown}: error: it has no column for {_shown(row)}, which the OpDef has; {_fix(op)}")
    return found


def _fix(op: OpDef) -> str:
    return f"fix: remove the file: the OpDef{f' ({op.at})' if op.at else ''} says what is built"


def _compared(row: Row, other: Row) -> bool:
    """Whether two columns differ in one parameter only: then one edit was forgotten."""
    return row.keys() == other.keys() and sum(row[name] != other[name] for name in row) == 1


def _near(row: Row, wanted: Sequence[Row], op: SocOp) -> str:
    for other in wanted:
        if _compared(row, other):
            name = next(name for name in row if row[name] != other[name])
            return f"has {' '.join(row[name])} for '{name}', where the OpDef has {' '.join(other[name])}"
    unknown = [name for name in row if name not in {param.name for param in op.params}]
    if unknown:
        return f"has '{unknown[0]}', which is no input or output of {op.op_type}"
    return f"is {_shown(row)}, which the OpDef does not have"


def _shown(row: Row) -> str:
    return "(" + ", ".join(f"{name}: {' '.join(values)}" for name, values in row.items()) + ")"


def _listed(path: Path, shown: str) -> list[Row]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return [_row(entry) for entry in data["op_list"]]
    except OSError as error:
        raise OpDefError(f"cannot read {shown}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        wanted = "an object with op_list, a list of objects with inputs and outputs"
        raise OpDefError(f"{shown} is no list of binaries ({wanted}): {error!r}") from error


def _row(entry: Any) -> Row:
    tensors = [*entry.get("inputs", ()), *entry.get("outputs", ())]
    flat = [tensor[0] if isinstance(tensor, list) else tensor for tensor in tensors if tensor]
    return {t["name"]: (_ALIASES.get(t["dtype"], t["dtype"]), t.get("format", "ND")) for t in flat}
