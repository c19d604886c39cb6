"""Selections: `[<op_file>:]<name>=<value>[|<value>…][,<name>=…]`, several of them for what any of them names.

For TilingKeys a name is a field, a value one of its candidates in decimal or hexadecimal; a number alone is a packed
key. For dtypes a name is a dtype variable; a dtype alone stands for every column that has it. A selection with an
`<op_file>` is about that operator alone, one without is about every operator of the build.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pypto_rules.tools.contract.manifest import Kernel, ValidKey


class SelectionError(ValueError):
    """A selection that does not fit the kernel; the text says what does."""


@dataclass(frozen=True)
class Flag:
    """The flag the selections were given to, for messages, and an example of one."""

    name: str
    example: str

    def error(self, selection: str, what: str, allowed: str) -> SelectionError:
        """The error for one selection."""
        return SelectionError(
            f"{self.name}: {what}; found '{selection}'; allowed {allowed}; "
            f"fix: --@pypto_rules//pypto_rules/settings:{self.name}={self.example}"
        )


def for_kernel(selections: Sequence[str], op_file: str) -> list[str]:
    """The selections about an operator, without its name."""
    kept = []
    for selection in selections:
        op, colon, rest = selection.partition(":")
        if not colon:
            kept.append(selection)
        elif op.strip() == op_file:
            kept.append(rest)
    return kept


def select_keys(selections: Sequence[str], kernel: Kernel) -> list[ValidKey]:
    """The valid TilingKeys that any selection names, in the kernel's order; all of them without selections."""
    schema = kernel.tiling_key
    fields = {field.name: [str(value) for value in field.values] for field in schema.fields}
    first = schema.fields[0]
    flag = Flag("tiling_keys", f"{first.name}={first.values[0]}")
    chosen: set[int] = set()
    for selection in for_kernel(selections, kernel.op_file):
        packed = _number(selection)
        if packed is None:
            wanted = _conditions(selection, fields, flag, f"TilingKey field of {kernel.op_file}", numbers=True)
            found = {key.packed for key in schema.valid if _matches(schema.as_dict(key.combo), wanted)}
        else:
            found = {key.packed for key in schema.valid if key.packed == packed}
        if not found:
            some = "; ".join(f"{key.packed}: {_named(schema.as_dict(key.combo))}" for key in schema.valid[:8])
            more = f"; and {len(schema.valid) - 8} more" if len(schema.valid) > 8 else ""
            raise flag.error(selection, f"no TilingKey of {kernel.op_file} is like this", some + more)
        chosen |= found
    return [key for key in schema.valid if key.packed in chosen] if chosen else list(schema.valid)


def select_columns(selections: Sequence[str], op_file: str, columns: Sequence[Mapping[str, str]]) -> list[int]:
    """Indices of the dtype columns that any selection names; all of them without selections."""
    applied = for_kernel(selections, op_file)
    variables = {name: sorted({column[name] for column in columns}) for name in (columns[0] if columns else {})}
    dtypes = sorted({dtype for column in columns for dtype in column.values()})
    flag = Flag("dtypes", dtypes[0] if dtypes else "…")
    if applied and not variables:
        raise flag.error(applied[0], f"{op_file} has no dtype variable", f"<another op_file>:{applied[0]}")
    chosen: set[int] = set()
    for selection in applied:
        if "=" in selection:
            wanted = _conditions(selection, variables, flag, f"dtype variable of {op_file}", numbers=False)
            found = {index for index, column in enumerate(columns) if _matches(column, wanted)}
        else:
            found = {index for index, column in enumerate(columns) if selection.strip() in column.values()}
        if not found:
            shown = "; ".join(_named(column) for column in columns)
            raise flag.error(selection, f"no dtype column of {op_file} is like this", shown)
        chosen |= found
    return sorted(chosen) if chosen else list(range(len(columns)))


def _number(text: str) -> int | None:
    try:
        return int(text.strip(), 0)
    except ValueError:
        return None


def _conditions(
    selection: str, names: Mapping[str, Sequence[str]], flag: Flag, what: str, *, numbers: bool
) -> dict[str, set[str]]:
    """Name → allowed values of one selection, every name and value of it known."""
    wanted: dict[str, set[str]] = {}
    for part in selection.split(","):
        name, equals, values = (text.strip() for text in part.partition("="))
        if not equals or not name or not values or name in wanted:
            form = "a selection is <name>=<value>, joined by commas, each name once"
            raise flag.error(selection, form, _listed(names))
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1)
            hint = f" (did you mean '{close[0]}'?)" if close else ""
            raise flag.error(selection, f"'{name}' is no {what}{hint}", _listed(names))
        wanted[name] = set()
        for value in (text.strip() for text in values.split("|")):
            number = _number(value) if numbers else None
            known = str(number) if number is not None else value
            if known not in names[name]:
                raise flag.error(selection, f"'{name}' is never '{value}'", f"{name}={'|'.join(names[name])}")
            wanted[name].add(known)
    return wanted


def _matches(item: Mapping[str, object], wanted: Mapping[str, set[str]]) -> bool:
    return all(str(item[name]) in values for name, values in wanted.items())


def _named(item: Mapping[str, object]) -> str:
    return ",".join(f"{name}={value}" for name, value in item.items())


def _listed(names: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{name}={'|'.join(values)}" for name, values in names.items())
