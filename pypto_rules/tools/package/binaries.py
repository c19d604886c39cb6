"""The binaries of one operator for one SoC: read, and checked against each other, kernel.json and variants.json.

A binary of one build with the metadata of another gives wrong results without a word at run time, so nothing is taken
on trust.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.package.binary_json import own_data
from pypto_rules.tools.package.errors import PackageError
from pypto_rules.tools.package.spec import BACKEND_FLAG, Op, Partial, SocBinaries


@dataclass(frozen=True)
class Entry:
    """One TilingKey of a binary."""

    tiling_key: int
    combo: dict[str, int]
    symbol: str


@dataclass(frozen=True)
class Binary:
    """One column: the binary, its json and what the json says."""

    path: Path
    json_path: Path
    data: dict[str, Any]
    backend: str
    dtypes: dict[str, str]
    entries: tuple[Entry, ...]

    @property
    def support(self) -> dict[str, Any]:
        """What it supports by its OpDef column; empty without an OpDef."""
        return self.data.get("supportInfo", {})

    @property
    def answers_to(self) -> str:
        """What no two binaries of an operator may share: columns of equal dtypes differ in formats."""
        tensors = [self.support.get(side) for side in ("inputs", "outputs")]
        return json.dumps([_dtypes_text(self.dtypes), tensors], sort_keys=True)


@dataclass(frozen=True)
class _Built:
    """A column of variants.json. `binary` is the name of its binary, None where the link chooses it (the twin)."""

    dtypes: str
    binary: str | None
    keys: frozenset[int]

    def has(self, binary: Binary) -> bool:
        """Whether a binary is of this column. The twin links one of a column for each format the OpDef has with it."""
        return self.binary in (None, binary.json_path.stem) and self.dtypes == _dtypes_text(binary.dtypes)

    def __str__(self) -> str:
        return f"dtypes {self.dtypes}" + (f" ({self.binary})" if self.binary else "")


def read_kernel(op: Op) -> manifest.Kernel:
    """kernel.json of the operator, which must be of that operator."""
    try:
        kernel = manifest.read(op.kernel_json)
    except manifest.ManifestError as error:
        raise PackageError(f"operator {op.op_file}: {error}") from error
    for key in ("op_file", "kernel_name"):
        if getattr(kernel, key) != getattr(op, key):
            raise PackageError(
                f"operator {op.op_file}: kernel.json has {key} '{getattr(kernel, key)}', the package expects "
                f"'{getattr(op, key)}'; rebuild the kernel"
            )
    return kernel


def read_binaries(op: Op, soc: SocBinaries, kernel: manifest.Kernel, backend: str) -> list[Binary]:
    """Every binary of the directory, sorted by name."""
    where = f"operator {op.op_file} for {soc.soc}"
    files = {path.name: path for path in sorted(soc.binaries.iterdir())} if soc.binaries.is_dir() else {}
    jsons = [path for name, path in files.items() if name.endswith(".json")]
    if not jsons:
        raise PackageError(f"{where}: there is no binary in {soc.binaries}; rebuild the kernel")
    binaries = [_read_binary(path, where, backend) for path in jsons]
    strangers = sorted(files.keys() - {p.name for b in binaries for p in (b.path, b.json_path)})
    if strangers:
        raise PackageError(f"{where}: {strangers[0]} belongs to no binary's json; each binary needs its json beside it")
    _check_keys(binaries, soc, kernel, where)
    return binaries


def _read_binary(json_path: Path, where: str, backend: str) -> Binary:
    where = f"{where}: {json_path.name}"
    data = _load(json_path, where)
    own = own_data(data)
    if data.get("binFileName") != json_path.stem:
        raise PackageError(
            f"{where}: binFileName is {data.get('binFileName')!r}, expected '{json_path.stem}'; rebuild the kernel"
        )
    if own.get("backend") != backend:
        raise PackageError(
            f"{where}: the binary is of the backend {own.get('backend')}, the package of {backend}; rebuild the kernel "
            f"with {BACKEND_FLAG}={backend}"
        )
    path = json_path.with_name(f"{json_path.stem}{data.get('binFileSuffix')}")
    if not path.is_file():
        raise PackageError(f"{where}: the binary {path.name} it speaks of is not there; rebuild the kernel")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if data.get("sha256") != digest:
        raise PackageError(
            f"{where}: {path.name} has sha256 {digest}, its json says {data.get('sha256')}: "
            "binary and json are of different builds; rebuild the kernel"
        )
    try:
        entries = tuple(Entry(e["tilingKey"], e["combo"], e["kernelName"]) for e in own["kernelList"])
        return Binary(path, json_path, data, backend, own["dtypes"], entries)
    except (KeyError, TypeError) as error:
        raise PackageError(f"{where}: incomplete: {error}; rebuild the kernel") from error


def partial_of(op: Op, soc: SocBinaries) -> Partial | None:
    """What variants.json says of a build narrowed by flags, None of a whole one."""
    where = f"operator {op.op_file} for {soc.soc}"
    data = _load(soc.variants, where)
    narrowed = data.get("narrowed")
    if narrowed is None:
        return None
    try:
        built = len({(variant["column"], variant["tiling_key"]) for variant in data["variants"]})
        chosen = tuple(narrowed["tiling_keys"]), tuple(narrowed["dtypes"])
        return Partial(op.op_file, soc.soc, built, narrowed["of"], *chosen)
    except (KeyError, TypeError) as error:
        raise PackageError(f"{where}: variants.json is incomplete: {error}; rebuild the kernel") from error


def _check_keys(binaries: list[Binary], soc: SocBinaries, kernel: manifest.Kernel, where: str) -> None:
    columns = _built_columns(_load(soc.variants, where), where)
    combos = {valid.packed: kernel.tiling_key.as_dict(valid.combo) for valid in kernel.tiling_key.valid}
    seen: dict[str, Binary] = {}
    for binary in binaries:
        dtypes = _dtypes_text(binary.dtypes)
        other = seen.setdefault(binary.answers_to, binary)
        if other is not binary:
            raise PackageError(f"{where}: {other.path.name} and {binary.path.name} are both for dtypes {dtypes}")
        keys = sorted(entry.tiling_key for entry in binary.entries)
        built = sorted({key for column in columns if column.has(binary) for key in column.keys})
        if keys != built:
            raise PackageError(
                f"{where}: {binary.path.name} ({dtypes}) has the TilingKeys {keys}, variants.json {built}; "
                "rebuild the kernel"
            )
        for entry in binary.entries:
            if combos.get(entry.tiling_key) != entry.combo:
                raise PackageError(
                    f"{where}: {binary.path.name} says TilingKey {entry.tiling_key} is {entry.combo}, "
                    f"kernel.json says {combos.get(entry.tiling_key, 'there is no such key')}; rebuild the kernel"
                )
    missing = sorted(str(column) for column in columns if not any(column.has(binary) for binary in binaries))
    if missing:
        raise PackageError(f"{where}: there is no binary for {missing[0]}, which variants.json has; rebuild the kernel")


def _built_columns(data: dict[str, Any], where: str) -> list[_Built]:
    """The columns of variants.json. A key on several cores occurs several times in it, but is one key."""
    try:
        keys: dict[int, set[int]] = {column["index"]: set() for column in data["columns"]}
        for variant in data["variants"]:
            keys[variant["column"]].add(variant["tiling_key"])
        return [
            _Built(_dtypes_text(column["dtypes"]), column.get("binary"), frozenset(keys[column["index"]]))
            for column in data["columns"]
        ]
    except (KeyError, TypeError) as error:
        raise PackageError(f"{where}: variants.json is incomplete: {error}; rebuild the kernel") from error


def _dtypes_text(dtypes: dict[str, str]) -> str:
    return ", ".join(f"{variable}={dtype}" for variable, dtype in sorted(dtypes.items())) or "(none)"


def _load(path: Path, where: str) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise PackageError(f"{where}: cannot read {path.name}: {error}; rebuild the kernel") from error
    if not isinstance(data, dict):
        raise PackageError(f"{where}: {path.name} holds no JSON object; rebuild the kernel")
    return data
