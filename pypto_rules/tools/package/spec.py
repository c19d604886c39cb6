"""spec.json, what to package, checked before anything is read or written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pypto_rules.tools.package.errors import PackageError

ARCHITECTURES = ("aarch64", "x86_64")
# Directories below `framework`.
FRAMEWORKS = ("caffe", "onnx", "tensorflow")
# What NPU code is for, whatever the machine around it.
ANY_MACHINE = "any"
BACKENDS = ("cann", "twin")
BACKEND_FLAG = "--@pypto_rules//pypto_rules/settings:kernel_backend"
LIBRARIES = ("op_api", "op_master", "ops_proto")
VENDOR_NAME_RULE = "a letter followed by at most 63 letters, digits or underscores"

_VENDOR_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+~_-]*")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
# A backslash or line break in a name would be escaped in SHA256SUMS.
_SHORT_PATH = re.compile(r"[^\\\n\r\0]+")


@dataclass(frozen=True)
class Source:
    """A kernel source and its place below the operator's source directory."""

    path: Path
    short: str


@dataclass(frozen=True)
class SocBinaries:
    """What was built of an operator for one SoC, and with which compile options."""

    soc: str
    binaries: Path
    variants: Path
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Op:
    """One operator of the package; `op_def` is its op.json, None for an operator without a host side."""

    op_type: str
    op_file: str
    kernel_name: str
    kernel_json: Path
    sources: tuple[Source, ...]
    headers: tuple[Path, ...]
    socs: tuple[SocBinaries, ...]
    op_def: Path | None = None


@dataclass(frozen=True)
class Host:
    """The host side: libraries by role (op_api, op_master, ops_proto), headers as files or directories."""

    libraries: Mapping[str, Path]
    aclnn_headers: tuple[Path, ...]
    proto_headers: tuple[Path, ...]
    # Plug-ins by framework: what the graph compilers of TensorFlow, ONNX and Caffe read.
    plugins: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True)
class Partial:
    """An operator that was built in part, by the flags `tiling_keys` and `dtypes`: `built` variants of `of`."""

    op_file: str
    soc: str
    built: int
    of: int
    tiling_keys: tuple[str, ...]
    dtypes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The line of the installer."""
        flags = [("tiling_keys", self.tiling_keys), ("dtypes", self.dtypes)]
        by = "; ".join(f"{name} {', '.join(values)}" for name, values in flags if values)
        return f"{self.op_file} for {self.soc}: {self.built} of {self.of} variants ({by})"


@dataclass(frozen=True)
class Spec:
    """The whole package. Operators are sorted by file name, SoCs by name; `partial` lists what is not complete.

    `toolkit` is what the backend is made of, version by name; empty for the twin.
    """

    vendor_name: str
    version: str
    arch: str
    backend: str
    toolkit: Mapping[str, str]
    package_file: str
    ops: tuple[Op, ...]
    host: Host
    partial: tuple[Partial, ...] = ()

    @property
    def socs(self) -> tuple[str, ...]:
        """Every SoC some operator has binaries for."""
        return tuple(sorted({soc.soc for op in self.ops for soc in op.socs}))

    @property
    def kernel_arch(self) -> str:
        """The machines its kernels are for."""
        return self.arch if self.backend == "twin" else ANY_MACHINE


def vendor_name_problem(name: str) -> str | None:
    """What is wrong with a vendor name, or None. It becomes a directory, a word of config.ini, a file name."""
    if _VENDOR_NAME.fullmatch(name):
        return None
    return f"vendor_name '{name}' is not usable; allowed is {VENDOR_NAME_RULE}. Change the vendor_name of the package."


def load(path: Path) -> Spec:
    """Read and check spec.json."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise PackageError(f"cannot read the spec {path.name}: {error}") from error
    return from_json(data)


def from_json(data: Any) -> Spec:
    """The spec from JSON data."""
    vendor = _text(data, "vendor_name", "spec")
    problem = vendor_name_problem(vendor)
    if problem:
        raise PackageError(problem)
    arch = _choice(data, "arch", ARCHITECTURES)
    package_file = data.get("package_file") or f"cann-ops-{vendor}_linux-{arch}.run"
    _check_pattern("package_file", package_file, _FILE_NAME)
    _check_pattern("version", _text(data, "version", "spec"), _VERSION)
    ops = tuple(sorted((_op(op) for op in _list(data, "ops", "spec")), key=lambda op: op.op_file))
    _check_ops(ops)
    backend = _choice(data, "backend", BACKENDS)
    host = _host(data.get("host", {}), backend)
    return Spec(vendor, data["version"], arch, backend, _toolkit(data, backend), package_file, ops, host)


def _toolkit(data: Any, backend: str) -> dict[str, str]:
    toolkit = data.get("toolkit", {})
    for name in sorted(toolkit):
        _check_pattern(f"toolkit: the version of {name}", toolkit[name], _VERSION)
    if backend == "cann" and "cann" not in toolkit:
        raise PackageError(
            "toolkit does not say the version of 'cann', which version.info of a package of the CANN backend names; "
            "set it in the `toolkit` of the pypto_toolchain"
        )
    return dict(sorted(toolkit.items()))


def _host(data: Any, backend: str) -> Host:
    made_by = data.get("backend") or backend
    if made_by != backend:
        raise PackageError(
            f"host: the kernels are of the backend {backend}, the host side is of {made_by}, whose run time cannot "
            f"launch them. Build both of one: {BACKEND_FLAG}={backend}"
        )
    libraries = data.get("libraries", {})
    unknown = sorted(set(libraries) - set(LIBRARIES))
    if unknown:
        raise PackageError(f"host: libraries has '{unknown[0]}'; known are {', '.join(LIBRARIES)}")
    return Host(
        libraries={role: Path(_text(libraries, role, "host: libraries")) for role in sorted(libraries)},
        aclnn_headers=tuple(Path(path) for path in data.get("aclnn_headers", ())),
        proto_headers=tuple(Path(path) for path in data.get("proto_headers", ())),
        plugins=tuple(_plugin(plugin) for plugin in data.get("plugins", ())),
    )


def _plugin(data: Any) -> tuple[str, Path]:
    return _choice(data, "framework", FRAMEWORKS), Path(_text(data, "path", "host: plugins[]"))


def _op(data: Any) -> Op:
    name = _text(data, "op_file", "ops[]")
    where = f"operator {name}"
    headers = data.get("headers", [])
    for key in ("op_file", "op_type", "kernel_name"):
        _check_pattern(f"{where}: {key}", _text(data, key, where), _IDENTIFIER)
    return Op(
        op_type=data["op_type"],
        op_file=name,
        kernel_name=data["kernel_name"],
        kernel_json=Path(_text(data, "kernel_json", where)),
        sources=tuple(_source(source, where) for source in _list(data, "sources", where)),
        headers=tuple(Path(h) for h in ([headers] if isinstance(headers, str) else headers)),
        socs=tuple(sorted((_soc(soc, where) for soc in _list(data, "socs", where)), key=lambda soc: soc.soc)),
        op_def=Path(_text(data, "op_def", where)) if data.get("op_def") else None,
    )


def _source(data: Any, where: str) -> Source:
    short = _text(data, "short", where)
    parts = PurePosixPath(short).parts
    if not _SHORT_PATH.fullmatch(short) or short.startswith("/") or ".." in parts:
        raise PackageError(f"{where}: source '{short}' is not a relative path inside the operator's directory")
    return Source(Path(_text(data, "path", where)), str(PurePosixPath(short)))


def _soc(data: Any, where: str) -> SocBinaries:
    soc = _text(data, "soc", where)
    _check_pattern(f"{where}: soc", soc, _IDENTIFIER)
    options = tuple(data.get("options", ()))
    return SocBinaries(soc, Path(_text(data, "binaries", where)), Path(_text(data, "variants", where)), options)


def _check_ops(ops: tuple[Op, ...]) -> None:
    if not ops:
        raise PackageError("the package holds no operator; list at least one in its ops")
    for attribute, what in (("op_file", "file name"), ("op_type", "type")):
        seen: dict[str, Op] = {}
        for op in ops:
            value = getattr(op, attribute)
            other = seen.setdefault(value, op)
            if other is not op:
                raise PackageError(
                    f"operators {other.op_file} ({other.op_type}) and {op.op_file} ({op.op_type}) have the same {what} "
                    f"'{value}'; a package holds each once. Rename one or put it in another package."
                )
    for op in ops:
        names = [soc.soc for soc in op.socs]
        if not names or len(set(names)) != len(names):
            raise PackageError(
                f"operator {op.op_file}: its SoCs are {names}; each must occur once, and there must be one"
            )


def _text(data: Any, key: str, where: str) -> str:
    value = data.get(key) if isinstance(data, dict) else None
    if not isinstance(value, str):
        raise PackageError(f"{where}: {key} is {value!r}; it must be a string")
    return value


def _list(data: Any, key: str, where: str) -> list[Any]:
    value = data.get(key) if isinstance(data, dict) else None
    if not isinstance(value, list):
        raise PackageError(f"{where}: {key} is {value!r}; it must be a list")
    return value


def _choice(data: Any, key: str, allowed: tuple[str, ...]) -> str:
    value = _text(data, key, "spec")
    if value not in allowed:
        raise PackageError(f"{key} '{value}' is not known; allowed are {', '.join(allowed)}")
    return value


def _check_pattern(what: str, value: Any, pattern: re.Pattern[str]) -> None:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise PackageError(f"{what} '{value}' is not usable; it must match {pattern.pattern}")
