"""The `datatype` dict of `@pl.jit`: parameter → dtype variable of the kernel body."""

from __future__ import annotations

import difflib
import keyword
from collections.abc import Collection, Sequence
from typing import Any

from pypto_rules.tools.contract.declarations import spelled
from pypto_rules.tools.contract.problems import Location, Problems
from pypto_rules.tools.contract.source import DictPlaces


def check(
    datatype: Any,
    places: DictPlaces,
    params: Sequence[str],
    not_business: Collection[str],
    key_fields: Collection[str],
    problems: Problems,
) -> dict[str, str] | None:
    """The dict, None when there is none or it has problems.

    Args:
        datatype: what `@pl.jit(datatype=…)` was given, None when nothing was.
        places: where.
        params: names of all parameters.
        not_business: those of workspace and TilingData, which have no dtype in the OpDef.
        key_fields: names of the TilingKey fields.
        problems: collects what is wrong.
    """
    if datatype is None:
        return None
    if not isinstance(datatype, dict) or not datatype:
        message = f"datatype is {spelled(datatype)}; allowed is a non-empty dict of parameter name to dtype variable"
        problems.add(
            "PYPTO-E501", places.whole, message, 'write datatype={"x": "data_dtype"}, or drop it when no dtype is read'
        )
        return None
    before = len(problems.found)
    for key, at in places.repeated:
        message = f"datatype names {spelled(key)} more than once; Python keeps the last only"
        problems.add("PYPTO-E508", at, message, "remove one of the entries")
    for key, variable in datatype.items():
        _check_key(key, places.key(key), params, not_business, problems)
        _check_variable(key, variable, places.value(key), params, key_fields, problems)
    return dict(datatype) if len(problems.found) == before else None


def _check_key(
    key: Any, at: Location, params: Sequence[str], not_business: Collection[str], problems: Problems
) -> None:
    if not isinstance(key, str) or not key:
        message = f"datatype has the key {spelled(key)}; allowed are parameter names in quotes"
        problems.add("PYPTO-E501", at, message, 'write the name as text: datatype={"x": "data_dtype"}')
        return
    if key not in params:
        business = [name for name in params if name not in not_business]
        close = difflib.get_close_matches(key, business, n=1)
        fix = f"did you mean '{close[0]}'?" if close else "use the name of an input or output of the kernel"
        listed = ", ".join(business) or "none"
        problems.add("PYPTO-E502", at, f"datatype key '{key}' is not a parameter; found parameters are {listed}", fix)
    elif key in not_business:
        message = f"datatype key '{key}' is not an input or output, so the OpDef gives it no dtype"
        problems.add("PYPTO-E507", at, message, f"remove '{key}' from datatype")
    if key != key.lower() and key in params:
        message = f"datatype key '{key}' is not lower case; the macro ORIG_DTYPE_{key.upper()} is matched in lower case"
        problems.add(
            "PYPTO-E503", at, message, f"rename the parameter and the key to '{key.lower()}' (also in the OpDef)"
        )


def _check_variable(
    key: Any, variable: Any, at: Location, params: Sequence[str], key_fields: Collection[str], problems: Problems
) -> None:
    if not isinstance(variable, str) or not variable.isidentifier() or keyword.iskeyword(variable):
        what = "a Python keyword" if isinstance(variable, str) and keyword.iskeyword(variable) else "not a Python name"
        message = f"datatype variable {spelled(variable)} of '{key}' is {what}; the kernel body cannot read it"
        problems.add("PYPTO-E504", at, message, f'use a name such as "{key}_dtype"')
    elif variable in params:
        message = f"datatype variable '{variable}' of '{key}' has the name of a parameter"
        problems.add("PYPTO-E505", at, message, f"rename the variable, for example to '{variable}_dtype'")
    elif variable in key_fields:
        message = f"datatype variable '{variable}' of '{key}' has the name of a TilingKey field"
        problems.add("PYPTO-E506", at, message, f"rename the variable, for example to '{variable}_dtype'")
