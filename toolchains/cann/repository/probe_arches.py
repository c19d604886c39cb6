"""Asks a pypto_pro which architectures it generates code for.

    probe_arches.py DIRECTORY ARCH...

`DIRECTORY` is where `pypto_pro` and `pypto` are imported from. Prints an object: `accepted`, those of the architectures
that it takes, in their order, and `error`, why it could not be asked ("" if it could). The names differ from version to
version, and none lists them; so each is tried, in a process that ends with it. torch is not needed for that, and real
ones look for devices.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import MagicMock

_STUBS = ("torch", "torch_npu")


def _brief(error: BaseException) -> str:
    """An error on one line."""
    return f"{type(error).__name__}: {error}".split("\n")[0]


def _setter(directory: str) -> Callable[[str], Any]:
    """The function of pypto_pro that takes an architecture or refuses it."""
    sys.modules.update({name: MagicMock(name=name) for name in _STUBS})
    sys.path.insert(0, directory)
    setter: Callable[[str], Any] = importlib.import_module("pypto_pro.runtime.jit")._setup_arch_env
    return setter


def _takes(setter: Callable[[str], Any], arch: str) -> bool:
    try:
        setter(arch)
    except Exception:  # pypto_pro has errors of its own, and which one it raises depends on the version
        return False
    return True


def probe(directory: str, arches: Sequence[str]) -> dict[str, Any]:
    """The answer."""
    warnings.simplefilter("ignore")
    try:
        # What it prints is not for us.
        with contextlib.redirect_stdout(sys.stderr):
            setter = _setter(directory)
            accepted = [arch for arch in arches if _takes(setter, arch)]
    except BaseException as error:  # the module is not ours: it may raise anything, SystemExit, too
        return {"accepted": [], "error": _brief(error)}
    return {"accepted": accepted, "error": ""}


def main(arguments: Sequence[str]) -> int:
    """Exit status: always 0, since a failure is an answer."""
    print(json.dumps(probe(arguments[0], arguments[1:])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
