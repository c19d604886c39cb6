"""`Kernel`: a built kernel as a Python callable."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pypto_rules.testing.binary import Binary, Failure
from pypto_rules.testing.dtypes import NUMPY_DTYPES
from pypto_rules.testing.errors import KernelCallError, KernelRuleError
from pypto_rules.testing.tiling import pack
from pypto_rules.tools.contract import manifest

# Set by pypto_kernel_test: runfiles path of the kernel's directory of binaries.
_KERNEL_VARIABLE = "PYPTO_KERNEL"

# Bits of the block number that the hardware and the twin's ABI have.
_MOST_BLOCKS = 65535


class Kernel:
    """A kernel's binaries with its contract."""

    def __init__(self, contract: manifest.Kernel, binaries: Sequence[Binary], positions: Mapping[str, Any]) -> None:
        """`positions`: source positions by (column dtypes, packed key), may be empty for an installed kernel."""
        self.contract = contract
        self.binaries = list(binaries)
        self._positions = positions

    @property
    def keys(self) -> list[dict[str, int]]:
        """Every TilingKey combination that was built, by field name, in the schema's order."""
        built = {packed for binary in self.binaries for packed in binary.symbols}
        schema = self.contract.tiling_key
        return [schema.as_dict(valid.combo) for valid in schema.valid if valid.packed in built]

    @property
    def columns(self) -> list[dict[str, str]]:
        """The dtype columns: dtype variable → CANN dtype name."""
        return [binary.dtypes for binary in self.binaries]

    def __call__(
        self,
        *arrays: np.ndarray,
        tiling_key: Mapping[str, int],
        tiling: Any,
        dtypes: Mapping[str, str] | None = None,
        block_dim: int = 1,
        workspace: int = 0,
    ) -> None:
        """Run one variant.

        Args:
            arrays: inputs and outputs in parameter order; C-contiguous; outputs are changed in place.
            tiling_key: value of every TilingKey field.
            tiling: value of every TilingData field in a mapping, or an object of its class in `pypto_tiling.<kernel>`.
            dtypes: dtype column, e.g. `{"data_dtype": "float16"}`; may be left out when there is one column.
            block_dim: number of blocks, as the host passes it to SetBlockDim.
            workspace: size of the workspace in bytes.

        Raises:
            KernelCallError: the call does not fit the kernel's contract.
            KernelRuleError: the kernel broke a rule of the hardware; names the operation and its line.
        """
        if not 1 <= block_dim <= _MOST_BLOCKS:
            raise KernelCallError(f"block_dim is {block_dim}; allowed are 1 to {_MOST_BLOCKS}")
        packed = self._packed(tiling_key)
        binary = self._binary(dtypes or {})
        if packed not in binary.symbols:
            built = "; ".join(str(key) for key in self.keys)
            raise KernelCallError(
                f"{dict(tiling_key)} is a TilingKey of {self.contract.kernel_name}, but was not built: the flag "
                f"tiling_keys narrowed this build; built are: {built}"
            )
        self._check_arrays(arrays, binary)
        scratch = np.zeros(workspace, np.uint8)
        # The kernel must not write where numpy would not let it.
        passed = [array if array.flags.writeable else array.copy() for array in arrays]
        failure = binary.run(packed, [*passed, scratch], pack(self.contract.tiling, tiling), block_dim)
        if failure:
            raise KernelRuleError(self._explain(failure, binary, packed, tiling_key))
        for param, given, used in zip(self.contract.business_params, arrays, passed, strict=True):
            if given.tobytes() != used.tobytes():
                raise KernelCallError(f"the kernel writes to '{param.name}', whose array is read-only; pass a copy")

    def _packed(self, tiling_key: Mapping[str, int]) -> int:
        for valid in self.contract.tiling_key.valid:
            if self.contract.tiling_key.as_dict(valid.combo) == dict(tiling_key):
                return valid.packed
        allowed = "; ".join(str(key) for key in self.keys)
        raise KernelCallError(
            f"{dict(tiling_key)} is not a TilingKey of {self.contract.kernel_name}; valid are: {allowed}"
        )

    def _binary(self, dtypes: Mapping[str, str]) -> Binary:
        if not dtypes and len(self.binaries) == 1:
            return self.binaries[0]
        for binary in self.binaries:
            if binary.dtypes == dict(dtypes):
                return binary
        allowed = "; ".join(str(column) for column in self.columns)
        raise KernelCallError(
            f"{dict(dtypes)} is not a dtype column of {self.contract.kernel_name}; built are: {allowed}"
        )

    def _check_arrays(self, arrays: Sequence[np.ndarray], binary: Binary) -> None:
        params = self.contract.business_params
        if len(arrays) != len(params):
            names = ", ".join(param.name for param in params)
            raise KernelCallError(
                f"{self.contract.kernel_name} takes {len(params)} arrays ({names}), {len(arrays)} given"
            )
        for param, array in zip(params, arrays, strict=True):
            if not array.flags.c_contiguous:
                raise KernelCallError(f"array for '{param.name}' is not C-contiguous; pass numpy.ascontiguousarray(…)")
            variable = (self.contract.datatype or {}).get(param.name)
            expected = NUMPY_DTYPES[binary.dtypes[variable]] if variable else None
            if expected is not None and array.dtype != expected:
                raise KernelCallError(
                    f"array for '{param.name}' is {array.dtype}, the column {binary.dtypes} takes {expected}; "
                    "convert it with astype"
                )

    def line_of(self, dtypes: Mapping[str, str], packed: int, site: int) -> str | None:
        """`file:line:column` of an operation of a variant, None when it is not known."""
        sites = self._positions.get(_variant_id(dtypes, packed), [])
        if not 0 <= site < len(sites):
            return None
        return f"{sites[site]['file']}:{sites[site]['line']}:{sites[site]['col']}"

    def _explain(self, failure: Failure, binary: Binary, packed: int, tiling_key: Mapping[str, int]) -> str:
        where = self.line_of(binary.dtypes, packed, failure.site) or f"{self.contract.op_file}.py"
        names = [param.name for param in self.contract.params]
        message = re.sub(r"\bargument (\d+)", lambda found: f"argument '{names[int(found[1])]}'", failure.message)
        variant = f"{dict(tiling_key)}, {binary.dtypes or 'no dtypes'}, TilingKey {packed}"
        return f"{where}: {message} [variant {variant}]"


def open_kernel(
    directory: Path, kernel_json: Path, variants: Path | None = None, source_map: Path | None = None
) -> Kernel:
    """A kernel from files: the directory of binaries and kernel.json; the other two give errors their source lines."""
    binaries = [Binary(path) for path in sorted(directory.glob("*.json"))]
    if not binaries:
        raise KernelCallError(f"{directory.name} holds no binary; build the kernel first")
    positions = _positions(variants, source_map) if variants and source_map else {}
    return Kernel(manifest.read(kernel_json), binaries, positions)


def load_kernel() -> Kernel:
    """The kernel of this pypto_kernel_test."""
    if _KERNEL_VARIABLE not in os.environ:
        raise KernelCallError(
            f"{_KERNEL_VARIABLE} is not set: load_kernel() works in a pypto_kernel_test; elsewhere use open_kernel()"
        )
    directory = Path(os.environ["TEST_SRCDIR"], os.environ[_KERNEL_VARIABLE])
    beside = {
        kind: directory.with_name(directory.name.removesuffix(".bin") + kind)
        for kind in (".kernel.json", ".variants.json", ".source_map.json")
    }
    return open_kernel(directory, beside[".kernel.json"], beside[".variants.json"], beside[".source_map.json"])


def _positions(variants: Path, source_map: Path) -> dict[str, Any]:
    table = json.loads(variants.read_text(encoding="utf-8"))
    sources = json.loads(source_map.read_text(encoding="utf-8"))["sources"]
    dtypes = {column["index"]: column["dtypes"] for column in table["columns"]}
    return {_variant_id(dtypes[v["column"]], v["tiling_key"]): sources[v["source"]] for v in table["variants"]}


def _variant_id(dtypes: Mapping[str, str], packed: int) -> str:
    return json.dumps([dict(dtypes), packed], sort_keys=True)
