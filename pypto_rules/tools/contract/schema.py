"""The TilingKey: its class, fields, bits, and every valid combination with its packed key."""

from __future__ import annotations

import ast
import inspect
import math
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract import combinations, cxx_names, declarations, failures, manifest, source
from pypto_rules.tools.contract.problems import Location, Problems

MAX_BITS = 64
MAX_VALUE = 2**64 - 1
INVALID_KEY = 2**64 - 1  # what the host's packing returns for an unknown value
DEFAULT_MAX_VARIANTS = 4096


@dataclass(frozen=True)
class KeyContext:
    """What a schema is checked against."""

    index: source.SourceIndex
    problems: Problems
    at: Location  # of the tiling_key keyword
    max_variants: int


class SchemaCheck:
    """Checks one TilingKey class and describes it."""

    def __init__(self, cls: type, context: KeyContext) -> None:
        self._cls = cls
        self._problems = context.problems
        self._index = context.index
        self._limit = context.max_variants
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
        if not fields:
            self._problems.add(
                "PYPTO-E203",
                self._at_class,
                f"TilingKey class '{self._cls.__name__}' has no TilingKeyField; allowed are one or more",
                "add a field: mode = TilingKeyField(bits=1, values=[0, 1])",
            )
            return None
        self._check_declared_once(fields)
        described = self._fields(fields)
        if len(self._problems.found) > before:
            return None
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
            self._check_field_name(name)
            bits = self._bits(name, value.bits)
            values = self._values(name, value.values)
            if bits is not None and values is not None and len(values) > 2**bits:
                need = (len(values) - 1).bit_length()
                self._problems.add(
                    "PYPTO-E210",
                    self.at_field(name),
                    f"TilingKey field '{name}' has {len(values)} values; {bits} bit(s) hold {2**bits}",
                    f"write bits={need} or remove values",
                )
            described.append(manifest.KeyField(name, bits or 0, offset, values or ()))
            offset += bits or 0
        if offset > MAX_BITS:
            used = " + ".join(f"{field.bits} ({field.name})" for field in described)
            self._problems.add(
                "PYPTO-E211",
                self._over_limit(described),
                f"TilingKey '{self._cls.__name__}' uses {offset} bits: {used}; allowed are {MAX_BITS}",
                "give each field only the bits its number of values needs: the key holds indices, not values",
            )
        return tuple(described)

    def _over_limit(self, fields: list[manifest.KeyField]) -> Location:
        for field in fields:
            if field.offset + field.bits > MAX_BITS:
                return self.at_field(field.name)
        return self._at_class

    def _check_field_name(self, name: str) -> None:
        reason = cxx_names.why_not(name)
        if reason is not None:
            better = cxx_names.better(name.removeprefix(f"_{self._cls.__name__}"))
            self._problems.add(
                "PYPTO-E219",
                self.at_field(name),
                f"TilingKey field name: {reason}",
                f"rename it, for example to {better}",
            )

    def _bits(self, name: str, bits: Any) -> int | None:
        if isinstance(bits, int) and not isinstance(bits, bool) and 1 <= bits <= MAX_BITS:
            return bits
        if isinstance(bits, int) and not isinstance(bits, bool) and bits > MAX_BITS:
            message = f"TilingKey field '{name}' has bits={bits}; a whole key has {MAX_BITS}"
            self._problems.add(
                "PYPTO-E211", self.at_field(name), message, "write the bits that hold the number of values"
            )
            return None
        message = f"TilingKey field '{name}' has bits={bits!r}; allowed is an int from 1 to {MAX_BITS}"
        self._problems.add(
            "PYPTO-E205", self.at_field(name), message, "write bits=1 for up to 2 values, 2 for up to 4, …"
        )
        return None

    def _values(self, name: str, values: Any) -> tuple[int, ...] | None:
        at = self.at_field(name)
        listed = _as_tuple(values)
        if not listed:
            found = "nothing" if listed == () else declarations.spelled(values)
            message = f"TilingKey field '{name}' has values={found}; allowed is a non-empty list of ints"
            self._problems.add(
                "PYPTO-E206", at, message, "list every value the field can take, for example values=[0, 1]"
            )
            return None
        wrong = [value for value in listed if not isinstance(value, int) or isinstance(value, bool)]
        if wrong:
            message = f"TilingKey field '{name}' has the value {declarations.spelled(wrong[0])}; allowed are ints"
            self._problems.add(
                "PYPTO-E207", at, message, "use whole numbers, for example an index or a code for each choice"
            )
            return None
        self._check_range(name, listed)
        twice = sorted({value for value in listed if listed.count(value) > 1}) if len(set(listed)) < len(listed) else []
        if twice:
            message = f"TilingKey field '{name}' lists {_listed(twice, quote='')} more than once; values must be unique"
            self._problems.add("PYPTO-E209", at, message, "remove the repeated value")
        return tuple(int(value) for value in listed)

    def _check_range(self, name: str, values: tuple[int, ...]) -> None:
        for value in values:
            if not 0 <= value <= MAX_VALUE:
                self._problems.add(
                    "PYPTO-E208",
                    self.at_field(name),
                    f"TilingKey field '{name}' has the value {value}; allowed are 0 to 2**64 - 1, "
                    "since the host header holds them as uint64_t",
                    "use a non-negative code and translate it in the kernel" if value < 0 else "use a smaller code",
                )

    def _predicate(self) -> combinations.Predicate | None:
        member = getattr(self._cls, "is_valid", None)
        if member is None:
            return None
        if not callable(member) or not hasattr(member, "__get__"):
            self._problems.add(
                "PYPTO-E212",
                self.at_field("is_valid"),
                f"is_valid of '{self._cls.__name__}' is {declarations.spelled(member)}; allowed is a method",
                "write def is_valid(self, key): … that returns True or False",
            )
            return None
        if not self._takes_one_key():
            self._problems.add(
                "PYPTO-E212",
                self._at_predicate(),
                f"is_valid of '{self._cls.__name__}' takes other parameters than (self, key); key is the tuple of the "
                "values of a combination, in field order",
                f"write def is_valid(self, key): and in it {', '.join(self._field_names())} = key",
            )
            return None
        return member.__get__(object.__new__(self._cls), self._cls)  # no __init__: the class is a declaration

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

    def _at_predicate(self) -> Location:
        for statement in self._node.body if self._node and self._file else []:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == "is_valid":
                return self._file.at_name(statement)  # type: ignore[union-attr]
        return self.at_field("is_valid")

    def _enumerate(
        self, fields: tuple[manifest.KeyField, ...], predicate: combinations.Predicate | None
    ) -> manifest.TilingKey | None:
        try:
            outcome = combinations.valid_combinations([field.values for field in fields], predicate, self._limit)
        except combinations.PredicateRaised as raised:
            self._report_raised(fields, raised)
            return None
        if outcome.combos is None:
            self._report_too_many(fields, outcome, predicate is not None)
            return None
        if not outcome.combos:
            self._problems.add(
                "PYPTO-E214",
                self._at_predicate(),
                f"TilingKey '{self._cls.__name__}' has no valid combination: is_valid is false for all "
                f"{math.prod(len(field.values) for field in fields)}",
                "make is_valid return True for at least one combination (a missing return counts as false)",
            )
            return None
        valid = tuple(_packed(fields, combo) for combo in outcome.combos)
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
        at, *callers = failures.user_frames(raised.error, self._index) or [self._at_predicate()]
        self._problems.add(
            "PYPTO-E213",
            at,
            f"is_valid raises {failures.describe(raised.error)} for {_named(fields, raised.combo)}",
            f"make def is_valid(self, key) return True or False for every combination; key is a tuple: "
            f"{', '.join(field.name for field in fields)} = key",
            callers,
        )

    def _report_too_many(
        self, fields: tuple[manifest.KeyField, ...], outcome: combinations.Outcome, filtered: bool
    ) -> None:
        product = math.prod(len(field.values) for field in fields)
        formula = " x ".join(f"{len(field.values)} ({field.name})" for field in fields) + f" = {product}"
        if not filtered:
            found = f"{product} combinations: {formula}"
        elif outcome.exact:
            found = f"{outcome.count} combinations that is_valid accepts, out of {formula}"
        else:
            seen = f"{outcome.count} accepted by is_valid so far"
            found = f"more combinations than can be looked at ({seen}), out of {formula}"
        self._problems.add(
            "PYPTO-E215",
            self._at_class,
            f"TilingKey '{self._cls.__name__}' has {found}; allowed are {self._limit} (max_variants)",
            "list fewer values, refuse more in is_valid, or raise --@pypto_rules//pypto_rules/settings:max_variants",
        )

    def _check_invalid_key(self, fields: tuple[manifest.KeyField, ...], valid: tuple[manifest.ValidKey, ...]) -> None:
        for key in valid:
            if key.packed == INVALID_KEY:
                self._problems.add(
                    "PYPTO-E216",
                    self._at_class,
                    f"{_named(fields, key.combo)} packs to 0x{INVALID_KEY:x}, which the host uses for an invalid key",
                    "use fewer than 64 bits, or refuse this combination in is_valid",
                )


def _packed(fields: tuple[manifest.KeyField, ...], combo: tuple[int, ...]) -> manifest.ValidKey:
    packed = 0
    for field, value in zip(fields, combo, strict=True):
        packed |= field.values.index(value) << field.offset
    return manifest.ValidKey(combo, packed, f"{packed:x}")


def _as_tuple(values: Any) -> tuple[Any, ...] | None:
    if isinstance(values, (str, bytes, dict)):
        return None
    try:
        return tuple(values)
    except Exception:  # not a list, or the user's iterator fails: either way not a list of values
        return None


def _named(fields: tuple[manifest.KeyField, ...], combo: tuple[int, ...]) -> str:
    return ", ".join(f"{field.name}={value}" for field, value in zip(fields, combo, strict=True))


def _listed(names: Any, quote: str = "'") -> str:
    return ", ".join(f"{quote}{name}{quote}" for name in names)
