"""The expressions of `is_valid`, evaluated on possible values; see `interpret` for why the answers can be relied on."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable
from typing import Any, Protocol

from pypto_rules.tools.contract import closures, operators, plain, possible, sequences
from pypto_rules.tools.contract.possible import Items, Some, Thing, Unknown, Value
from pypto_rules.tools.contract.sequences import kept


class _Lost:
    """A variable that some path leaves unbound, or with what cannot be told."""


LOST = _Lost()
Env = dict[str, Any]


class Host(Protocol):
    """What expressions need of the interpreter."""

    def step(self, weight: int = 1) -> None:
        """Count a step of so much work."""

    def wrap(self, thing: Any) -> Value:
        """An object that is there, as a value."""

    def call(self, function: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        """What a call may return."""


class Expressions:
    """The expressions of one call; its variables are in `env`, a dict per path."""

    def __init__(self, host: Host, function: types.FunctionType) -> None:
        self._host = host
        self._function = function

    def value(self, node: ast.expr, env: Env) -> Value:
        """What an expression may be."""
        self._host.step()
        evaluate = getattr(self, f"_{type(node).__name__.lower()}", None)
        if evaluate is None:
            raise Unknown
        return evaluate(node, env)

    def _constant(self, node: ast.Constant, env: Env) -> Value:
        return Some((node.value,))

    def _name(self, node: ast.Name, env: Env) -> Value:
        if node.id in env:
            if env[node.id] is LOST:
                raise Unknown
            return env[node.id]
        if plain.is_local(node.id, self._function):
            raise Unknown  # not yet bound
        return self._host.wrap(plain.global_object(self._function, node.id))

    def _attribute(self, node: ast.Attribute, env: Env) -> Value:
        base = self.value(node.value, env)
        if isinstance(base, Thing):
            return self._host.wrap(plain.member(base.it, node.attr))
        if isinstance(base, Items) and plain.is_record(base.kind) and node.attr in base.kind._fields:  # type: ignore[attr-defined]
            return base.parts[base.kind._fields.index(node.attr)]  # type: ignore[attr-defined]
        if node.attr not in ("value", "name"):
            raise Unknown
        return possible.lift(lambda member: getattr(member, f"_{node.attr}_"), base)

    def _lambda(self, node: closures.Inner, env: Env) -> Value:
        given = {name: kept(self.value(default, env)) for name, default in closures.defaults(node)}
        return Thing(closures.Closure(node, self._function, dict(env), closures.signature(node, given)))

    def _namedexpr(self, node: ast.NamedExpr, env: Env) -> Value:
        value = self.value(node.value, env)
        self.bind(node.target, value, env)
        return value

    def _maybe(self, node: ast.expr, env: Env) -> Value:
        """The value of what is evaluated on some paths only."""
        inside = dict(env)
        value = self.value(node, inside)
        env.update(merged([env, inside]) or {})
        return value

    def _boolop(self, node: ast.BoolOp, env: Env) -> Value:
        stops = isinstance(node.op, ast.Or)
        found: list[Value] = []
        for part in node.values:
            value = self._maybe(part, env) if found else self.value(part, env)
            truths = possible.truths(value)
            if stops in truths or part is node.values[-1]:
                last = part is node.values[-1] or truths == {stops}
                found.append(value if last else possible.only(value, stops))
            if truths == {stops}:
                break
        return possible.joined(found)

    def _ifexp(self, node: ast.IfExp, env: Env) -> Value:
        truths = possible.truths(self.value(node.test, env))
        if len(truths) == 1:
            return self.value(node.body if True in truths else node.orelse, env)
        return possible.join(self._maybe(node.body, env), self._maybe(node.orelse, env))

    def _unaryop(self, node: ast.UnaryOp, env: Env) -> Value:
        return operators.unary(type(node.op), self.value(node.operand, env))

    def _binop(self, node: ast.BinOp, env: Env) -> Value:
        return operators.binary(type(node.op), self.value(node.left, env), self.value(node.right, env))

    def _compare(self, node: ast.Compare, env: Env) -> Value:
        values = [self.value(part, env) for part in [node.left, node.comparators[0]]]
        values += [self._maybe(part, env) for part in node.comparators[1:]]
        answers = [
            possible.truths(operators.compare(type(kind), left, right))
            for kind, left, right in zip(node.ops, values, values[1:], strict=False)
        ]
        return possible.truth_value(possible.each(answers))

    def _call(self, node: ast.Call, env: Env) -> Value:
        args: list[Value] = []
        for part in node.args:
            args += self._spread(part, env)
        self._host.step(sum(map(possible.weight, args)))
        if any(word.arg is None for word in node.keywords):
            raise Unknown
        keywords = {str(word.arg): self.value(word.value, env) for word in node.keywords}
        if isinstance(node.func, ast.Attribute):
            base = self.value(node.func.value, env)
            if not isinstance(base, Thing):
                return sequences.method(base, node.func.attr, args, keywords)
            function: Value = self._host.wrap(plain.member(base.it, node.func.attr))
        else:
            function = self.value(node.func, env)
        if not isinstance(function, Thing):
            raise Unknown
        return self._host.call(function.it, args, keywords)

    def _spread(self, node: ast.expr, env: Env) -> list[Value]:
        """An element of a display, or an argument; of `*values` each."""
        if not isinstance(node, ast.Starred):
            return [self.value(node, env)]
        found = possible.parts(self.value(node.value, env))
        if not all(sure for _, sure in found):
            raise Unknown
        return [part for part, _ in found]

    def _tuple(self, node: ast.Tuple | ast.List | ast.Set, env: Env) -> Value:
        kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
        return sequences.collected(kind, [(kept(one), True) for part in node.elts for one in self._spread(part, env)])

    _list = _set = _tuple

    def _dict(self, node: ast.Dict, env: Env) -> Value:
        if None in node.keys:
            raise Unknown
        pairs = [(self.value(k, env), self.value(v, env)) for k, v in zip(node.keys, node.values, strict=True) if k]
        return sequences.dictionary(pairs)

    def _subscript(self, node: ast.Subscript, env: Env) -> Value:
        base = self.value(node.value, env)
        if not isinstance(node.slice, ast.Slice):
            return possible.item_at(base, self.value(node.slice, env))
        ends = [
            self.value(end, env) if end else Some((None,))
            for end in (node.slice.lower, node.slice.upper, node.slice.step)
        ]
        return possible.item_at(base, possible.lift(slice, *ends))

    def _joinedstr(self, node: ast.JoinedStr, env: Env) -> Value:
        texts = [self.value(part, env) for part in node.values]
        return possible.lift(lambda *parts: "".join(parts), *texts)

    def _formattedvalue(self, node: ast.FormattedValue, env: Env) -> Value:
        if node.conversion != -1 or node.format_spec is not None:
            raise Unknown
        return possible.lift(format, self.value(node.value, env))

    def _listcomp(self, node: ast.ListComp, env: Env) -> Value:
        return sequences.collected(list, self._elements(node.elt, node.generators, env, True))

    def _setcomp(self, node: ast.SetComp, env: Env) -> Value:
        return sequences.collected(set, self._elements(node.elt, node.generators, env, True))

    def _generatorexp(self, node: ast.GeneratorExp, env: Env) -> Value:
        return sequences.collected(possible.Iterator, self._elements(node.elt, node.generators, env, True))

    def _dictcomp(self, node: ast.DictComp, env: Env) -> Value:
        pair = ast.Tuple([node.key, node.value], ast.Load())
        found = list(self._elements(pair, node.generators, env, True))
        if not all(sure for _, sure in found):
            raise Unknown
        return sequences.dictionary([(one.parts[0], one.parts[1]) for one, _ in found if isinstance(one, Items)])

    def _elements(
        self, node: ast.expr, generators: list[ast.comprehension], env: Env, sure: bool
    ) -> Iterable[tuple[Value, bool]]:
        if not generators:
            yield kept(self.value(node, env)), sure
            return
        first, *rest = generators
        for part, there in possible.parts(self.value(first.iter, env)):
            inside, certain = dict(env), sure and there
            self.bind(first.target, part, inside)
            for test in first.ifs:
                truths = possible.truths(self.value(test, inside))
                if truths == {False}:
                    break
                certain = certain and truths == {True}
            else:
                yield from self._elements(node, rest, inside, certain)

    def bind(self, target: ast.expr, value: Value, env: Env) -> None:
        """Assign a value to a target."""
        if isinstance(target, ast.Name):
            env[target.id] = kept(value)
            return
        if not isinstance(target, (ast.Tuple, ast.List)):
            raise Unknown
        found = possible.parts(value)
        stars = [place for place, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
        row = [part for part, _ in found]
        if not all(sure for _, sure in found) or len(row) < len(target.elts) - len(stars):
            raise Unknown
        if stars:
            after = len(target.elts) - stars[0] - 1
            middle = Items(list, tuple(row[stars[0] : len(row) - after]))
            row[stars[0] : len(row) - after] = [middle]
        if len(row) != len(target.elts):
            raise Unknown
        for part, one in zip(target.elts, row, strict=True):
            self.bind(part.value if isinstance(part, ast.Starred) else part, one, env)


def merged(ends: list[Env | None]) -> Env | None:
    """The variables where paths meet, None when none comes there."""
    first, *rest = [env for env in ends if env is not None] or [None]
    if first is None:
        return None
    merged = dict(first)
    for env in rest:
        for name in merged.keys() | env.keys():
            merged[name] = _met(merged.get(name, LOST), env.get(name, LOST))
    return merged


def _met(one: Any, other: Any) -> Any:
    if one is LOST or other is LOST:
        return LOST
    try:
        return possible.join(one, other)
    except Unknown:
        return LOST
