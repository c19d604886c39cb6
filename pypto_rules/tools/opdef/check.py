"""What a `_def.cpp` defines, as the dump has it, → op.json; everything that is wrong with it, each with its line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pypto_rules.tools.opdef.model import PARAM_TYPES, SCHEMA_VERSION

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEPT = ("name", "param_type", "unknown_shape_formats", "auto_contiguous", "ignore_contiguous")
_KEPT += ("shape_depends_on_compute", "init_value")


class DefinitionError(ValueError):
    """The definition cannot be used; one `file:line: error: what; fix: edit` a line."""


class _Checker:
    """Gathers problems; `place` makes the dump's file:line what the user knows the file by."""

    def __init__(self, place: Callable[[str], str]) -> None:
        self.problems: list[str] = []
        self.place = place

    def add(self, at: str, what: str, fix: str) -> None:
        """Note a problem."""
        self.problems.append(f"{self.place(at)}: error: {what}; fix: {fix}")


def op_json(raw: Mapping[str, Any], op_type: str | None, shown: str) -> dict[str, Any]:
    """op.json of the operator `op_type`, or of the only one; `shown` is the file the user wrote.

    Raises:
        DefinitionError: names every problem.
    """
    op = _chosen(raw["ops"], op_type, shown)
    name = shown.rpartition("/")[2]

    def place(at: str) -> str:
        file, _, line = at.rpartition(":")
        return f"{shown if file.rpartition('/')[2] == name else file}:{line}"

    checker = _Checker(place)
    inputs, outputs = (_params(checker, op[side], op) for side in ("inputs", "outputs"))
    _check_names(checker, op)
    _check_columns(checker, [*inputs, *outputs])
    result = {
        "schema_version": SCHEMA_VERSION,
        "op_type": op["op_type"],
        "at": place(op["at"]),
        "inputs": inputs,
        "outputs": outputs,
        "attrs": [_attr(checker, attr) for attr in op["attrs"]],
        "fallback": op["fallback"],
        "socs": _socs(checker, op),
    }
    if checker.problems:
        raise DefinitionError("\n".join(checker.problems))
    return result


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
    at = ops[names.index(near[0])]["at"].rpartition(":")[2]
    raise DefinitionError(
        f"{shown}:{at}: error: the operator is called {', '.join(names)} here, and {op_type} in the BUILD file; "
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


def _params(checker: _Checker, params: Sequence[Mapping[str, Any]], op: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [_param(checker, param, [*op["inputs"], *op["outputs"]]) for param in params]


def _param(checker: _Checker, param: Mapping[str, Any], known: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    for what in param["unsupported"]:
        checker.add(param["at"], f"'{param['name']}' uses {what}, which PyPTO operators cannot have", f"remove {what}")
    if param["param_type"] not in PARAM_TYPES:
        allowed = ", ".join(name.upper() for name in PARAM_TYPES)
        checker.add(
            param["at"],
            f"ParamType of '{param['name']}' is {param['param_type'].upper()}; allowed are {allowed}",
            "choose one of them",
        )
    dtypes, formats = _columns_of(checker, param, known)
    kept = {key: param[key] for key in _KEPT}
    depend = param["value_depend"] or None
    return {**kept, "dtypes": dtypes, "formats": formats, "value_depend": depend, "at": checker.place(param["at"])}


def _columns_of(
    checker: _Checker, param: Mapping[str, Any], known: Sequence[Mapping[str, Any]]
) -> tuple[list[str], list[str]]:
    """The dtype and format columns: as listed, of every pair of the two lists, or those of the parameter followed."""
    if param["follows"]:
        followed = [other for other in known if other["name"] == param["follows"] and not other["follows"]]
        if not followed:
            names = ", ".join(other["name"] for other in known if not other["follows"])
            checker.add(
                param["at"],
                f"'{param['name']}' follows '{param['follows']}'; it can follow {names}",
                "name one of them",
            )
            return [], []
        return _columns_of(checker, followed[0], known)
    dtypes, formats = list(param["dtypes"]), list(param["formats"])
    if param["dtype_list"] or param["format_list"]:
        pairs = [(d, f) for d in param["dtype_list"] or dtypes for f in param["format_list"] or formats or ["ND"]]
        dtypes, formats = [d for d, _ in pairs], [f for _, f in pairs]
    if not dtypes:
        checker.add(param["at"], f"'{param['name']}' has no DataType", "list its dtypes: .DataType({ge::DT_FLOAT16})")
    if "undefined" in dtypes:
        checker.add(
            param["at"],
            f"DataType {dtypes.index('undefined')} of '{param['name']}' is none that tensors have",
            "use one of ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, …",
        )
    formats = formats or ["ND"] * len(dtypes)
    if len(formats) != len(dtypes):
        checker.add(
            param["at"],
            f"'{param['name']}' has {len(dtypes)} dtypes ({', '.join(dtypes)}) and {len(formats)} formats "
            f"({', '.join(formats)}); the lists are columns read in parallel",
            f"give Format {len(dtypes)} items",
        )
    return dtypes, formats


def _check_columns(checker: _Checker, params: Sequence[Mapping[str, Any]]) -> None:
    """Every parameter has the same number of columns as the first."""
    counted = [param for param in params if param["dtypes"]]
    for param in counted[1:]:
        if len(param["dtypes"]) != len(counted[0]["dtypes"]):
            first = counted[0]
            checker.problems.append(
                f"{param['at']}: error: '{param['name']}' has {len(param['dtypes'])} dtypes "
                f"({', '.join(param['dtypes'])}) and '{first['name']}' has {len(first['dtypes'])} "
                f"({', '.join(first['dtypes'])}); the lists of all parameters are columns read in parallel; "
                f"fix: give '{param['name']}' one dtype per column of '{first['name']}'"
            )


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
        if config["soc"] in socs:
            checker.add(config["at"], f"AddConfig for {config['soc']} is called twice", "remove one")
        sides = {side: _params(checker, config[side], _overridden(op, config)) for side in ("inputs", "outputs")}
        socs[config["soc"]] = {
            **sides,
            "attrs": [_attr(checker, attr) for attr in config["attrs"]],
            "flags": config["flags"],
            "extended": config["extended"],
            "at": checker.place(config["at"]),
        }
        _check_columns(checker, _final_params(checker, op, sides))
    return socs


def _overridden(op: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The operator's parameters with those of a SoC in place of their namesakes."""
    merged = {}
    for side in ("inputs", "outputs"):
        own = {param["name"]: param for param in config[side]}
        merged[side] = [own.pop(param["name"], param) for param in op[side]] + list(own.values())
    return merged


def _final_params(
    checker: _Checker, op: Mapping[str, Any], sides: Mapping[str, Sequence[Mapping[str, Any]]]
) -> list[Mapping[str, Any]]:
    if not sides["inputs"] and not sides["outputs"]:
        return []
    quiet = _Checker(checker.place)
    merged: list[Mapping[str, Any]] = []
    for side in ("inputs", "outputs"):
        own = {param["name"]: param for param in sides[side]}
        general = {param["name"]: param for param in _params(quiet, op[side], op)}
        merged += list((general | own).values())
    return merged
