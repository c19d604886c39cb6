"""The parameters of the kernel function: kinds, order, workspace, and the device entry they become."""

from __future__ import annotations

import dataclasses
import inspect
import re
from dataclasses import dataclass
from typing import Any

from pypto_rules.tools.contract import cxx_names, declarations, manifest, source
from pypto_rules.tools.contract.problems import Location, Problems

_WORKSPACE = re.compile(r"(^|_)(ws|workspace|work_space)(_|$)")
_BYTES = "uint8"
_UNRESOLVED = object()


def _is_foreign(cls: type) -> bool:
    """Whether a class is Python's or the front end's, and so cannot be the user's TilingData."""
    return cls.__module__.partition(".")[0] in ("builtins", "pypto_pro")


def is_workspace(name: str) -> bool:
    """Whether a parameter is the workspace by its name."""
    return "workspace" in name.lower() or _WORKSPACE.search(name) is not None


@dataclass(frozen=True)
class Parameter:
    """One parameter with its resolved annotation; `kind` is ptr, tensor, scalar, tiling or unknown."""

    name: str
    kind: str
    annotation: Any
    at: Location


class ParameterCheck:
    """Checks the parameters of one kernel function."""

    def __init__(self, function: Any, file: source.SourceFile, node: source.FunctionNode, problems: Problems) -> None:
        self._function = function
        self._file = file
        self._node = node
        self._problems = problems
        self._arguments = source.arguments(node)
        self.parameters = self._read()

    def _read(self) -> list[Parameter]:
        annotations = self._annotations()
        read = []
        for name, parameter in inspect.signature(self._function).parameters.items():
            at = self._file.at(self._arguments.get(name, self._node))
            self._check_plain(parameter, at)
            self._check_name(name, at)
            annotation = self._resolve(name, annotations.get(name, _UNRESOLVED), at)
            read.append(Parameter(name, self._kind(name, annotation, at), annotation, at))
        return read

    def _annotations(self) -> dict[str, Any]:
        try:
            return dict(inspect.get_annotations(self._function))
        except Exception as error:  # Python 3.14 evaluates them here
            message = f"the annotations of the kernel cannot be read: {error}"
            fix = "annotate with pl.Ptr[...] or the TilingData class, imported or defined above the kernel"
            self._problems.add("PYPTO-E402", self._file.at_name(self._node), message, fix)
            return dict.fromkeys(self._arguments)

    def _check_plain(self, parameter: inspect.Parameter, at: Location) -> None:
        plain = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.POSITIONAL_ONLY)
        if plain and parameter.default is parameter.empty:
            return
        found = "has a default value" if plain else "is a *, ** or keyword-only parameter"
        message = (
            f"parameter '{parameter.name}' {found}; allowed are plain parameters, since the launch passes all in order"
        )
        self._problems.add("PYPTO-E408", at, message, f"write {parameter.name}: <annotation> without default or *")

    def _check_name(self, name: str, at: Location) -> None:
        reason = cxx_names.why_not(name)
        if reason is not None:
            fix = f"rename it (also in the OpDef), for example to {cxx_names.better(name)}"
            self._problems.add("PYPTO-E409", at, f"parameter name: {reason}", fix)

    def _resolve(self, name: str, annotation: Any, at: Location) -> Any:
        if annotation is _UNRESOLVED:
            message = f"parameter '{name}' has no annotation; every parameter needs one"
            self._problems.add(
                "PYPTO-E401", at, message, f"write {name}: pl.Ptr[pl.DT_UINT8], or the TilingData class for the last"
            )
            return _UNRESOLVED
        for _ in range(2):  # quoted, and once more when the file keeps annotations as text
            if not isinstance(annotation, str):
                return annotation
            try:
                annotation = eval(annotation, self._function.__globals__)
            except Exception as error:  # whatever the user's expression raises
                message = f"parameter '{name}': the annotation {annotation} cannot be resolved: {error}"
                fix = "annotate with pl.Ptr[...] or the TilingData class, imported or defined above the kernel"
                self._problems.add("PYPTO-E402", at, message, fix)
                return _UNRESOLVED
        return annotation

    def _kind(self, name: str, annotation: Any, at: Location) -> str:
        if annotation is _UNRESOLVED:
            return "unknown"
        if declarations.is_annotation(annotation, "Ptr"):
            return self._typed(name, "ptr", annotation, at)
        if declarations.is_annotation(annotation, "Tensor"):
            self._check_shape(name, annotation.shape, at)
            return self._typed(name, "tensor", annotation, at)
        scalar = declarations.dtype_name(annotation) or declarations.is_annotation(annotation, "Scalar")
        if scalar or any(annotation is cls for cls in (int, float, bool)) or declarations.is_scalar_class(annotation):
            message = (
                f"parameter '{name}' is a scalar ({declarations.spelled(annotation)}); the offline flow passes only "
                "tensors, workspace and TilingData"
            )
            self._problems.add("PYPTO-E403", at, message, f"make '{name}' a field of TilingData")
            return "scalar"
        if isinstance(annotation, type) and not _is_foreign(annotation):
            return "tiling"
        message = f"parameter '{name}' is annotated with {declarations.spelled(annotation)}"
        allowed = "allowed are pl.Ptr[dtype], pl.Tensor[[64, 128], dtype] and the TilingData class"
        is_object = dataclasses.is_dataclass(annotation)
        fix = f"write {name}: {type(annotation).__name__}" if is_object else f"write {name}: pl.Ptr[pl.DT_UINT8]"
        self._problems.add("PYPTO-E402", at, f"{message}; {allowed}", fix)
        return "unknown"

    def _typed(self, name: str, kind: str, annotation: Any, at: Location) -> str:
        if declarations.dtype_name(annotation.dtype) is not None:
            return kind
        message = f"parameter '{name}' has the element type {declarations.spelled(annotation.dtype)}"
        message += "; allowed are pl.DT_* types"
        fix = f"write {name}: pl.Ptr[pl.DT_UINT8], and give the real type to make_tensor"
        self._problems.add("PYPTO-E402", at, message, fix)
        return "unknown"

    def _check_shape(self, name: str, shape: Any, at: Location) -> None:
        dims = list(shape) if isinstance(shape, (list, tuple)) else [shape]
        wrong = [dim for dim in dims if not isinstance(dim, int) or isinstance(dim, bool) or not 1 <= dim < 2**63]
        if not wrong and dims and isinstance(shape, (list, tuple)):
            return
        found = ", ".join(str(dim) for dim in dims)
        message = (
            f"parameter '{name}' is a tensor with the shape [{found}]; allowed are positive numbers: the offline flow "
            "passes no dynamic dimensions"
        )
        fix = f"write {name}: pl.Ptr[...] and build the tensor with pl.make_tensor and sizes from TilingData"
        self._problems.add("PYPTO-E404", at, message, fix)

    def tiling(self) -> Parameter | None:
        """The TilingData parameter, after the rules about its number and place."""
        found = [parameter for parameter in self.parameters if parameter.kind == "tiling"]
        self._check_class_names(found)
        if not found:
            if not self.parameters or self.parameters[-1].kind != "unknown":
                self._problems.add(
                    "PYPTO-E301",
                    self._file.at_name(self._node),
                    f"kernel '{self._node.name}' has no TilingData parameter; allowed is exactly one, at the end",
                    "add the last parameter: tiling: <your TilingData dataclass>",
                )
            return None
        if len(found) > 1:
            names = ", ".join(f"'{parameter.name}'" for parameter in found)
            self._problems.add(
                "PYPTO-E302",
                found[1].at,
                f"kernel '{self._node.name}' has {len(found)} parameters of a class type: {names}; "
                "allowed is one TilingData",
                "join the fields in one dataclass, and annotate inputs and outputs with pl.Ptr[...]",
            )
            return None
        if self.parameters[-1] is not found[0]:
            self._problems.add(
                "PYPTO-E303",
                found[0].at,
                f"TilingData parameter '{found[0].name}' is followed by '{self.parameters[-1].name}'; "
                "it must be the last",
                f"move '{found[0].name}' to the end: (…, workspace, {found[0].name})",
            )
        return found[0]

    def _check_class_names(self, tilings: list[Parameter]) -> None:
        """In the device entry, the name of the kernel or of a parameter would hide a class of the same name."""
        names = {"kernel": self._node.name, **{f"parameter '{p.name}'": p.name for p in self.parameters}}
        for tiling in tilings:
            cls = tiling.annotation.__name__
            for what, name in names.items():
                if name == cls:
                    message = f"TilingData class name: '{cls}' is also the name of the {what}, which hides it in C++"
                    self._problems.add(
                        "PYPTO-E310", tiling.at, message, f"rename the class, for example to {cls}Tiling"
                    )

    def business(self) -> list[Parameter]:
        """The inputs and outputs: neither TilingData nor the workspace."""
        others = [parameter for parameter in self.parameters if parameter.kind != "tiling"]
        if others and is_workspace(others[-1].name):
            return others[:-1]  # an input may have `ws` in its name, too
        return [parameter for parameter in others if not is_workspace(parameter.name)]

    def check_workspace(self) -> None:
        """The workspace: there, after all inputs and outputs, and a byte pointer."""
        others = [parameter for parameter in self.parameters if parameter.kind != "tiling"]
        if others and others[-1].kind == "unknown" and others[-1] is self.parameters[-1] and others == self.parameters:
            others = others[:-1]  # meant to be TilingData: what is wrong with it is reported
        tail = others[-1] if others else None
        if tail is not None and is_workspace(tail.name):
            self._check_bytes(tail)
            return
        named = [parameter for parameter in others if is_workspace(parameter.name)]
        if named and tail is not None:
            self._problems.add(
                "PYPTO-E406",
                named[0].at,
                f"workspace parameter '{named[0].name}' is followed by '{tail.name}'; "
                "it must come after all inputs and outputs",
                f"move '{named[0].name}' just before TilingData: (…, {named[0].name}, tiling)",
            )
            return
        last = next((parameter for parameter in reversed(self.parameters) if parameter.kind == "tiling"), tail)
        found = f"'{tail.name}'" if tail is not None else "nothing"
        fix = "add workspace: pl.Ptr[pl.DT_UINT8] just before TilingData: (…, workspace, tiling)"
        if tail is not None and self._is_bytes(tail):
            fix += f", or rename '{tail.name}' to workspace if it is one"
        self._problems.add(
            "PYPTO-E405",
            last.at if last is not None else self._file.at_name(self._node),
            f"kernel '{self._node.name}' has no workspace parameter; found {found} before TilingData",
            fix,
        )

    def _is_bytes(self, parameter: Parameter) -> bool:
        return parameter.kind == "ptr" and declarations.dtype_name(parameter.annotation.dtype) == _BYTES

    def _check_bytes(self, workspace: Parameter) -> None:
        if self._is_bytes(workspace) or workspace.kind == "unknown":
            return
        found = declarations.spelled(workspace.annotation)
        message = f"workspace parameter '{workspace.name}' is {found}; allowed is a byte pointer, pl.Ptr[pl.DT_UINT8]"
        fix = f"write {workspace.name}: pl.Ptr[pl.DT_UINT8], and give other types to make_tensor"
        self._problems.add("PYPTO-E407", workspace.at, message, fix)

    def described(self) -> tuple[tuple[manifest.Param, ...], tuple[manifest.EntryParam, ...]]:
        """The parameters and the device entry's, for the manifest. Only for parameters without problems."""
        params, entry = [], []
        for parameter in self.parameters:
            if parameter.kind == "tiling":
                params.append(manifest.Param(parameter.name, "tiling", None, None))
                entry.append(manifest.EntryParam("uint8_t", parameter.name, True))
                continue
            dtype = declarations.dtype_name(parameter.annotation.dtype) or ""
            shape = tuple(parameter.annotation.shape) if parameter.kind == "tensor" else None
            params.append(manifest.Param(parameter.name, parameter.kind, dtype, shape))
            entry.append(manifest.EntryParam(declarations.CTYPES[dtype], parameter.name, True))
        return tuple(params), tuple(entry)
