"""The statement tree as text: declarations placed, names chosen, sites numbered."""

from __future__ import annotations

from collections import Counter

from toolchains.twin.codegen.cpp import Assign, Cx, Do, For, If, Jump, Site, Stmt, Var, While
from toolchains.twin.codegen.names import NameScopes
from toolchains.twin.codegen.prune import blocks, expressions, prune, reads

_SCALARS = ("int64_t", "float", "bool")
_INDENT = "  "


class Emitter:
    """Writes one function body; afterwards `sites` are the operations in the order of their numbers."""

    def __init__(self, stmts: list[Stmt]) -> None:
        self._stmts = prune(stmts)
        self._reads = reads(self._stmts)
        self._writes: Counter[Var] = Counter()
        self._home: dict[Var, int] = {}
        self._names: dict[Var, str] = {}
        self._scopes = NameScopes()
        self._lines: list[str] = []
        self.sites: list[Site] = []
        self._place(self._stmts, (id(self._stmts),), paths := {})
        self._home = {variable: path[-1] for variable, path in paths.items()}

    def lines(self, depth: int = 1) -> list[str]:
        """The body, one statement a line."""
        self._block(self._stmts, depth)
        return self._lines

    def variables_read(self, variable: Var) -> bool:
        """Whether the body reads a variable."""
        return self._reads[variable] > 0

    def mentions(self, word: str) -> bool:
        """Whether a fixed text occurs in the body's lines."""
        return any(word in line for line in self._lines)

    # -- placement ------------------------------------------------------------------------------------------------

    def _place(self, stmts: list[Stmt], path: tuple[int, ...], paths: dict[Var, tuple[int, ...]]) -> None:
        for stmt in stmts:
            for expr in expressions(stmt):
                for variable in expr.variables():
                    _meet(paths, variable, path)
            if isinstance(stmt, Assign):
                self._writes[stmt.target] += 1
                _meet(paths, stmt.target, path)
            if isinstance(stmt, For):
                self._writes[stmt.target] += 1
                _meet(paths, stmt.target, (*path, id(stmt.body)))
            for block in blocks(stmt):
                self._place(block, (*path, id(block)), paths)

    # -- statements -----------------------------------------------------------------------------------------------

    def _line(self, depth: int, text: str) -> None:
        self._lines.append(_INDENT * depth + text)

    def _block(self, stmts: list[Stmt], depth: int) -> None:
        for stmt in stmts:
            self._declare_before(stmt, stmts, depth)
            self._statement(stmt, stmts, depth)

    def _declare_before(self, stmt: Stmt, block: list[Stmt], depth: int) -> None:
        for variable in _mentioned(stmt):
            if variable in self._names or self._home[variable] != id(block):
                continue
            own = isinstance(stmt, Assign) and stmt.target is variable and variable not in set(stmt.value.variables())
            if not own:
                self._line(depth, f"{variable.ctype} {self._new_name(variable)} = {variable.zero};")

    def _statement(self, stmt: Stmt, block: list[Stmt], depth: int) -> None:
        if isinstance(stmt, Assign):
            self._assign(stmt, block, depth)
        elif isinstance(stmt, Do):
            self._line(depth, self._discarded(stmt.value) + ";")
        elif isinstance(stmt, If):
            self._if(stmt, depth)
        elif isinstance(stmt, For):
            self._for(stmt, depth)
        elif isinstance(stmt, While):
            self._line(depth, f"while ({self._text(stmt.cond)}) {{")
            self._nested(stmt.body, depth)
            self._line(depth, "}")
        elif isinstance(stmt, Jump):
            self._line(depth, stmt.word + ";")

    def _nested(self, stmts: list[Stmt], depth: int) -> None:
        self._scopes.push()
        self._block(stmts, depth + 1)
        self._scopes.pop()

    def _assign(self, stmt: Assign, block: list[Stmt], depth: int) -> None:
        value = self._text(stmt.value)
        if stmt.target in self._names:
            self._line(depth, f"{self._names[stmt.target]} = {value};")
            return
        const = "const " if self._writes[stmt.target] == 1 and stmt.target.ctype in _SCALARS else ""
        self._line(depth, f"{const}{stmt.target.ctype} {self._new_name(stmt.target)} = {value};")

    def _if(self, stmt: If, depth: int) -> None:
        self._line(depth, f"if ({self._text(stmt.cond)}) {{")
        self._nested(stmt.then, depth)
        orelse = stmt.orelse
        while len(orelse) == 1 and isinstance(orelse[0], If) and not self._declares(orelse):
            self._line(depth, f"}} else if ({self._text(orelse[0].cond)}) {{")
            self._nested(orelse[0].then, depth)
            orelse = orelse[0].orelse
        if orelse:
            self._line(depth, "} else {")
            self._nested(orelse, depth)
        self._line(depth, "}")

    def _declares(self, block: list[Stmt]) -> bool:
        return any(home == id(block) for home in self._home.values())

    def _for(self, stmt: For, depth: int) -> None:
        source = self._text(stmt.range)
        self._scopes.push()
        if self._home[stmt.target] == id(stmt.body):
            self._line(depth, f"for ({self._loop_declaration(stmt.target)} : {source}) {{")
        else:
            step = Var(stmt.target.hint, stmt.target.ctype)
            self._line(depth, f"for (const {step.ctype} {self._new_name(step)} : {source}) {{")
            self._line(depth + 1, f"{self._names[stmt.target]} = {self._names[step]};")
        self._block(stmt.body, depth + 1)
        self._scopes.pop()
        self._line(depth, "}")

    def _loop_declaration(self, target: Var) -> str:
        unused = "" if self._reads[target] else "[[maybe_unused]] "
        const = "const " if self._writes[target] == 1 else ""
        return f"{unused}{const}{target.ctype} {self._new_name(target)}"

    # -- expressions ----------------------------------------------------------------------------------------------

    def _new_name(self, variable: Var) -> str:
        self._names[variable] = self._scopes.new(variable.hint)
        return self._names[variable]

    def _discarded(self, value: Cx) -> str:
        text = self._text(value)
        return (
            text
            if value.parts and isinstance(value.parts[0], str) and value.prec >= 100
            else f"static_cast<void>({text})"
        )

    def _text(self, value: Cx) -> str:
        return "".join(self._leaf(leaf) for leaf in value.leaves())

    def _leaf(self, leaf: object) -> str:
        if isinstance(leaf, Var):
            return self._names[leaf]
        if isinstance(leaf, Site):
            self.sites.append(leaf)
            return str(len(self.sites) - 1)
        return str(leaf)


def _meet(paths: dict[Var, tuple[int, ...]], variable: Var, path: tuple[int, ...]) -> None:
    known = paths.get(variable, path)
    length = 0
    while length < min(len(known), len(path)) and known[length] == path[length]:
        length += 1
    paths[variable] = path[:length]


def _mentioned(stmt: Stmt) -> list[Var]:
    """Variables anywhere in a statement, in order of first mention."""
    seen: dict[Var, None] = {}
    for expr in expressions(stmt):
        seen.update(dict.fromkeys(expr.variables()))
    if isinstance(stmt, (Assign, For)):
        seen[stmt.target] = None
    for block in blocks(stmt):
        for inner in block:
            seen.update(dict.fromkeys(_mentioned(inner)))
    return list(seen)
