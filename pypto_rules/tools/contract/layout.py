"""TilingData: its dataclass, and the layout the C++ compilers of host and device give it."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from typing import Any

from pypto_rules.tools.contract import cxx_names, declarations, manifest, source
from pypto_rules.tools.contract.problems import Location, Problems

MAX_ARRAY = 2048
# Python type → (name in the intermediate representation, C type, size = alignment).
_SCALARS = {"int": ("index", "int64_t", 8), "float": ("fp32", "float", 4), "bool": ("bool", "bool", 1)}
_ALLOWED = "int, float, bool, or an array of one of them such as int[4]"


class _FieldError(Exception):
    def __init__(self, code: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix


class LayoutCheck:
    """Checks one TilingData class and lays it out."""

    def __init__(self, cls: type, param: str, index: source.SourceIndex, problems: Problems, at: Location) -> None:
        self._cls = cls
        self._param = param
        self._problems = problems
        placed = index.class_node(cls)
        self._file, self._node = placed if placed is not None else (None, None)
        self._at_class = self._file.at_name(self._node) if self._file and self._node else at
        self._members = source.assignments(self._node.body) if self._node else {}
        self._array_reported = {problem.line for problem in problems.found if problem.code == "PYPTO-E311"}

    def run(self) -> manifest.TilingData | None:
        """The layout, None when the class has problems."""
        before = len(self._problems.found)
        if not dataclasses.is_dataclass(self._cls):
            self._report_no_dataclass()
        if any(declarations.is_key_field(value) for value in vars(self._cls).values()):
            return None  # the TilingKey class by mistake: no more to say about its fields
        annotations = self._own_annotations()
        self._check_inherited(annotations)
        self._check_class_name()
        self._check_declared_once(annotations)
        fields = [field for name, value in annotations.items() if (field := self._field(name, value)) is not None]
        if len(self._problems.found) > before:
            return None
        return _laid_out(self._cls.__name__, self._param, fields)

    def _report_no_dataclass(self) -> None:
        name = self._cls.__name__
        bases = [base.__name__ for base in self._cls.__bases__ if base is not object]
        if any(declarations.is_key_field(value) for value in vars(self._cls).values()):
            found, fix = "the TilingKey class", f"annotate '{self._param}' with the TilingData dataclass"
        elif bases:
            found = f"a {', '.join(bases)}"
            fix = f"write @dataclass above class {name}, without base class"
        else:
            found, fix = "not a dataclass", f"write @dataclass above class {name}"
        message = f"'{name}', the type of parameter '{self._param}', is {found}; TilingData must be a dataclass"
        self._problems.add("PYPTO-E304", self._at_class, message, fix)

    def _own_annotations(self) -> dict[str, Any]:
        try:
            return dict(inspect.get_annotations(self._cls))
        except Exception as error:  # Python 3.14 evaluates them here
            message = f"the annotations of '{self._cls.__name__}' cannot be read: {error}"
            self._problems.add("PYPTO-E307", self._at_class, message, f"allowed are {_ALLOWED}")
            return {}

    def at_field(self, name: str) -> Location:
        """Where a field is declared."""
        private = name.removeprefix(f"_{self._cls.__name__}")
        for key in (name, private):
            if key in self._members and self._file:
                return self._file.at(self._members[key][-1])
        return self._at_class

    def _check_inherited(self, own: dict[str, Any]) -> None:
        inherited = False
        for base in self._cls.__mro__[1:]:
            names = [name for name in inspect.get_annotations(base) if name not in own]
            names = names or [name for name in base.__dict__.get("__dataclass_fields__", {}) if name not in own]
            if names:
                inherited = True
                listed = ", ".join(f"'{name}'" for name in names)
                self._problems.add(
                    "PYPTO-E306",
                    self._at_class,
                    f"TilingData '{self._cls.__name__}' inherits {listed} from base class '{base.__name__}'; "
                    "inherited fields are not part of the struct",
                    f"declare {listed} in '{self._cls.__name__}' itself and drop the base class",
                )
        if not own and not inherited:
            message = f"TilingData '{self._cls.__name__}' has no fields; allowed are one or more"
            self._problems.add("PYPTO-E305", self._at_class, message, "add a field, for example total_length: int")

    def _check_class_name(self) -> None:
        reason = cxx_names.why_not_global(self._cls.__name__)
        if reason is not None:
            fix = f"rename it, for example to {cxx_names.better(self._cls.__name__)}"
            self._problems.add("PYPTO-E310", self._at_class, f"TilingData class name: {reason}", fix)

    def _check_declared_once(self, own: dict[str, Any]) -> None:
        for name, statements in self._members.items():
            annotated = [statement for statement in statements if isinstance(statement, ast.AnnAssign)]
            if name in own and len(annotated) > 1 and self._file:
                first = self._file.at(annotated[0]).line
                self._problems.add(
                    "PYPTO-E309",
                    self._file.at(annotated[-1]),
                    f"TilingData field '{name}' is declared twice, first in line {first}; Python keeps one only",
                    "rename or remove one of them",
                )

    def _field(self, name: str, annotation: Any) -> tuple[str, str, int | None] | None:
        at = self.at_field(name)
        reason = cxx_names.why_not(name)
        if reason is not None:
            better = cxx_names.better(name.removeprefix(f"_{self._cls.__name__}"))
            self._problems.add(
                "PYPTO-E310", at, f"TilingData field name: {reason}", f"rename it, for example to {better}"
            )
        try:
            element, count = parse_annotation(annotation)
        except _FieldError as error:
            if at.line not in self._array_reported or error.code != "PYPTO-E307":
                self._problems.add(error.code, at, f"TilingData field '{name}': {error.message}", error.fix)
            return None
        return name, element, count


def parse_annotation(annotation: Any) -> tuple[str, int | None]:
    """Element type and array length (None for a scalar) of a field annotation."""
    if isinstance(annotation, type) and annotation.__name__ in _SCALARS:
        if annotation.__module__ == "builtins":
            return annotation.__name__, None
        raise _wrong_type(f"{annotation.__name__}, a class of the file's own")
    if not isinstance(annotation, str):
        raise _wrong_type(declarations.spelled(annotation))
    try:
        node = ast.parse(annotation, mode="eval").body
    except (SyntaxError, ValueError):
        raise _wrong_type(repr(annotation)) from None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        # A quoted annotation in a file that keeps annotations as text; upstream does not see through the quotes.
        message = f"the annotation {annotation} is quoted twice, once by 'from __future__ import annotations'"
        raise _FieldError("PYPTO-E307", message, f"write {node.value} without quotes")
    if isinstance(node, ast.Name) and node.id in _SCALARS:
        return node.id, None
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in _SCALARS:
        return node.value.id, _array_length(node.slice, annotation)
    raise _wrong_type(annotation)


def _wrong_type(found: str) -> _FieldError:
    if any(word in found for word in ("ClassVar", "InitVar", "KW_ONLY")):
        fix = "move it out of the class: every annotated name of TilingData becomes a field of the struct"
        return _FieldError("PYPTO-E307", f"found {found}; allowed are {_ALLOWED}", fix)
    fix = "use int (64 bits), float (32 bits) or bool; for several values write int[4], or one field for each"
    return _FieldError("PYPTO-E307", f"found type {found}; allowed are {_ALLOWED}", fix)


def _array_length(node: ast.expr, annotation: str) -> int:
    value = node.value if isinstance(node, ast.Constant) else None
    literal = isinstance(value, int) and not isinstance(value, bool)
    if not literal or not 1 <= value <= MAX_ARRAY:  # type: ignore[operator]
        element = annotation.partition("[")[0].strip()
        message = f"found {annotation}; allowed is an array length from 1 to {MAX_ARRAY}, written as a number"
        if literal and value is not None and value > MAX_ARRAY:  # type: ignore[operator]
            fix = f"write at most {element}[{MAX_ARRAY}], or pass large tables as an input tensor"
        else:
            fix = f"write the number itself, for example {element}[4]"
        raise _FieldError("PYPTO-E308", message, fix)
    return value  # type: ignore[return-value]


def _laid_out(name: str, param: str, fields: list[tuple[str, str, int | None]]) -> manifest.TilingData:
    offset = 0
    align = 1
    described = []
    for field, element, count in fields:
        dtype, ctype, size = _SCALARS[element]
        offset = -(-offset // size) * size  # natural alignment: size and alignment of these types are equal
        align = max(align, size)
        total = size * (count or 1)
        suffix = f"[{count}]" if count is not None else ""
        described.append(manifest.TilingField(field, element + suffix, dtype, count, offset, total, ctype + suffix))
        offset += total
    return manifest.TilingData(param, name, -(-offset // align) * align, align, tuple(described))
