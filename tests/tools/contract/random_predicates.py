"""Random TilingKey schemas with an `is_valid` as a user might write it, as source text."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

HEAD = """\
import enum
import functools
import itertools
import math
import operator

TABLE = [3, 1, 0, 2, 5, 4, 9, 8, 7]
NAMES = {0: "none", 1: "one", 2: "two", 5: "five"}
PAIRS = {(0, 1), (1, 0), (2, 2), (3, 1), (0, 0)}
WANTED = (1, None, 0, 2, None, 1)
LIMIT = 4


class Mode(enum.IntEnum):
    OFF = 0
    ON = 1
    AUTO = 2


def near(x, y=1, *, by=1):
    if x > y:
        return x - y <= by
    return y - x <= by


def ones(*values):
    count = 0
    for value in values:
        if value == 0:
            continue
        count += value == 1
        if count > 3:
            break
    return count


def depth(n):
    return 0 if n < 2 else 1 + depth(n // 2)


@functools.lru_cache(maxsize=None)
def squared(n):
    return n * n


RULES = (near, lambda x, y: x != y, operator.le)


class Key:
    SIZES = range(0, 9, 2)
    LOW = 2

    def odd(self, x):
        return x % 2 == self.LOW - 1

    @staticmethod
    def both(x, y):
        return x and y

    @classmethod
    def low(cls, x):
        return x <= cls.LOW

    def is_valid(self, key):
"""


@dataclass(frozen=True)
class Case:
    """A schema: the values of each field, and the text of a module with its class `Key`."""

    values: tuple[tuple[int, ...], ...]
    text: str


class Writer:
    """Writes one predicate; every expression is right for some values, and raises for some where Python may."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._fields = self._rng.randint(1, 5)
        self._names: list[str] = []

    def case(self) -> Case:
        """A schema of at most some hundred combinations."""
        values = tuple(tuple(self._rng.sample(range(9), self._rng.randint(1, 4))) for _ in range(self._fields))
        return Case(values, HEAD + "".join(f"        {line}\n" for line in self._lines()))

    def _pick(self, *texts: Any) -> Any:
        return self._rng.choice(texts)

    def _lines(self) -> list[str]:
        letters = [f"f{place}" for place in range(self._fields)]
        way = self._rng.randrange(4)
        if way == 0:
            self._names = [f"key[{place}]" for place in range(self._fields)]
            lines = []
        elif way == 1 and self._fields > 1:
            self._names, lines = letters, [f"{letters[0]}, *rest = key", f"{', '.join(letters[1:])}, = rest"]
        else:
            self._names, lines = letters, [f"({', '.join(letters)},) = key"]
        for _ in range(self._rng.randint(0, 3)):
            lines += self._statement()
        return [*lines, f"return {self._condition(2)}"]

    def _statement(self) -> list[str]:
        rng = self._rng
        kind = rng.randrange(15)
        name = f"v{rng.randrange(3)}"
        if kind == 0:
            return [f"if {self._condition(1)}:", f"    return {self._pick('False', 'True', self._condition(1))}"]
        if kind == 1:
            lines = [f"if {self._condition(1)}:", f"    {name} = {self._number(1)}"]
            lines += [f"elif {self._condition(0)}:", f"    {name} = {self._number(0)}"] if rng.random() < 0.5 else []
            lines += ["else:", f"    {name} = {self._number(1)}"]
        elif kind == 2:
            lines = [f"{name} = {self._number(1)}", f"{name} {self._pick('+=', '-=', '*=', '|=')} {self._number(0)}"]
        elif kind == 3:
            return ["for w, x in zip(WANTED, key):", f"    if w is not None and {self._pick('x != w', 'x > w + 3')}:",
                    f"        {self._pick('return False', 'break', 'continue')}", "else:", "    pass"]  # fmt: skip
        elif kind == 4:
            lines = [f"{name} = 0", "for x in key:", f"    if x {self._pick('==', '>', '<')} {rng.randrange(5)}:",
                     f"        {self._pick('continue', 'break')}", f"    {name} += x"]  # fmt: skip
        elif kind == 5:
            return [f"if not ({self._condition(1)}):", "    return False"]
        elif kind == 6:
            lines = [f"{name} = {self._number(1)} if {self._condition(1)} else {self._number(0)}"]
        elif kind == 7:
            lines = [f"match {self._field()}:", f"    case {rng.randrange(4)} | {rng.randrange(4)}:",
                     f"        {name} = {self._number(0)}", f"    case x if x > {rng.randrange(6)}:",
                     f"        {name} = x",
                     "    case _:", f"        {self._pick('return False', f'{name} = 1')}"]  # fmt: skip
        elif kind == 8:
            return [f"assert {self._pick(f'{self._field()} >= 0', self._condition(1))}"]
        elif kind == 9:
            lines = [f"{name}, i = {rng.randrange(3)}, 0", f"while i < {self._pick('len(key)', '3', self._field())}:",
                     f"    if {self._condition(0)}:", f"        {self._pick('break', 'return False', f'{name} = i')}",
                     "    i = i + 1", *self._pick([], ["else:", f"    {name} = {rng.randrange(4)}"])]  # fmt: skip
        elif kind == 10:
            fill = self._pick(("[]", "append"), ("set()", "add"), ("list()", "append"))
            lines = [f"found = {fill[0]}", "for x in key:", f"    if {self._pick(f'x > {rng.randrange(4)}', 'x')}:",
                     f"        found.{fill[1]}({self._pick('x', 'x + 1', 'x % 3')})",
                     *self._pick([], [f"    if {self._condition(0)}:", f"        found = {fill[0]}"]),
                     f"{name} = {self._pick('len(found)', 'sum(found)', 'max(found)')}"]  # fmt: skip
        elif kind == 11:
            default = self._pick("", f"={self._number(0)}")
            lines = [f"def inner(x, y{default}):", f"    if {self._pick('x > y', 'x == y', self._condition(0))}:",
                     f"        return {self._pick('x', 'y', 'x - y')}", f"    return {self._number(0)}",
                     f"{name} = inner({self._number(0)}{self._pick('', f', {self._number(0)}')})"]  # fmt: skip
        elif kind == 12:
            lines = [f"pick = lambda x: {self._pick(self._number(1), f'x == {self._number(0)}', 'x * 2')}",
                     f"{name} = sum(map(pick, key))"]  # fmt: skip
        elif kind == 13:
            lines = [f"named = dict(zip('abcdef', {self._pick('key', 'sorted(key)', 'key[1:]')}))",
                     f"{name} = {self._pick('named.get(chr(98))', 'named[chr(97)]', 'len(named)')}"]  # fmt: skip
        else:
            lines = [f"{name} = sum(key)"]
        self._names.append(name)
        return lines

    def _field(self) -> str:
        return self._rng.choice(self._names)

    def _number(self, depth: int) -> str:
        if depth == 0:
            return self._pick(self._field(), self._field(), str(self._rng.randrange(6)), "self.LOW", "LIMIT", "Mode.ON")
        a, b = self._number(depth - 1), self._number(depth - 1)
        return self._pick(
            f"({a} + {b})", f"({a} - {b})", f"{a} * {b}", f"({a} // {b})", f"({a} % {b})", f"{a} % 3", f"({a} & {b})",
            f"({a} | {b})", f"({a} ^ {b})", f"({a} >> 1)", f"(1 << {a})", f"({a} << {b})", f"-{a}", f"~{a}",
            f"abs({a} - {b})",
            f"TABLE[{a}]", f"TABLE[{a} % 9]", f"len(NAMES.get({a}, ''))", "len(key)", "sum(key)", "sum(key[1:])",
            f"min({a}, {b})", "max(key)", "min(key)", f"int({a})", "ones(*key)", f"ones({a}, {b})",
            f"depth({a})", f"squared({b})",
            f"sum(1 for x in key if x == {b})", f"sum(x > {b} for x in key)", "sorted(key)[-1]", f"key.count({a})",
            "len(set(key))", f"max(x + {b} for x in key)", f"({a} if {a} else {b})", f"({a} or {b})", f"({a} and {b})",
            f"{a} / {b}", f"{a} ** 2", f"divmod({a}, {b})[1]", f"key[{a}]", "key[-1]", f"({a}).bit_length()",
            f"round({a})", "math.prod(key)", "functools.reduce(operator.add, key)", f"sorted(key, reverse={b} > 1)[0]",
            f"max(key, key=lambda x: x % {b})", f"sum(itertools.chain(key, [{a}]))", f"operator.mul({a}, {b})",
            "sorted(key, key=lambda x: -x)[-1]", f"({b} | {a} << 4)",
        )  # fmt: skip

    def _condition(self, depth: int) -> str:
        a, b, n = self._number(1 if depth else 0), self._number(0), self._rng.randrange(6)
        if depth > 0 and self._rng.random() < 0.6:
            one, other = self._condition(depth - 1), self._condition(depth - 1)
            return self._pick(
                f"({one} and {other})", f"({one} and {other})", f"({one} or {other})", f"not ({one})", f"(not {one})",
                f"({one} if {other} else {self._condition(0)})", f"any([{one}, {other}])", f"all(({one}, {other}))",
                f"({one}) == ({other})", f"bool({one})", f"Key.both({one}, {other})", f"self.both({one}, {other})",
            )  # fmt: skip
        return self._pick(
            f"{a} == {n}", f"{a} == {b}", f"{a} != {n}", f"{a} < {b}", f"{n} <= {a} < {n + 3}", f"{a} in (0, {n})",
            f"{a} not in [{n}, {b}]", f"{a} in {{1, {n}}}", f"{a} in NAMES", f"({a}, {b}) in PAIRS",
            f"{a} in self.SIZES",
            f"{a} in range({n})", f"{a}", f"NAMES[{b}] == 'one'", f"NAMES.get({a}) is None", f"near({a}, {b})",
            f"near({a}, y={n}, by=2)", f"self.odd({a})", f"self.low({b})", f"any(x == {n} for x in key)",
            f"(y := {a}) == {n}",
            f"all(x != {n} for x in key)", "all(w is None or w == x for w, x in zip(WANTED, key))", f"{a} == Mode.AUTO",
            "all(a <= b for a, b in zip(key, key[1:]))", "sorted(key) == list(key)", f"key == ({n},) * {self._fields}",
            "tuple(key[:2]) in PAIRS", f"sum(key) > {n}", f"f'{{{b}}}' in '0123'", "len({x for x in key}) == len(key)",
            f"[x for x in key if x][0] == {n}", "any(i == x for i, x in enumerate(key))", f"{n} in key",
            f"{a} <= {b} <= {n}",
            f"max(map(abs, key)) == {n}", f"list(filter(None, key)) == [{n}]", f"{b} in (x % 3 for x in key)",
            f"{{{n}: True, 1: False}}.get({a}, {b})", f"Mode({a}) is Mode.ON", f"all(rule({a}, {b}) for rule in RULES)",
            f"isinstance({a}, (int, bool))", f"any(map(lambda x: x == {b}, key))", f"({a} == {n}) is True",
            "all(x <= y for x, y in itertools.pairwise(key))", f"any(map(lambda x, y={b}: x == y + {n}, key))",
            f"isinstance({b}, int)", "key[::-1] == key",
        )  # fmt: skip
