"""One built binary: the entries of a dtype column, called through the twin's ABI (`pypto_twin/abi.h`)."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pypto_rules.testing.abi import Launch
from pypto_rules.testing.errors import KernelCallError
from pypto_rules.tools.package.binary_json import own_data

_MESSAGE_BYTES = 4096


@dataclass(frozen=True)
class Failure:
    """A rule the kernel broke: the run time's text and the site in the generated source, -1 if none."""

    message: str
    site: int


class Binary:
    """A `<binary>.json` with the shared object beside it."""

    def __init__(self, description: Path) -> None:
        """Read the json; the shared object is loaded at the first call.

        Raises:
            KernelCallError: the binary is none of the CPU twin.
        """
        self.path = description
        self.json: dict[str, Any] = json.loads(description.read_text(encoding="utf-8"))
        own = own_data(self.json)
        if own["backend"] != "twin":
            raise KernelCallError(
                f"{description.stem} is a binary of the {own['backend']} backend, which runs on an NPU alone; "
                "tests call kernels on the CPU twin. Run the test with "
                "--@pypto_rules//pypto_rules/settings:kernel_backend=twin"
            )
        self.dtypes: dict[str, str] = own["dtypes"]
        self.symbols: dict[int, str] = {entry["tilingKey"]: entry["kernelName"] for entry in own["kernelList"]}
        self._library: ctypes.CDLL | None = None

    @property
    def library(self) -> ctypes.CDLL:
        """The loaded shared object."""
        if self._library is None:
            self._library = ctypes.CDLL(str(self.path.with_name(self.json["binFileName"] + self.json["binFileSuffix"])))
        return self._library

    def run(self, tiling_key: int, args: Sequence[np.ndarray], tiling: bytes, block_dim: int) -> Failure | None:
        """Run the entry of a packed TilingKey over `args` (inputs, outputs, workspace), which it changes in place."""
        entry = getattr(self.library, self.symbols[tiling_key])
        entry.restype = ctypes.c_int32
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        launch = Launch(
            struct_size=ctypes.sizeof(Launch),
            block_dim=block_dim,
            arg_count=len(args),
            args=(ctypes.c_void_p * len(args))(*[array.ctypes.data for array in args]),
            arg_bytes=(ctypes.c_uint64 * len(args))(*[array.nbytes for array in args]),
            tiling=tiling,
            tiling_bytes=len(tiling),
            message=ctypes.cast(message, ctypes.c_char_p),
            message_bytes=_MESSAGE_BYTES,
            site=-1,
        )
        if entry(ctypes.byref(launch)) == 0:
            return None
        return Failure(message.value.decode("utf-8", "replace"), launch.site)
