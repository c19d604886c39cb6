"""The columns of an OpDef: one combination each of the dtype and format of every parameter.

`DataType` and `Format` of all parameters are read in parallel. A `DataTypeList` or `FormatList` goes with each of those
columns, and with each other list: all combinations. A parameter that follows another has what that one has.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

# The names of a parameter's lists; of each pair at most one is set.
PARALLEL = ("dtypes", "formats")
FREE = ("dtype_list", "format_list")


def problems(params: Sequence[Mapping[str, Any]], add: Callable[[str, str, str], None]) -> None:
    """Report what keeps the parameters from having columns; `add` takes place, problem and fix."""
    own = [param for param in params if not param["follows"]]
    _follow_problems(params, own, add)
    for param in own:
        dtypes = param["dtypes"] or param["dtype_list"]
        if not dtypes:
            add(param["at"], f"'{param['name']}' has no DataType", "list its dtypes: .DataType({ge::DT_FLOAT16})")
        if "undefined" in dtypes:
            index, fix = dtypes.index("undefined"), "use one of ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, …"
            add(param["at"], f"DataType {index} of '{param['name']}' is none that tensors have", fix)
        for key, call in (("formats", "Format"), ("unknown_shape_formats", "UnknownShapeFormat")):
            if param["dtypes"] and param[key] and len(param["dtypes"]) != len(param[key]):
                add(
                    param["at"],
                    f"'{param['name']}' has {_listed(param, 'dtypes')} and {_listed(param, key)}; "
                    "the lists are columns read in parallel",
                    f"give {call} {len(param['dtypes'])} items",
                )
    _length_problems([param for param in own if param["dtypes"]], add)
    _reference_problems(own, add)


def _follow_problems(
    params: Sequence[Mapping[str, Any]], own: Sequence[Mapping[str, Any]], add: Callable[[str, str, str], None]
) -> None:
    names = [param["name"] for param in own]
    for param in params:
        if param["follows"] and param["follows"] not in names:
            what = f"'{param['name']}' follows '{param['follows']}'; it can follow {', '.join(names)}"
            add(param["at"], what, "name one of them")


def _length_problems(params: Sequence[Mapping[str, Any]], add: Callable[[str, str, str], None]) -> None:
    """Every parameter has as many dtypes as the first."""
    for param in params[1:]:
        first = params[0]
        if len(param["dtypes"]) != len(first["dtypes"]):
            add(
                param["at"],
                f"'{param['name']}' has {_listed(param, 'dtypes')} and '{first['name']}' has "
                f"{len(first['dtypes'])} ({', '.join(first['dtypes'])}); "
                "the lists of all parameters are columns read in parallel",
                f"give '{param['name']}' one dtype per column of '{first['name']}'",
            )


def _reference_problems(params: Sequence[Mapping[str, Any]], add: Callable[[str, str, str], None]) -> None:
    """An output of the name of an input is that tensor: it cannot have other dtypes or formats."""
    first: dict[str, Mapping[str, Any]] = {}
    for param in params:
        other = first.setdefault(param["name"], param)
        if any(param[key] != other[key] for key in (*PARALLEL, *FREE)):
            what = f"output '{param['name']}' is the input of that name, and has other dtypes or formats"
            add(param["at"], what, "give both the same, or rename one of them")


def _listed(param: Mapping[str, Any], key: str) -> str:
    return f"{len(param[key])} {key.replace('_', ' ')} ({', '.join(param[key])})"


def expanded(params: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """`dtypes`, `formats` and `unknown_shape_formats` of every parameter in all columns; `params` have no problems."""
    own = [param for param in params if not param["follows"]]
    count = max((len(param[key]) for param in own for key in PARALLEL), default=0) or 1
    free = [(param["name"], key, param[key]) for param in own for key in FREE if param[key]]
    columns = [
        (base, {(name, key): value for (name, key, _), value in zip(free, values, strict=True)})
        for base in range(count)
        for values in itertools.product(*(values for _, _, values in free))
    ]
    found = {param["name"]: _lists(param, columns) for param in own}
    return found | {param["name"]: found[param["follows"]] for param in params if param["follows"]}


def _lists(param: Mapping[str, Any], columns: Sequence[tuple[int, Mapping[Any, str]]]) -> dict[str, list[str]]:
    lists = {}
    for parallel, free in zip(PARALLEL, FREE, strict=True):
        if param[free]:
            lists[parallel] = [chosen[param["name"], free] for _, chosen in columns]
        elif param[parallel]:
            lists[parallel] = [param[parallel][base] for base, _ in columns]
        else:
            lists[parallel] = ["ND"] * len(columns)
    unknown = param["unknown_shape_formats"]
    return lists | {"unknown_shape_formats": [unknown[base] for base, _ in columns] if unknown else []}
