"""What a `_def.cpp` defines, as the dump has it, → op.json; everything that is wrong with it, each with its line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pypto_rules.tools.opdef import columns
from pypto_rules.tools.opdef.model import PARAM_TYPES, SCHEMA_VERSION

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEPT = ("name", "param_type", "auto_contiguous", "ignore_contiguous")
_KEPT += ("shape_depends_on_compute", "init_value")
_SIDES = ("inputs", "outputs")

# SoCs by their names in older sources.
_FORMER_SOCS = {"ascend910_95": "ascend950"}


class DefinitionError(ValueError):
    """The definition cannot be used; one `file:line: error: what; fix: edit` a line."""


class _Checker:
    """Gathers problems; `place` makes the dump's file:line what the user knows the file by. `noted` counts them all."""

    def __init__(self, place: Callable[[str], str]) -> None:
        self.problems: list[str] = []
        self.noted = 0
        self.place = place

    def add(self, at: str, what: str, fix: str) -> None:
        """Note a problem, once: what is wrong for all SoCs is wrong for each."""
        self.noted += 1
        text = f"{self.place(at)}: error: {what}; fix: {fix}"
        if text not in self.problems:
            self.problems.append(text)


def op_json(raw: Mapping[str, Any], op_type: str | None, shown: str) -> dict[str, Any]:
    """op.json of the operator `op_type`, or of the only one; `shown` is the file the user wrote.

    Raises:
        DefinitionError: names every problem.
    """
    op = _chosen(raw["ops"], op_type, shown)

    def place(at: str) -> str:
        return _place(at, shown)

    checker = _Checker(place)
    _check_names(checker, op)
    result = {
        "schema_version": SCHEMA_VERSION,
        "op_type": op["op_type"],
        "at": place(op["at"]),
        **_sides(checker, op),
        "attrs": [_attr(checker, attr) for attr in op["attrs"]],
        "fallback": op["fallback"],
        "socs": _socs(checker, op),
    }
    if checker.problems:
        raise DefinitionError("\n".join(checker.problems))
    return result


def _place(at: str, shown: str) -> str:
    """The dump's file:line as the user knows it; the file alone where the dump does not know lines."""
    file, _, line = at.rpartition(":")
    if not line:
        return shown
    return f"{shown if Path(file).name == Path(shown).name else file}:{line}"


def _chosen(ops: Sequence[Mapping[str, Any]], op_type: str | None, shown: str) -> Mapping[str, Any]:
    names = [op["op_type"] for op in ops]
    if not ops:
        raise DefinitionError(f"{shown}:1: error: no OP_ADD is in this file; fix: end it with OP_ADD(<OpType>);")
    wanted = op_type or names[0]
    if wanted in names and (op_type or len(names) == 1):
        return ops[names.index(wanted)]
    if op_type is None:
        raise DefinitionError(f"{shown}:1: error: OP_ADD defines {', '.join(names)}; fix: say which with op_type")
    near = difflib.get_close_matches(op_type, names, n=1) or names[:1]
    at = _place(ops[names.index(near[0])]["at"], shown)
    raise DefinitionError(
        f"{at}: error: the operator is called {', '.join(names)} here, and {op_type} in the BUILD file; "
        f'fix: op_type = "{near[0]}" there, or OP_ADD({op_type}) here'
    )


def _check_names(checker: _Checker, op: Mapping[str, Any]) -> None:
    for kind, items in (("input", op["inputs"]), ("output", op["outputs"]), ("attribute", op["attrs"])):
        for item in items:
            if not _NAME.fullmatch(item["name"]):
                checker.add(
                    item["at"],
                    f"{kind} '{item['name']}' is not a name; allowed are letters, digits and underscores",
                    "rename it",
                )
    if not op["outputs"]:
        checker.add(op["at"], f"{op['op_type']} has no output", 'declare one: this->Output("y")')
    taken = {item["name"]: "input" for item in op["inputs"]} | {item["name"]: "output" for item in op["outputs"]}
    for attr in op["attrs"]:
        if attr["name"] in taken:
            other = taken[attr["name"]]
            checker.add(attr["at"], f"attribute '{attr['name']}' has the name of an {other}", "rename one of them")


def _sides(checker: _Checker, op: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Inputs and outputs as op.json has them."""
    params = [*op["inputs"], *op["outputs"]]
    before = checker.noted
    for param in params:
        _check_param(checker, param)
    columns.problems(params, checker.add)
    if checker.noted > before:
        return {side: [] for side in _SIDES}
    values = columns.expanded(params)
    return {side: [_param(checker, param, values[param["name"]]) for param in op[side]] for side in _SIDES}


def _check_param(checker: _Checker, param: Mapping[str, Any]) -> None:
    for what in param["unsupported"]:
        checker.add(param["at"], f"'{param['name']}' uses {what}, which PyPTO operators cannot have", f"remove {what}")
    if param["param_type"] not in PARAM_TYPES:
        allowed = ", ".join(name.upper() for name in PARAM_TYPES)
        checker.add(
            param["at"],
            f"ParamType of '{param['name']}' is {param['param_type'].upper()}; allowed are {allowed}",
            "choose one of them",
        )


def _param(checker: _Checker, param: Mapping[str, Any], lists: Mapping[str, list[str]]) -> dict[str, Any]:
    kept = {key: param[key] for key in _KEPT}
    depend = param["value_depend"] or None
    return {**kept, **lists, "value_depend": depend, "at": checker.place(param["at"])}


def _attr(checker: _Checker, attr: Mapping[str, Any]) -> dict[str, Any]:
    if not attr["type"]:
        checker.add(attr["at"], f"attribute '{attr['name']}' has no type", "add one: .Float(1.0), .Int(), …")
    elif not attr["required"] and attr["default"] is None:
        checker.add(
            attr["at"],
            f"attribute '{attr['name']}' is OPTIONAL and has no default",
            "give one: .Float(1.0), .Int(0), …",
        )
    return {**{key: attr[key] for key in ("name", "type", "required", "default")}, "at": checker.place(attr["at"])}


def _socs(checker: _Checker, op: Mapping[str, Any]) -> dict[str, Any]:
    if not op["socs"]:
        checker.add(op["at"], f"{op['op_type']} is registered for no SoC", 'add this->AICore().AddConfig("ascend910b")')
    socs: dict[str, Any] = {}
    for config in op["socs"]:
        soc = _FORMER_SOCS.get(config["soc"], config["soc"])
        if soc in socs:
            checker.add(config["at"], f"AddConfig for {soc} is called twice", "remove one")
        own = any(config[side] for side in _SIDES)
        socs[soc] = {
            **(_sides(checker, _merged(op, config)) if own else {side: [] for side in _SIDES}),
            "attrs": [_attr(checker, attr) for attr in config["attrs"]],
            "flags": config["flags"],
            "extended": config["extended"],
            "at": checker.place(config["at"]),
        }
    return socs


def _merged(op: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The operator's parameters with what a SoC's configuration says of them: what it leaves out stays as it is."""
    sides = {}
    for side in _SIDES:
        own = {param["name"]: param for param in config[side]}
        general = [_merged_param(param, own.pop(param["name"], None)) for param in op[side]]
        sides[side] = [*general, *own.values()]
    return sides


def _merged_param(general: Mapping[str, Any], own: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if own is None:
        return general
    said = {key: value for key, value in own.items() if value or key == "param_type"}
    if own["init_value"] is not None:
        said["init_value"] = own["init_value"]
    for pair in zip(columns.PARALLEL, columns.FREE, strict=True):
        if any(key in said for key in pair):
            said = {key: [] for key in pair} | said
    if said.get("dtypes") or said.get("dtype_list"):
        said.setdefault("follows", "")
    return {**general, **said}
