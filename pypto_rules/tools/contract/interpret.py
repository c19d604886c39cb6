"""Evaluates `is_valid` from its syntax tree while fields are not settled: the answers it may give.

Soundness: every path that the candidates of the fields allow is followed, and the values of paths that meet again are
joined, so that the answers found include every answer Python would give. Whatever could raise on one of the paths, and
whatever is not known here, ends the evaluation with `Unknown`. `pure` has checked that nothing has an effect.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Sequence
from typing import Any

from pypto_rules.tools.contract import (
    closures,
    expressions,
    growing,
    library,
    operators,
    plain,
    possible,
    pure,
    sequences,
)
from pypto_rules.tools.contract.expressions import Env
from pypto_rules.tools.contract.possible import Between, Items, Some, Thing, Unknown, Value

_DEEP = 20  # calls of helpers in one another
_TURNS = 256  # of a while loop
Function = types.FunctionType | closures.Closure
_UNCHANGING = (int, bool, float, str, tuple)


class Interpreter:
    """Evaluates calls of one predicate; `steps` bounds the work of all of them together."""

    def __init__(self, program: pure.Program, steps: int) -> None:
        self._program = program
        self._steps = steps
        self._signatures: dict[Any, inspect.Signature] = {}
        self._wrapped: dict[int, Value] = {}  # constant data, which is long to look through
        self._intervals: dict[int, tuple[tuple[int, ...], Value]] = {}  # around many candidates, by their id
        self._depth = 0

    @property
    def is_tired(self) -> bool:
        """Whether the evaluations together took all the steps they may; all further ones raise Unknown."""
        return self._steps < 0

    def answers(self, box: Sequence[tuple[int, ...]]) -> frozenset[bool]:
        """The answers that the predicate may give for these candidates of each field.

        Raises:
            Unknown: it could raise, does what is not known here, or takes too many steps.
        """
        self._depth = 0
        key = Items(tuple, tuple(map(self._candidates, box)))
        returned = self._results(self._program.function, [*map(self.wrap, self._program.bound), key], {})
        return frozenset().union(*map(possible.truths, returned))

    def call(self, function: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        """What a call may return."""
        if isinstance(function, types.MethodType):
            return self.call(function.__func__, [self.wrap(function.__self__), *args], keywords)
        if isinstance(function, (types.FunctionType, closures.Closure)):
            if any(isinstance(arg, Items) and arg.kind is possible.Iterator for arg in [*args, *keywords.values()]):
                raise Unknown
            return possible.joined(self._results(function, args, keywords))
        return library.call(function, args, keywords, self.call)

    def _results(self, function: Function, args: list[Value], keywords: dict[str, Value]) -> list[Value]:
        node, env = self._entered(function)
        if node is None or self._depth > _DEEP:
            raise Unknown
        try:
            bound = self._signature(function).bind(*args, **keywords)
        except TypeError as error:
            raise Unknown from error
        bound.apply_defaults()
        env |= {name: self._argument(bound, name) for name in bound.arguments}
        frame = _Frame(self, function.around if isinstance(function, closures.Closure) else function)
        self._depth += 1
        if isinstance(node, ast.Lambda):
            frame.returned.append(frame.value(node.body, env))
        elif frame.block(node.body, env) is not None:
            frame.returned.append(Some((None,)))
        self._depth -= 1
        return frame.returned

    def _entered(self, function: Function) -> tuple[Any, Env]:
        """The syntax of a function, and the variables that are there without its arguments."""
        if isinstance(function, closures.Closure):
            return function.node, function.env | dict.fromkeys(closures.own_names(function.node), expressions.LOST)
        return self._program.nodes.get(function.__code__), {}

    def _signature(self, function: Function) -> inspect.Signature:
        if isinstance(function, closures.Closure):
            return function.signature
        if function not in self._signatures:
            self._signatures[function] = inspect.signature(function, follow_wrapped=False)
        return self._signatures[function]

    def _argument(self, bound: inspect.BoundArguments, name: str) -> Value:
        value = bound.arguments[name]
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            raise Unknown
        if kind is inspect.Parameter.VAR_POSITIONAL:
            return Items(tuple, value)
        return value if isinstance(value, Value) else self.wrap(value)

    def wrap(self, thing: Any) -> Value:
        """An object that is there, as a value."""
        if not isinstance(thing, (tuple, list, set, frozenset, dict)):
            return Some((thing,)) if plain.is_plain(thing) else Thing(thing)
        if id(thing) not in self._wrapped:
            self._wrapped[id(thing)] = self._container(thing)
        return self._wrapped[id(thing)]

    def _container(self, thing: Any) -> Value:
        if plain.is_plain(thing):
            return Some((thing,))
        return Items(type(thing), tuple(map(self.wrap, thing))) if type(thing) in (tuple, list) else Thing(thing)

    def step(self, weight: int = 1) -> None:
        """Count a step of so much work."""
        self._steps -= weight
        if self._steps < 0:
            raise Unknown

    def _candidates(self, field: tuple[int, ...]) -> Value:
        if len(field) <= possible.MANY:
            return Some(field)
        if id(field) not in self._intervals:
            self._intervals[id(field)] = field, Between(min(field), max(field))
        return self._intervals[id(field)][1]


class _Frame(expressions.Expressions):
    """One call: its variables are in `env`, a dict per path."""

    def __init__(self, interpreter: Interpreter, function: types.FunctionType) -> None:
        super().__init__(interpreter, function)
        self._loops: list[tuple[list[Env], list[Env]]] = []  # where break and continue left the bodies of loops
        self.returned: list[Value] = []

    def block(self, statements: list[ast.stmt], env: Env | None) -> Env | None:
        """The variables after the statements, None when no path comes there."""
        for statement in statements:
            if env is None:
                break
            self._host.step()
            env = getattr(self, f"_{type(statement).__name__.lower()}")(statement, env)
        return env

    def _expr(self, node: ast.Expr, env: Env) -> Env:
        grown = growing.receiver(node)
        if grown is None:
            self.value(node.value, env)
            return env
        name, part = grown
        before, (one,) = self._name(name, env), self._spread(part, env)
        if not isinstance(before, Items):
            raise Unknown
        parts = [(old, place not in before.optional) for place, old in enumerate(before.parts)]
        env[name.id] = sequences.collected(before.kind, [*parts, (sequences.kept(one), True)])
        return env

    def _pass(self, node: ast.Pass, env: Env) -> Env:
        return env

    def _return(self, node: ast.Return, env: Env) -> None:
        self.returned.append(sequences.kept(self.value(node.value, env)) if node.value else Some((None,)))

    def _assert(self, node: ast.Assert, env: Env) -> Env:
        if possible.truths(self.value(node.test, env)) != {True}:
            raise Unknown
        return env

    def _raise(self, node: ast.Raise, env: Env) -> None:
        raise Unknown

    def _assign(self, node: ast.Assign, env: Env) -> Env:
        value = self.value(node.value, env)
        for target in node.targets:
            self.bind(target, value, env)
        return env

    def _annassign(self, node: ast.AnnAssign, env: Env) -> Env:
        if node.value is not None:
            self.bind(node.target, self.value(node.value, env), env)
        return env

    def _augassign(self, node: ast.AugAssign, env: Env) -> Env:
        before = self._name(node.target, env)  # type: ignore[arg-type]
        if not isinstance(before, Between) and any(type(it) not in _UNCHANGING for it in possible.options(before)):
            raise Unknown  # a list would change in place
        value = operators.binary(type(node.op), before, self.value(node.value, env))
        self.bind(node.target, value, env)
        return env

    def _if(self, node: ast.If, env: Env) -> Env | None:
        truths = possible.truths(self.value(node.test, env))
        if len(truths) == 1:
            return self.block(node.body if True in truths else node.orelse, env)
        return expressions.merged([self.block(node.body, dict(env)), self.block(node.orelse, env)])

    def _for(self, node: ast.For, env: Env) -> Env | None:
        left: tuple[list[Env], list[Env]] = ([], [])
        after: Env | None = env
        for part, sure in possible.parts(self.value(node.iter, env)):
            if after is None:
                break
            skipped = None if sure else dict(after)
            self.bind(node.target, part, after)
            self._loops.append(left)
            after = expressions.merged([self.block(node.body, after), skipped, *left[1]])
            self._loops.pop()
            left[1].clear()
        return expressions.merged([self.block(node.orelse, after), *left[0]])

    def _while(self, node: ast.While, env: Env) -> Env | None:
        left: tuple[list[Env], list[Env]] = ([], [])
        ends: list[Env | None] = []
        after: Env | None = env
        for _ in range(_TURNS):
            if after is None:
                return expressions.merged([self.block(node.orelse, expressions.merged(ends)), *left[0]])
            truths = possible.truths(self.value(node.test, after))
            if False in truths:
                ends.append(dict(after))
            self._loops.append(left)
            after = expressions.merged([self.block(node.body, after) if True in truths else None, *left[1]])
            self._loops.pop()
            left[1].clear()
        raise Unknown

    def _functiondef(self, node: ast.FunctionDef, env: Env) -> Env:
        env[node.name] = self._lambda(node, env)
        return env

    def _break(self, node: ast.Break, env: Env) -> None:
        self._loops[-1][0].append(env)

    def _continue(self, node: ast.Continue, env: Env) -> None:
        self._loops[-1][1].append(env)

    def _match(self, node: ast.Match, env: Env) -> Env | None:
        subject = self.value(node.subject, env)
        ends: list[Env | None] = []
        for case in node.cases:
            inside = dict(env)
            truths = self._matches(case.pattern, subject, inside)
            if case.guard is not None and True in truths:
                truths = truths & {False} | possible.truths(self.value(case.guard, inside))
            if True in truths:
                ends.append(self.block(case.body, dict(inside)))
            if False not in truths:
                return expressions.merged(ends)
            env = expressions.merged([env, inside]) or env  # a guard that fails leaves the names of its pattern bound
        return expressions.merged([*ends, env])

    def _matches(self, pattern: ast.pattern, subject: Value, env: Env) -> frozenset[bool]:
        if isinstance(pattern, ast.MatchValue):
            return possible.equal(subject, self.value(pattern.value, env))
        if isinstance(pattern, ast.MatchSingleton):
            return possible.truths(operators.compare(ast.Is, subject, Some((pattern.value,))))
        if isinstance(pattern, ast.MatchOr):
            if any(getattr(part, "name", None) for part in ast.walk(pattern)):
                raise Unknown  # which of them bound the name?
            answers = [self._matches(one, subject, env) for one in pattern.patterns]
            return possible.either(answers)
        if isinstance(pattern, ast.MatchSequence):
            row = possible.row(subject)
            if row is None or any(isinstance(part, ast.MatchStar) for part in pattern.patterns):
                raise Unknown
            if len(row[1]) != len(pattern.patterns):
                return frozenset([False])
            return possible.each([self._matches(p, s, env) for p, s in zip(pattern.patterns, row[1], strict=True)])
        if not isinstance(pattern, ast.MatchAs):
            raise Unknown
        answer = self._matches(pattern.pattern, subject, env) if pattern.pattern else frozenset([True])
        if pattern.name:
            env[pattern.name] = subject
        return answer
