"""The TilingKey: its class, fields, bits, and every valid combination with its packed key."""

from __future__ import annotations

import ast
import difflib
import inspect
import math
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract import (
    combinations,
    cxx_names,
    declarations,
    failures,
    key_fields,
    manifest,
    narrowing,
    progress,
    source,
)
from pypto_rules.tools.contract.problems import Location, Problems

INVALID_KEY = 2**64 - 1  # what the host's packing returns for an unknown value
DEFAULT_MAX_VARIANTS = 4096


@dataclass(frozen=True)
class Bounds:
    """How many combinations may be valid; `alive` is called now and then while they are looked for."""

    max_variants: int = DEFAULT_MAX_VARIANTS
    alive: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class KeyContext:
    """What a schema is checked against."""

    index: source.SourceIndex
    problems: Problems
    at: Location  # of the tiling_key keyword
    bounds: Bounds = Bounds()


class SchemaCheck:
    """Checks one TilingKey class and describes it."""

    def __init__(self, cls: type, context: KeyContext) -> None:
        self._cls = cls
        self._problems = context.problems
        self._index = context.index
        self._limit = context.bounds.max_variants
        self._alive = context.bounds.alive
        placed = context.index.class_node(cls)
        self._file, self._node = placed if placed is not None else (None, None)
        self._fallback = context.at
        self._at_class = self._file.at_name(self._node) if self._file and self._node else context.at
        self._members = source.assignments(self._node.body) if self._node else {}

    def at_field(self, name: str) -> Location:
        """Where a field is declared."""
        private = name.removeprefix(f"_{self._cls.__name__}")  # __x in a class body is renamed by Python
        for key in (name, private):
            if key in self._members and self._file:
                return self._file.at(self._members[key][-1])
        return self._at_class

    def run(self) -> manifest.TilingKey | None:
        """The schema, None when it has problems."""
        before = len(self._problems.found)
        self._check_inherited()
        self._check_class_name()
        fields = {name: value for name, value in vars(self._cls).items() if declarations.is_key_field(value)}
        self._check_lost_fields()
        if not fields:
            if len(self._problems.found) == before:
                message = f"TilingKey class '{self._cls.__name__}' has no TilingKeyField; allowed are one or more"
                self._problems.add("PYPTO-E203", self._at_class, message, f"add a field: {key_fields.EXAMPLE}")
            return None
        self._check_declared_once(fields)
        described = self._fields(fields)
        predicate = self._predicate()
        if len(self._problems.found) > before:
            return None
        return self._enumerate(described, predicate)

    def _check_inherited(self) -> None:
        for base in self._cls.__mro__[1:]:
            names = [name for name, value in vars(base).items() if declarations.is_key_field(value)]
            if names:
                self._problems.add(
                    "PYPTO-E204",
                    self._at_class,
                    f"TilingKey class '{self._cls.__name__}' inherits {_listed(names)} from base class "
                    f"'{base.__name__}'; inherited fields are not part of the key",
                    f"declare {_listed(names)} in '{self._cls.__name__}' itself and drop the base class",
                )

    def _check_class_name(self) -> None:
        reason = cxx_names.why_not(self._cls.__name__)
        if reason is not None:
            better = cxx_names.better(self._cls.__name__)
            self._problems.add(
                "PYPTO-E219", self._at_class, f"TilingKey class name: {reason}", f"rename it, for example to {better}"
            )

    def _check_lost_fields(self) -> None:
        """Members that were meant as fields: Python would drop them without a word."""
        for name, value in vars(self._cls).items():
            why = key_fields.why_lost(value)
            if why is not None:
                self._report_lost(name, why)
        for name, statements in self._members.items():
            bare = [s.annotation for s in statements if isinstance(s, ast.AnnAssign) and s.value is None]
            if name not in vars(self._cls) and any("TilingKeyField" in ast.unparse(text) for text in bare):
                self._report_lost(name, "has an annotation but no value")

    def _report_lost(self, name: str, why: str) -> None:
        message = f"'{name}' of TilingKey '{self._cls.__name__}' {why}; allowed is a TilingKeyField"
        fix = f"write {key_fields.EXAMPLE.replace('mode', name)}"
        self._problems.add("PYPTO-E203", self.at_field(name), message, fix)

    def _check_declared_once(self, fields: dict[str, Any]) -> None:
        for name, statements in self._members.items():
            if name in fields and len(statements) > 1 and self._file:
                first = self._file.at(statements[0]).line
                self._problems.add(
                    "PYPTO-E218",
                    self._file.at(statements[-1]),
                    f"TilingKey field '{name}' is declared twice, first in line {first}; Python keeps the last only",
                    "rename or remove one of them",
                )
        seen: dict[int, str] = {}
        for name, value in fields.items():
            if id(value) in seen:
                self._problems.add(
                    "PYPTO-E218",
                    self.at_field(name),
                    f"TilingKey fields '{seen[id(value)]}' and '{name}' are one and the same TilingKeyField",
                    f"give '{name}' a TilingKeyField of its own",
                )
            seen.setdefault(id(value), name)

    def _fields(self, fields: dict[str, Any]) -> tuple[manifest.KeyField, ...]:
        described: list[manifest.KeyField] = []
        offset = 0
        for name, value in fields.items():
            bits, values = key_fields.FieldCheck(name, self._cls, self.at_field(name), self._problems).run(value)
            described.append(manifest.KeyField(name, bits, offset, values))
            offset += bits
        if offset > key_fields.MAX_BITS:
            used = key_fields.joined([f"{field.bits} ({field.name})" for field in described], " + ")
            self._problems.add(
                "PYPTO-E211",
                self._over_limit(described),
                f"TilingKey '{self._cls.__name__}' uses {offset} bits: {used}; allowed are {key_fields.MAX_BITS}",
                "give each field only the bits its number of values needs: the key holds indices, not values",
            )
        return tuple(described)

    def _over_limit(self, fields: list[manifest.KeyField]) -> Location:
        for field in fields:
            if field.offset + field.bits > key_fields.MAX_BITS:
                return self.at_field(field.name)
        return self._at_class

    def _predicate(self) -> combinations.Predicate | None:
        member = getattr(self._cls, "is_valid", None)
        if member is None:
            return self._no_predicate()
        wrong = self._why_no_method(member)
        if wrong is not None:
            found, fix = wrong
            message = f"is_valid of '{self._cls.__name__}' {found}"
            self._problems.add("PYPTO-E212", self._at_function("is_valid"), message, fix)
            return None
        return member.__get__(object.__new__(self._cls), self._cls)  # no __init__: the class is a declaration

    def _why_no_method(self, member: Any) -> tuple[str, str] | None:
        """What is wrong with is_valid, and the fix."""
        if not callable(member) or not hasattr(member, "__get__"):
            found = f"is {declarations.spelled(member)}; allowed is a method"
            return found, "write def is_valid(self, key): … that returns True or False"
        if not self._takes_one_key():
            found = "takes other parameters than (self, key); key is the tuple of the values of a combination"
            return (
                f"{found}, in field order",
                f"write def is_valid(self, key): and in it {_unpacked(self._field_names())}",
            )
        function = inspect.unwrap(getattr(member, "__func__", member))
        is_generator = inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)
        if is_generator or inspect.iscoroutinefunction(function):
            found = (
                f"is {'a generator' if is_generator else 'async'}: what it returns counts as true for every combination"
            )
            return found, "write a plain def that returns True or False"
        return None

    def _no_predicate(self) -> None:
        """Without is_valid every combination is valid; a misspelt one must not make it so."""
        methods = [name for name, value in vars(self._cls).items() if callable(value) and not name.startswith("__")]
        for name in difflib.get_close_matches("is_valid", methods, n=1, cutoff=0.75):
            message = f"TilingKey '{self._cls.__name__}' has no is_valid; found '{name}', which nothing calls"
            self._problems.add("PYPTO-E212", self._at_function(name), message, f"rename {name} to is_valid")

    def _takes_one_key(self) -> bool:
        """Whether is_valid is `(self, key)` or `(cls, key)`; what no signature tells is left to the call."""
        declared = inspect.getattr_static(self._cls, "is_valid")
        try:
            parameters = inspect.signature(getattr(declared, "__func__", declared)).parameters.values()
        except (TypeError, ValueError):
            return True
        required = [p for p in parameters if p.default is p.empty and p.kind is not p.KEYWORD_ONLY]
        return not isinstance(declared, staticmethod) and (
            len(required) == 2 or any(p.kind is p.VAR_POSITIONAL for p in parameters)
        )

    def _field_names(self) -> list[str]:
        return [name for name, member in vars(self._cls).items() if declarations.is_key_field(member)]

    def _at_function(self, name: str) -> Location:
        for statement in self._node.body if self._node and self._file else []:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == name:
                return self._file.at_name(statement)  # type: ignore[union-attr]
        placed = self._index.function_node(getattr(self._cls, name, None)) if name not in self._members else None
        return placed[0].at_name(placed[1]) if placed else self.at_field(name)

    def _enumerate(
        self, fields: tuple[manifest.KeyField, ...], predicate: combinations.Predicate | None
    ) -> manifest.TilingKey | None:
        try:
            outcome = combinations.valid_combinations(
                [field.values for field in fields],
                predicate,
                self._limit,
                lambda: narrowing.of(predicate, self._index),
                progress.Line(
                    f"{self._index.kernel.shown}: is_valid of TilingKey '{self._cls.__name__}'", self._alive
                ).show,
            )
        except combinations.PredicateRaised as raised:
            self._report_raised(fields, raised)
            return None
        if outcome.combos is None:
            self._report_too_many(fields, outcome, predicate is not None)
            return None
        if not outcome.combos:
            self._problems.add(
                "PYPTO-E214",
                self._at_function("is_valid"),
                f"TilingKey '{self._cls.__name__}' has no valid combination: is_valid is false for all "
                f"{math.prod(len(field.values) for field in fields)}",
                "make is_valid return True for at least one combination (a missing return counts as false)",
            )
            return None
        valid = manifest.ValidKeys(fields, array("Q", _packed(fields, outcome.combos)))
        self._check_invalid_key(fields, valid)
        return manifest.TilingKey(
            name=self._cls.__name__,
            fields=fields,
            total_bits=sum(field.bits for field in fields),
            has_is_valid=predicate is not None,
            total_combos=math.prod(len(field.values) for field in fields),
            valid=valid,
        )

    def _report_raised(self, fields: tuple[manifest.KeyField, ...], raised: combinations.PredicateRaised) -> None:
        at, *callers = failures.user_frames(raised.error, self._index) or [self._at_function("is_valid")]
        self._problems.add(
            "PYPTO-E213",
            at,
            f"is_valid raises {failures.describe(raised.error)} for {_named(fields, raised.combo)}",
            f"make def is_valid(self, key) return True or False for every combination; key is a tuple: "
            f"{_unpacked([field.name for field in fields])}",
            callers,
        )

    def _report_too_many(
        self, fields: tuple[manifest.KeyField, ...], outcome: combinations.Outcome, filtered: bool
    ) -> None:
        product = math.prod(len(field.values) for field in fields)
        formula = (
            key_fields.joined([f"{len(field.values)} ({field.name})" for field in fields], " x ") + f" = {product}"
        )
        if not filtered:
            found = f"{product} combinations: {formula}"
        elif outcome.exact:
            found = f"{outcome.count} combinations that is_valid accepts, out of {formula}"
        elif outcome.count > self._limit:
            found = f"more than {self._limit} combinations that is_valid accepts, out of {formula}"
        else:
            seen = f"{outcome.count} accepted by is_valid so far"
            found = f"more combinations than can be looked at ({seen}), out of {formula}"
        self._problems.add(
            "PYPTO-E215",
            self._at_class,
            f"TilingKey '{self._cls.__name__}' has {found}; allowed are {self._limit} (max_variants)",
            "list fewer values, refuse more in is_valid, or raise --@pypto_rules//pypto_rules/settings:max_variants",
        )

    def _check_invalid_key(self, fields: tuple[manifest.KeyField, ...], valid: manifest.ValidKeys) -> None:
        if INVALID_KEY in valid.packed:
            combo = valid[valid.packed.index(INVALID_KEY)].combo
            self._problems.add(
                "PYPTO-E216",
                self._at_class,
                f"{_named(fields, combo)} packs to 0x{INVALID_KEY:x}, which the host uses for an invalid key",
                "use fewer than 64 bits, or refuse this combination in is_valid",
            )


def _packed(fields: tuple[manifest.KeyField, ...], combos: Iterable[tuple[int, ...]]) -> Iterator[int]:
    parts = [{value: index << field.offset for index, value in enumerate(field.values)} for field in fields]
    return (sum(map(dict.__getitem__, parts, combo)) for combo in combos)


def _named(fields: tuple[manifest.KeyField, ...], combo: tuple[int, ...]) -> str:
    return key_fields.joined([f"{field.name}={value}" for field, value in zip(fields, combo, strict=True)], ", ")


def _unpacked(names: list[str]) -> str:
    return f"({names[0]},) = key" if len(names) == 1 else f"{key_fields.joined(names, ', ')} = key"


def _listed(names: Any, quote: str = "'") -> str:
    return ", ".join(f"{quote}{name}{quote}" for name in names)
