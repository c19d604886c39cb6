"""Predicates given as source text, loaded as a kernel file's are."""

from __future__ import annotations

import itertools
import types
from collections.abc import Sequence
from pathlib import Path

from pypto_rules.tools.contract import combinations, narrowing, source
from pypto_rules.tools.contract.combinations import Outcome, PredicateRaised

Values = Sequence[Sequence[int]]


class Loaded:
    """The `is_valid` of a class `Key`, and what its source says."""

    def __init__(self, text: str, directory: Path) -> None:
        path = directory / "key.py"
        path.write_text(text, encoding="utf-8")
        self._index = source.SourceIndex(source.read(path, path.name), {})
        self._code = compile(text, str(path), "exec")

    def predicate(self) -> combinations.Predicate:
        """The predicate of a module loaded anew: some of them remember their calls."""
        module = types.ModuleType("key")
        exec(self._code, module.__dict__)
        return module.Key.is_valid.__get__(object.__new__(module.Key), module.Key)

    def narrowing(self, predicate: combinations.Predicate) -> narrowing.Narrowing:
        """What the source says."""
        return narrowing.of(predicate, self._index)

    def enumerated(self, values: Values, limit: int = 10**6) -> Outcome:
        """The tool's answer."""
        predicate = self.predicate()
        return combinations.valid_combinations(values, predicate, limit, lambda: self.narrowing(predicate))

    def left(self, values: Values) -> int:
        """How many combinations the source leaves."""
        box = self.narrowing(self.predicate()).narrowed(tuple(map(tuple, values)))
        return narrowing.size(box) if box else 0

    def brute(self, values: Values) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """The valid combinations, and those that raise."""
        predicate, valid, raising = self.predicate(), [], []
        for combo in itertools.product(*values):
            try:
                if predicate(combo):
                    valid.append(combo)
            except Exception:
                raising.append(combo)
        return valid, raising

    def check_equal_to_brute_force(self, values: Values) -> None:
        """Fails when the tool's answer, its order or the exception differ."""
        valid, raising = self.brute(values)
        try:
            outcome = self.enumerated(values)
        except PredicateRaised as raised:
            assert raised.combo in raising
        else:
            assert not raising
            assert (list(outcome.combos), outcome.count, outcome.exact) == (valid, len(valid), True)
