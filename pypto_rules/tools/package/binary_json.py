"""The json beside a binary: where in it is what the ruleset itself has to know.

A CANN binary's json is asc_opc's (cann-flow, section 4.10), `kernelList` among it, so ours is in a member of its own,
which the run time passes over. All of a twin binary's json is ours.
"""

from __future__ import annotations

from typing import Any

_MEMBER = "pypto"


def own_data(data: dict[str, Any]) -> dict[str, Any]:
    """`backend`, `soc`, `dtypes`, and `kernelList` with the TilingKey and the field values of every entry."""
    return data.get(_MEMBER, data)
