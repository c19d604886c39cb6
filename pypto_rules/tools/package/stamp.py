"""What a stamped build says of itself (`bazel build --stamp`): when it was made, and of which revision."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.package.errors import PackageError

# Keys of Bazel's status files → keys of version.info. The last two come from a --workspace_status_command.
_KEYS = {
    "BUILD_TIMESTAMP": "build_date",
    "STABLE_GIT_REVISION": "git_revision",
    "BUILD_SCM_REVISION": "git_revision",
}


def lines(status_files: Sequence[Path]) -> list[str]:
    """`key=value` lines for version.info, in the order of `_KEYS`; none without status files."""
    found: dict[str, str] = {}
    for path in status_files:
        for line in path.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(" ")
            if key in _KEYS and value:
                found.setdefault(_KEYS[key], _date(value) if key == "BUILD_TIMESTAMP" else value)
    return [f"{key}={found[key]}" for key in dict.fromkeys(_KEYS.values()) if key in found]


def _date(seconds: str) -> str:
    try:
        return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError) as error:
        raise PackageError(f"BUILD_TIMESTAMP is '{seconds}'; it must be seconds since 1970") from error
