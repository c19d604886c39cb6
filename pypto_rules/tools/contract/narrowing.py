"""Fewer candidates for the TilingKey fields, by what the source of `is_valid` says.

A candidate goes when the predicate, evaluated with all candidates of the other fields at once, can only say no, and
cannot raise. What stays is for the predicate itself to decide; where its source does not tell, everything stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pypto_rules.tools.contract import source

if TYPE_CHECKING:
    from pypto_rules.tools.contract import interpret

STEPS = 1_000_000  # of evaluation for one predicate, two or three seconds
PATIENCE = 256  # evaluations that leave nothing out, one after the other
Box = tuple[tuple[int, ...], ...]  # the candidates of each field; the combinations are their product


def of(predicate: Callable[..., Any], index: source.SourceIndex) -> Narrowing:
    """What the source of a predicate says."""
    from pypto_rules.tools.contract import interpret, pure  # here, since they take time that few kernels need

    program = pure.program(predicate, index)
    return Narrowing(interpret.Interpreter(program, STEPS) if program else None)


class Narrowing:
    """What an interpreter finds out about a predicate; without one, nothing."""

    def __init__(self, interpreter: interpret.Interpreter | None = None) -> None:
        self._interpreter = interpreter
        self._patience = PATIENCE

    def narrowed(self, box: Box) -> Box | None:
        """The box without candidates that no valid combination has; None when it has none at all."""
        if self._interpreter is None:
            return box
        if not self._may_hold(box):
            return None
        fields = list(box)
        unchanged, place = 0, 0
        while unchanged < len(fields):  # a field with fewer candidates may say more about the others
            self._patience = PATIENCE
            kept = tuple(self._kept(fields, place, fields[place]))
            if not kept:
                return None
            unchanged = unchanged + 1 if kept == fields[place] else 1
            fields[place] = kept
            place = (place + 1) % len(fields)
        return tuple(fields)

    def parts(self, box: Box, small: int) -> Iterator[Box]:
        """The box cut into parts, in the order of the product; parts without valid combinations are left out.

        A part larger than `small` means that the work allowed did not get further.
        """
        waiting = [box]
        self._patience = PATIENCE
        while waiting:
            part = waiting.pop()
            place = next((place for place, field in enumerate(part) if len(field) > 1), None)
            if self._interpreter is None or self._patience < 0 or place is None or size(part) <= small:
                yield part
                continue
            cuts = [(*part[:place], (value,), *part[place + 1 :]) for value in part[place]]
            waiting += [cut for cut in cuts[::-1] if self._may_hold(cut)]

    def _kept(self, fields: list[tuple[int, ...]], place: int, candidates: tuple[int, ...]) -> Iterator[int]:
        """Those that may be in a valid combination, which is known of one of them at least; halves go as a whole."""
        if len(candidates) == 1:
            yield from candidates
            return
        half = len(candidates) // 2
        for part in (candidates[:half], candidates[half:]):
            if self._may_hold((*fields[:place], part, *fields[place + 1 :])):
                yield from self._kept(fields, place, part)

    def _may_hold(self, box: Box) -> bool:
        if self._interpreter is None or self._patience < 0:
            return True
        self._patience -= 1
        try:
            if True in self._interpreter.answers(box):
                return True
        except Exception:  # Unknown; or a fault, and then the predicate itself has to tell
            if self._interpreter.is_tired:
                self._interpreter = None
            return True
        self._patience = PATIENCE
        return False


def size(box: Box) -> int:
    """The number of combinations."""
    return math.prod(map(len, box))
