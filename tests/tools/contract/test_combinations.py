"""Enumeration of valid TilingKeys: equal to brute force, and bounded when brute force is not."""

from __future__ import annotations

import itertools
import random
import tracemalloc

import pytest

from pypto_rules.tools.contract import combinations
from pypto_rules.tools.contract.combinations import PredicateRaised, valid_combinations

DIMS = (0, 16, 32, 48, 64, 80, 96, 128, 160, 192, 256, 768)
# The public FlashAttention schema: 87,091,200 raw combinations.
ATTENTION = [
    (0, 1), (0, 1, 2), (0, 1, 2, 3, 4), (0, 16, 64, 128, 256), (0, 16, 32, 64, 128, 256, 512), DIMS, DIMS,
    (0, 1, 2, 3, 4, 9), (0, 1), (0, 1), (0, 1), (0, 1, 2), (0, 1), (0, 1),
]  # fmt: skip
PINNED = {0: 0, 1: 0, 2: 1, 3: 128, 4: 128, 5: 128, 6: 128, 7: 9, 9: 0, 10: 0, 11: 0, 12: 1, 13: 0}


def brute(values, predicate):
    return tuple(combo for combo in itertools.product(*values) if predicate(combo))


def counted(predicate):
    calls = []

    def counting(key):
        calls.append(1)
        return predicate(key)

    return counting, calls


PREDICATES_OF_ATTENTION = {
    "conjunction": lambda key: all(key[i] == value for i, value in PINNED.items()),
    "last field first": lambda key: all(key[i] == value for i, value in reversed(PINNED.items())),
    "membership": lambda key: all(key[i] in (value,) for i, value in PINNED.items()),
    "set membership": lambda key: all(key[i] in {value} for i, value in PINNED.items()),
    "dict look-up": lambda key: all({value: True}.get(key[i], False) for i, value in PINNED.items()),
    "arithmetic": lambda key: all((key[i] + 1) * 2 == (value + 1) * 2 for i, value in PINNED.items()),
    "early returns": lambda key: next((False for i, value in PINNED.items() if key[i] != value), True),
    "text": lambda key: all(f"{key[i]}" == str(value) for i, value in PINNED.items()),
}


@pytest.mark.parametrize("name", PREDICATES_OF_ATTENTION)
def test_attention_schema_asks_few_questions(name):
    predicate, calls = counted(PREDICATES_OF_ATTENTION[name])
    outcome = valid_combinations(ATTENTION, predicate, 4096)
    assert len(outcome.combos) == outcome.count == 2
    assert {combo[8] for combo in outcome.combos} == {0, 1}
    assert len(calls) < 1000


def test_unpacked_names_are_watched_one_by_one():
    def predicate(key):
        (kind, impl, layout, s1, s2, d, dv, pse, _, drop, rope, out, reg, dn) = key
        if kind or impl:
            return False
        block = s1 == 128 == s2
        return layout == 1 and block and d == dv == 128 and pse > 4 and not (drop or rope or out) and reg and dn < 1

    predicate, calls = counted(predicate)
    assert valid_combinations(ATTENTION, predicate, 4096).count == 2
    assert len(calls) < 1000


def random_condition(rng, fields, values):
    i, j = rng.randrange(fields), rng.randrange(fields)
    a = rng.choice(values[i])
    return rng.choice(
        [
            lambda k: k[i] == a,
            lambda k: k[i] != a,
            lambda k: k[i] in (a, 1),
            lambda k: k[i] in {a, 2},
            lambda k: k[i] < k[j],
            lambda k: (k[i] + k[j]) % 3 == 0,
            lambda k: sum(k[:3]) > a,
            lambda k: max(k) == k[i],
            lambda k: bool(k[i]) or not k[j],
            lambda k: k[i] // (k[j] + 1) <= 1,
            lambda k: [0, 1, 2, 3, 4, 5, 6, 7, 8][k[i]] > 2,
            lambda k: k[i] >> 1 == k[j] & 3,
            lambda k: int(k[i]) * 1.5 > float(k[j]),
            lambda k: divmod(k[i], 2)[1] == 0 and abs(-k[j]) < 5,
        ]
    )


def random_schema(seed):
    rng = random.Random(seed)
    fields = rng.randint(1, 6)
    values = [tuple(rng.sample(range(9), rng.randint(1, 5))) for _ in range(fields)]
    conditions = [random_condition(rng, fields, values) for _ in range(rng.randint(1, 4))]
    combine = rng.choice([all, any])
    negate = rng.random() < 0.2
    return values, lambda key: combine(condition(key) for condition in conditions) != negate


@pytest.mark.parametrize("block", range(10))
def test_equal_to_brute_force_on_random_schemas(block, monkeypatch):
    monkeypatch.setattr(combinations, "SMALL", 0)
    for seed in range(block * 40, block * 40 + 40):
        values, predicate = random_schema(seed)
        outcome = valid_combinations(values, predicate, 10**6)
        assert outcome.combos == brute(values, predicate), seed
        assert outcome.exact


@pytest.mark.parametrize(
    "predicate",
    [
        lambda key: type(key[0]) is int and key[0] == 1,
        lambda key: key[1].bit_length() == 2,
        lambda key: isinstance(key[0], int) and not isinstance(key[0], bool) and key[0] == 1,
        lambda key: tuple(key) == (1, 2, 3),
        lambda key: key in {(1, 2, 3), (0, 0, 0)},
        lambda key: sorted(key) == list(key),
        lambda key: f"{key[0]:d}" == "1",
        lambda key: str(key[0]) + repr(key[1]) == "12",
        lambda key: key[0] is key[0],
    ],
)  # fmt: skip
def test_unusual_predicates_give_the_answers_of_plain_numbers(predicate, monkeypatch):
    monkeypatch.setattr(combinations, "SMALL", 0)
    values = [(0, 1, 2, 3)] * 3
    assert valid_combinations(values, predicate, 1000).combos == brute(values, predicate)


def test_order_is_that_of_the_product():
    values = [tuple(range(9, -1, -1))] * 4
    combos = valid_combinations(values, lambda key: key[3] == 5 and key[0] > 7, 4096).combos
    assert combos == brute(values, lambda key: key[3] == 5 and key[0] > 7)


def test_too_many_valid_are_counted_exactly():
    outcome = valid_combinations([tuple(range(10))] * 8, lambda key: key[0] == 0, 4096)
    assert (outcome.combos, outcome.count, outcome.exact) == (None, 10**7, True)


def test_without_predicate_the_product_is_the_count():
    assert valid_combinations([tuple(range(100))] * 6, None, 4096).count == 10**12


def test_a_predicate_that_looks_at_everything_ends_within_its_budget():
    tracemalloc.start()
    outcome = valid_combinations([(0, 1)] * 64, lambda key: sum(key) % 7 == 3, 4096)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (outcome.combos, outcome.exact) == (None, False)
    assert peak < 20 * 2**20


def test_the_combination_that_raises_is_named():
    with pytest.raises(PredicateRaised) as raised:
        valid_combinations([tuple(range(10))] * 5, lambda key: key[4] == 0 and 1 // (key[1] - 3) > -9, 4096)
    assert raised.value.combo[1] == 3 and raised.value.combo[4] == 0
    assert isinstance(raised.value.error, ZeroDivisionError)


def test_no_valid_combination():
    assert valid_combinations([(0, 1)] * 20, lambda key: False, 4096).combos == ()
