"""op.json: what an OpDef says, as every tool after it reads it.

`inputs`, `outputs` and `attrs` are in the OpDef's order. The lists `dtypes` and `formats` of all parameters are columns
read in parallel: item i of each of them is one combination the operator supports. An op.json written by hand may leave
out everything but `op_type` and the names of inputs and outputs; without `socs` it holds for every SoC.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

SCHEMA_VERSION = 1
PARAM_TYPES = ("required", "optional", "dynamic", "virtual")


class OpDefError(ValueError):
    """The file is no OpDef, or has nothing for what is asked; the text says what it has."""


@dataclass(frozen=True)
class Param:
    """An input or output. `at` is the line of the `_def.cpp` that declares it, empty in files written by hand."""

    name: str
    param_type: str = "required"
    dtypes: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    unknown_shape_formats: tuple[str, ...] = ()
    value_depend: str | None = None
    auto_contiguous: bool = False
    ignore_contiguous: bool = False
    shape_depends_on_compute: bool = False
    init_value: float | None = None
    at: str = ""

    def format(self, column: int) -> str:
        """The format in a column; ND where none is said."""
        return self.formats[column] if self.formats else "ND"


@dataclass(frozen=True)
class Attr:
    """An attribute; `type` is int, float, bool, str, or list_ of these, or list_list_int."""

    name: str
    type: str
    required: bool = True
    default: Any = None
    at: str = ""


@dataclass(frozen=True)
class SocConfig:
    """What the operator is on one SoC; parameters here replace those of the same name."""

    inputs: tuple[Param, ...] = ()
    outputs: tuple[Param, ...] = ()
    attrs: tuple[Attr, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict)
    extended: Mapping[str, str] = field(default_factory=dict)
    at: str = ""


@dataclass(frozen=True)
class Column:
    """One combination: dtype and format of every parameter by name; `index` counts the OpDef's columns."""

    index: int
    tensors: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class SocOp:
    """The operator on one SoC."""

    op_type: str
    soc: str
    inputs: tuple[Param, ...]
    outputs: tuple[Param, ...]
    attrs: tuple[Attr, ...]
    op_file: str
    op_interface: str
    flags: Mapping[str, str]
    extended: Mapping[str, str]

    @property
    def params(self) -> tuple[Param, ...]:
        """Inputs, then outputs."""
        return (*self.inputs, *self.outputs)

    @property
    def columns(self) -> list[Column]:
        """The combinations; of those equal in all required and dynamic parameters the first alone (cann-flow, 4.2)."""
        count = max((len(param.dtypes) for param in self.params), default=0)
        columns: dict[tuple[Any, ...], Column] = {}
        for index in range(count):
            tensors = {p.name: (p.dtypes[index], p.format(index)) for p in self.params if p.dtypes}
            told_apart = tuple(tensors.get(p.name) for p in self.params if p.param_type in ("required", "dynamic"))
            columns.setdefault(told_apart, Column(index, tensors))
        return list(columns.values())


@dataclass(frozen=True)
class OpDef:
    """A whole op.json; `op_file` and `op_interface` are those written by hand, None where nothing is said."""

    op_type: str
    inputs: tuple[Param, ...]
    outputs: tuple[Param, ...]
    attrs: tuple[Attr, ...] = ()
    socs: Mapping[str, SocConfig] | None = None
    op_file: str | None = None
    op_interface: str | None = None
    fallback: bool = False
    at: str = ""

    def for_soc(self, soc: str) -> SocOp:
        """The operator on a SoC; OpDefError when the OpDef does not register it there."""
        config = SocConfig() if self.socs is None else self.socs.get(soc)
        if config is None:
            registered = ", ".join(self.socs or ()) or "none"
            where = f" ({self.at})" if self.at else ""
            raise OpDefError(
                f"{self.op_type} is not registered for {soc}; its OpDef{where} has AddConfig for {registered}. "
                f'Add this->AICore().AddConfig("{soc}") to it, or build for one of those'
            )
        snake = snake_case(self.op_type)
        return SocOp(
            op_type=self.op_type,
            soc=soc,
            inputs=_replaced(self.inputs, config.inputs),
            outputs=_replaced(self.outputs, config.outputs),
            attrs=_replaced(self.attrs, config.attrs),
            op_file=config.extended.get("opFile.value", self.op_file or snake),
            op_interface=config.extended.get("opInterface.value", self.op_interface or snake),
            flags=config.flags,
            extended=config.extended,
        )


def snake_case(op_type: str) -> str:
    """`AddExample` → `add_example`, `BNInfer` → `bn_infer`: as CANN names files; acronyms stay together."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", op_type)
    return re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", spaced).lower()


def _replaced(items: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Any, ...]:
    by_name = {other.name: other for other in others}
    kept = tuple(by_name.pop(item.name, item) for item in items)
    return (*kept, *by_name.values())


def read(path: Path, shown: str) -> OpDef:
    """Read an op.json; `shown` is what errors call it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OpDefError(f"cannot read the OpDef description {shown}: {error.strerror}") from error
    except ValueError as error:
        raise OpDefError(f"the OpDef description {shown} is not JSON: {error}") from error
    try:
        return from_json(data)
    except (KeyError, TypeError, AttributeError) as error:
        wanted = "an object with op_type, inputs and outputs, each of these a list of objects with a name"
        raise OpDefError(f"the OpDef description {shown} is not {wanted}: {error!r}") from error


def from_json(data: Mapping[str, Any]) -> OpDef:
    """The OpDef of JSON data."""
    if data.get("schema_version", SCHEMA_VERSION) != SCHEMA_VERSION:
        raise TypeError(f"schema_version {data['schema_version']!r}")
    socs = data.get("socs")
    return OpDef(
        op_type=str(data["op_type"]),
        inputs=tuple(_param(item) for item in data["inputs"]),
        outputs=tuple(_param(item) for item in data["outputs"]),
        attrs=tuple(_attr(item) for item in data.get("attrs", ())),
        socs=None if socs is None else {soc: _soc_config(config) for soc, config in socs.items()},
        op_file=data.get("op_file"),
        op_interface=data.get("op_interface"),
        fallback=bool(data.get("fallback", False)),
        at=str(data.get("at", "")),
    )


def _soc_config(data: Mapping[str, Any]) -> SocConfig:
    return SocConfig(
        inputs=tuple(_param(item) for item in data.get("inputs", ())),
        outputs=tuple(_param(item) for item in data.get("outputs", ())),
        attrs=tuple(_attr(item) for item in data.get("attrs", ())),
        flags=dict(data.get("flags", {})),
        extended=dict(data.get("extended", {})),
        at=str(data.get("at", "")),
    )


def _param(item: Mapping[str, Any]) -> Param:
    param = Param(name=str(item["name"]))
    lists = {key: tuple(item.get(key, ())) for key in ("dtypes", "formats", "unknown_shape_formats")}
    rest = ("param_type", "value_depend", "auto_contiguous", "ignore_contiguous")
    rest += ("shape_depends_on_compute", "init_value", "at")
    return replace(param, **lists, **{key: item[key] for key in rest if item.get(key) is not None})


def _attr(item: Mapping[str, Any]) -> Attr:
    return Attr(item["name"], item["type"], item.get("required", True), item.get("default"), item.get("at", ""))
