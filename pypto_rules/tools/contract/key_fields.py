"""One TilingKeyField: its name, bits and values."""

from __future__ import annotations

import collections
from typing import Any

from pypto_rules.tools.contract import cxx_names, declarations
from pypto_rules.tools.contract.problems import Location, Problems

MAX_BITS = 64
MAX_VALUE = 2**64 - 1
MAX_VALUES = 65536  # of one field: more cannot be meant, and must not fill the memory
EXAMPLE = "mode = TilingKeyField(bits=1, values=[0, 1])"
_MOST_JOINED = 16


class FieldCheck:
    """Checks one field of a TilingKey class."""

    def __init__(self, name: str, cls: type, at: Location, problems: Problems) -> None:
        self._name = name
        self._cls = cls
        self._at = at
        self._problems = problems

    def run(self, field: Any) -> tuple[int, tuple[int, ...]]:
        """Bits and values; 0 and () for what has problems."""
        self._check_name()
        bits = self._bits(field.bits)
        values = self._values(field.values)
        if bits and len(values) > 2**bits:
            need = (len(values) - 1).bit_length()
            found = f"has {len(values)} values; {bits} bit{'s hold' if bits > 1 else ' holds'} {2**bits}"
            self._add("PYPTO-E210", found, f"write bits={need} or remove values")
        return bits, values

    def _add(self, code: str, what: str, fix: str) -> None:
        self._problems.add(code, self._at, f"TilingKey field '{self._name}' {what}", fix)

    def _check_name(self) -> None:
        reason = cxx_names.why_not(self._name)
        if reason is not None:
            better = cxx_names.better(self._name.removeprefix(f"_{self._cls.__name__}"))
            message = f"TilingKey field name: {reason}"
            self._problems.add("PYPTO-E219", self._at, message, f"rename it, for example to {better}")

    def _bits(self, bits: Any) -> int:
        if not isinstance(bits, int) or isinstance(bits, bool) or bits < 1:
            found = f"has bits={declarations.spelled(bits)}; allowed is an int from 1 to {MAX_BITS}"
            self._add("PYPTO-E205", found, "write bits=1 for up to 2 values, 2 for up to 4, …")
            return 0
        if bits > MAX_BITS:
            found = f"has bits={bits}; allowed are {MAX_BITS}, the bits of a whole key"
            self._add("PYPTO-E211", found, "write the bits that hold the number of values")
            return 0
        return int(bits)

    def _values(self, values: Any) -> tuple[int, ...]:
        if not isinstance(values, (list, tuple, range)) or not values:
            found = f"has values={_spelled_values(values)}; allowed is a list of 1 to {MAX_VALUES} ints"
            self._add("PYPTO-E206", found, "list every value the field can take, for example values=[0, 1]")
            return ()
        count = _length(values)
        if count > MAX_VALUES:
            found = f"has {count} values; allowed are {MAX_VALUES}, since each combination is a kernel of its own"
            self._add("PYPTO-E220", found, "list the few values that change the kernel; pass the others in TilingData")
            return ()
        ints = tuple(int(value) for value in values if _is_int(value))
        wrong = [declarations.spelled(value) for value in values if not _is_int(value)]
        if wrong:
            found = f"has the value{'s' if len(wrong) > 1 else ''} {joined(wrong, ', ')}; allowed are ints"
            self._add("PYPTO-E207", found, "use whole numbers, for example an index or a code for each choice")
        for value in dict.fromkeys(ints):
            self._check_range(value)
        twice = [str(value) for value, count in collections.Counter(ints).items() if count > 1]
        if twice:
            found = f"lists {joined(twice, ', ')} more than once; values must be unique"
            self._add("PYPTO-E209", found, "remove the repeated value")
        return () if wrong else ints

    def _check_range(self, value: int) -> None:
        if 0 <= value <= MAX_VALUE:
            return
        found = f"has the value {value}; allowed are 0 to 2**64 - 1, since the host header holds them as uint64_t"
        fix = "use a non-negative code and translate it in the kernel" if value < 0 else "use a smaller code"
        self._add("PYPTO-E208", found, fix)


def why_lost(member: Any) -> str | None:
    """Why a class member that was meant as a field is none, None when it was not meant so."""
    if isinstance(member, type) and member.__name__ == "TilingKeyField":
        return "is the class TilingKeyField itself"
    if isinstance(member, (tuple, list)) and any(declarations.is_key_field(item) for item in member):
        return f"is a {type(member).__name__} with a TilingKeyField in it (is there a comma too many?)"
    return None


def joined(parts: list[str], separator: str) -> str:
    """The parts; of many, the first and how many more there are."""
    if len(parts) <= _MOST_JOINED:
        return separator.join(parts)
    shown = _MOST_JOINED - 1
    return separator.join([*parts[:shown], f"… ({len(parts) - shown} more)"])


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _spelled_values(values: Any) -> str:
    return "nothing" if isinstance(values, (list, tuple, range)) else declarations.spelled(values)


def _length(values: list[Any] | tuple[Any, ...] | range) -> int:
    """`len`, which refuses to count ranges of 2**63 numbers and more."""
    if isinstance(values, range):
        return (values[-1] - values[0]) // values.step + 1
    return len(values)
