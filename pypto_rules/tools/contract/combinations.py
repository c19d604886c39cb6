"""Which TilingKey combinations are valid, without walking the whole product where that is long.

First the candidates go that by the predicate's source no valid combination has. Then the predicate is run on values
that note which fields it looks at: its answer holds for every combination that agrees on those, so the search follows
the predicate's own decisions. Where neither helps, the product is walked, within a budget. Whatever the way, every
combination in the outcome is one that the predicate itself accepted, or agrees with such a one on all it looked at.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import overload

from pypto_rules.tools.contract import narrowing, watched
from pypto_rules.tools.contract.narrowing import Box
from pypto_rules.tools.contract.watched import Predicate

SMALL = 4096  # products up to this are walked: the plainest way, and fast
WALK_BUDGET = 1 << 27  # predicate calls, some minutes
COUNT_BUDGET = 1 << 18  # predicate calls to tell how many there are of what is too many
SEARCH_BUDGET = 300_000
SEARCH_WORK = 3_000_000  # predicate calls times fields: watching many fields costs time, too
_CHUNK = 512  # predicate calls of a walk between two reports
_FEW = 64  # the same of a search, where calls take longer
_PATIENCE = 2000  # predicate calls after which a search has to be on its way
_EASIER = 8
_DEAR = 30  # what a predicate call of the search costs, in those of a walk


class PredicateRaised(Exception):
    """The predicate raised for a combination."""

    def __init__(self, combo: tuple[int, ...], error: BaseException) -> None:
        super().__init__(str(error))
        self.combo = combo
        self.error = error


class Combos(Sequence[tuple[int, ...]]):
    """Combinations as their ranks in the product of the fields' values: 8 bytes each, however many fields there are."""

    def __init__(self, values: Sequence[Sequence[int]], ranks: Sequence[int]) -> None:
        self._values = [tuple(field) for field in values]
        self._ranks = ranks

    def __len__(self) -> int:
        return len(self._ranks)

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> Combos: ...
    def __getitem__(self, place: int | slice) -> tuple[int, ...] | Combos:
        if isinstance(place, slice):
            return Combos(self._values, self._ranks[place])
        rank, combo = self._ranks[place], []
        for field in reversed(self._values):
            rank, index = divmod(rank, len(field))
            combo.append(field[index])
        return tuple(reversed(combo))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(tuple.__eq__, self, other))


@dataclass(frozen=True)
class Outcome:
    """`combos` in product order, or None when there are more than allowed.

    `count` is the number of valid combinations; with `exact` false, how many were found before the budget ended.
    """

    combos: Combos | None
    count: int
    exact: bool


@dataclass(frozen=True)
class Progress:
    """How far a long enumeration is, in combinations."""

    looked_at: int
    total: int
    valid: int


def valid_combinations(
    values: Sequence[Sequence[int]],
    predicate: Predicate | None,
    limit: int,
    narrow: Callable[[], narrowing.Narrowing] = narrowing.Narrowing,
    report: Callable[[Progress], None] = lambda _: None,
) -> Outcome:
    """The valid combinations of the fields' values, at most `limit` of them.

    `narrow` gives what the source of the predicate says. `report` is called again and again.

    Raises:
        PredicateRaised: the predicate raised an exception.
    """
    box = tuple(map(tuple, values))
    if predicate is None:
        count = narrowing.size(box)
        return Outcome(Combos(box, range(count)) if count <= limit else None, count, True)
    return _Enumeration(box, predicate, limit, report).run(narrow)


class _Enumeration:
    """One enumeration: what was found so far, and the ways to find more."""

    def __init__(self, box: Box, predicate: Predicate, limit: int, report: Callable[[Progress], None]) -> None:
        self._box = box
        self._predicate = predicate
        self._limit = limit
        self._report = report
        strides = [narrowing.size(box[place + 1 :]) for place in range(len(box))]
        # The rank of a combination in the product is the sum of one number for each field.
        self._ranks = [
            {value: index * stride for index, value in enumerate(field)}
            for field, stride in zip(box, strides, strict=True)
        ]
        self._found = array("Q")
        self._count = 0

    def run(self, narrow: Callable[[], narrowing.Narrowing]) -> Outcome:
        """Every way in turn, from the fastest."""
        if narrowing.size(self._box) <= SMALL:
            return self._walk([self._box])
        source = narrow()
        box = source.narrowed(self._box)
        if not self._confirmed(box):
            box, source = self._box, narrowing.Narrowing()
        if box is None:
            return self._outcome()
        if narrowing.size(box) > SMALL and not watched.sees_objects(self._predicate):
            outcome = self._search(box)
            if outcome is not None:
                return outcome
        return self._walk(list(source.parts(box, SMALL)))

    def _confirmed(self, box: Box | None) -> bool:
        """Whether the predicate says no to a few of the combinations left out; it must, whoever left them out."""
        for place, field in enumerate(self._box):
            kept = set(box[place]) if box is not None else set()
            dropped = [value for value in field if value not in kept]
            for value in {*dropped[:1], *dropped[-1:]}:
                for others in (0, -1):
                    combo = tuple(other[others] for other in self._box)
                    if self._ask((*combo[:place], value, *combo[place + 1 :])):
                        return False
        return True

    def _ask(self, combo: tuple[int, ...]) -> bool:
        try:
            return bool(self._predicate(combo))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise PredicateRaised(combo, error) from error

    def _outcome(self, exact: bool = True) -> Outcome:
        combos = Combos(self._box, self._found) if exact and self._count <= self._limit else None
        return Outcome(combos, self._count, exact)

    def _keep(self, part: Sequence[Sequence[int]]) -> None:
        """Count the combinations of a part, all of them valid."""
        self._count += math.prod(map(len, part))
        if self._count <= self._limit:
            rows = [[ranks[value] for value in field] for ranks, field in zip(self._ranks, part, strict=True)]
            self._found.extend(map(sum, itertools.product(*rows)))

    def _walk(self, parts: list[Box]) -> Outcome:
        total = sum(map(narrowing.size, parts))
        budget = WALK_BUDGET if total <= WALK_BUDGET else COUNT_BUDGET  # what cannot be finished is only sampled
        looked_at = 0
        for part in parts:
            combos = itertools.product(*part)
            while chunk := tuple(itertools.islice(combos, _CHUNK)):
                self._take(chunk)
                looked_at += len(chunk)
                hopeless = self._count > self._limit and total > COUNT_BUDGET
                if hopeless or (looked_at >= budget and total > budget):
                    return self._outcome(exact=False)
                self._report(Progress(looked_at, total, self._count))
        return self._outcome()

    def _take(self, chunk: tuple[tuple[int, ...], ...]) -> None:
        predicate, combo = self._predicate, chunk[0]
        valid = []
        try:
            for combo in chunk:
                if predicate(combo):
                    valid.append(combo)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise PredicateRaised(combo, error) from error
        self._count += len(valid)
        if self._count <= self._limit:
            self._found.extend(sum(map(dict.__getitem__, self._ranks, combo)) for combo in valid)

    def _search(self, box: Box) -> Outcome | None:
        """The valid combinations by the predicate's decisions; None when only walking the product can tell."""
        total, looked_at = narrowing.size(box), 0
        budget = min(SEARCH_BUDGET, SEARCH_WORK // len(box), max(total // _DEAR, _PATIENCE))
        for calls, (chosen, answer) in enumerate(watched.decisions(box, self._predicate)):
            if answer is None:
                self._ask(_representative(box, chosen, 0))
            if answer is None or not self._holds(box, chosen, answer):
                return self._start_again()
            part = tuple((field[chosen[place]],) if place in chosen else field for place, field in enumerate(box))
            looked_at += narrowing.size(part)
            if answer:
                self._keep(part)
            if calls % _FEW == 0:
                # It goes on while it would end in good time if the rest were a few times easier than what it has seen.
                hopeful = calls < _PATIENCE or _EASIER * looked_at * budget >= total * calls
                if calls >= budget or not hopeful:
                    return self._outcome(exact=False) if self._count > self._limit else self._start_again()
                self._report(Progress(looked_at, total, self._count))
        self._found = array("Q", sorted(self._found))
        return self._outcome()

    def _start_again(self) -> None:
        self._found, self._count = array("Q"), 0

    def _holds(self, box: Box, chosen: dict[int, int], answer: bool) -> bool:
        """Whether plain numbers get the answer that the noting values got."""
        corners = {_representative(box, chosen, 0), _representative(box, chosen, -1)}
        return all(self._ask(combo) == answer for combo in corners)


def _representative(box: Box, chosen: dict[int, int], other: int) -> tuple[int, ...]:
    return tuple(field[chosen.get(place, other)] for place, field in enumerate(box))
