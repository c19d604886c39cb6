"""The twin's host library for Python: JSON questions (`pypto_twin/host/testing.h`) and acl functions."""

from __future__ import annotations

import ctypes
import functools
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pypto_rules.testing.errors import HostSideError, KernelCallError


class Runtime:
    """`libpypto_twin_host.so`, loaded."""

    def __init__(self, path: Path) -> None:
        """Load the library for the whole process: host libraries of packages find it by its name.

        Raises:
            KernelCallError: it is the run time of another backend.
        """
        try:
            self.library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
            self.library.pypto_twin_free.argtypes = [ctypes.c_void_p]
        except (OSError, AttributeError) as error:
            raise KernelCallError(
                f"{path.name} is not the run time of the CPU twin, on which tests call host sides and operators "
                f"({error}). Run the test with --@pypto_rules//pypto_rules/settings:kernel_backend=twin"
            ) from error

    def ask(self, function: str, request: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The answer of a function of testing.h.

        Raises:
            HostSideError: the answer is an error, with its text.
        """
        entry = getattr(self.library, function)
        entry.restype = ctypes.c_void_p
        address = entry() if request is None else entry(json.dumps(request).encode())
        try:
            answer = json.loads(ctypes.string_at(address))
        finally:
            self.library.pypto_twin_free(address)
        if not answer["ok"]:
            raise HostSideError(answer["error"])
        return answer


def variable(name: str, rule: str) -> str:
    """A variable that the rule of the test sets."""
    if name not in os.environ:
        raise KernelCallError(f"{name} is not set: this works in a {rule}; run the test with Bazel")
    return os.environ[name]


def runfile(name: str, rule: str) -> Path:
    """The file or directory a variable names below the runfiles directory."""
    return Path(variable("TEST_SRCDIR", rule), variable(name, rule))


@functools.cache
def load_runtime(path: Path) -> Runtime:
    """One library for the process."""
    return Runtime(path)
