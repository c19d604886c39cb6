"""A line on standard error now and then while something takes long."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable

from pypto_rules.tools.contract.combinations import Progress

_SECONDS = 5.0
_STDERR = 2  # whatever the kernel file did to sys.stderr


class Line:
    """Tells how far an enumeration is; `alive` is called with each line."""

    def __init__(self, what: str, alive: Callable[[], None]) -> None:
        self._what = what
        self._alive = alive
        self._last = time.monotonic()

    def show(self, progress: Progress) -> None:
        """Write a line when the last one is long ago."""
        now = time.monotonic()
        if now - self._last < _SECONDS:
            return
        self._last = now
        self._alive()
        done = f"looked at {progress.looked_at:,} of {progress.total:,} combinations, {progress.valid:,} valid so far"
        with contextlib.suppress(OSError):
            os.write(_STDERR, f"{self._what}: {done}\n".encode("utf-8", "backslashreplace"))
