"""System variables, `pl.min`/`pl.max`, `pl.const`, `pl.printf`."""

from __future__ import annotations

import ast
import re
import struct

from toolchains.twin.codegen import calls, cpp, expr, scalars
from toolchains.twin.codegen.cpp import Cx
from toolchains.twin.codegen.dtypes import DType
from toolchains.twin.codegen.operands import Arguments
from toolchains.twin.codegen.state import State
from toolchains.twin.codegen.values import BOOL, FLOAT, INT, Const, Scalar, Tile, Value, const_kind, describe, kind_of


def system_variable(args: Arguments) -> Value:
    """`pl.get_block_idx()` and its family."""
    return Scalar(cpp.call(f"pt::{args.name}", "block"), INT)


def extreme(args: Arguments) -> Value:
    """`pl.min(a, b)`, `pl.max(a, b)`."""
    for parameter in ("lhs", "rhs"):
        value = args.value(parameter)
        if kind_of(value) is None:
            fix = f"write pl.{args.name}imum(out, lhs, rhs) for tiles" if isinstance(value, Tile) else "give a number"
            what = f"{parameter} must be a number"
            args.fail(parameter, "G015", what, found=describe(value), allowed="int, float or bool", fix=fix)
    return calls.extreme(args.state, args.node, args.name, [args.value("lhs"), args.value("rhs")])


def const(args: Arguments) -> Value:
    """`pl.const(value, dtype)`: the constant as the dtype holds it."""
    value, dtype = args.constant("value", "value"), args.constant("dtype", "dtype")
    if const_kind(value) is None:
        args.fail(
            "value", "G015", "value must be a number", found=repr(value), allowed="int or float", fix="write a number"
        )
    if not isinstance(dtype, DType):
        args.fail(
            "dtype",
            "G015",
            "dtype must be a data type",
            found=repr(dtype),
            allowed="pl.DT_INT64, pl.DT_FP32, …",
            fix="write e.g. pl.DT_INT64",
        )
    assert isinstance(dtype, DType) and isinstance(value, (int, float))
    if not dtype.is_float and const_kind(value) == FLOAT:
        args.fail(
            "value",
            "G033",
            f"a float is no value of {dtype!r}",
            found=repr(value),
            allowed="an integer",
            fix="write an integer, or use a float dtype",
        )
    if not dtype.lowest <= value <= dtype.highest:
        args.fail(
            "value",
            "G033",
            f"the constant does not fit {dtype!r}",
            found=repr(value),
            allowed=f"{dtype.lowest} to {dtype.highest}",
            fix="use a wider dtype or a smaller constant",
        )
    if dtype.kind == "bool":
        return Const(bool(value))
    return Const(_rounded(float(value), dtype) if dtype.is_float else int(value))


def _rounded(value: float, dtype: DType) -> float:
    if dtype.pl == "BF16":
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
        return float(struct.unpack("<f", struct.pack("<I", bits))[0])
    code = "<e" if dtype.pl == "FP16" else "<f"
    return float(struct.unpack(code, struct.pack(code, value))[0])


_CONVERSION = re.compile(r"%([-+ #0]*)(\d*)(\.\d+)?(.)", re.DOTALL)


def printf(state: State, node: ast.Call) -> Value:
    """`pl.printf(format, *scalars)`: printed to stdout by the twin."""
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    if set(keywords) - {"loc"} or not node.args:
        state.fail(
            node,
            "G014",
            "pl.printf takes a format and scalars",
            allowed="pl.printf(format, *args, loc=)",
            found=ast.unparse(node),
            fix="write pl.printf(format, scalars)",
        )
    if "loc" in keywords and expr.constant(state, keywords["loc"], "loc"):
        state.fail(keywords["loc"], "G012", "loc=True of pl.printf is not supported by the twin", fix="remove loc=")
    template = expr.constant(state, node.args[0], "the format of pl.printf")
    if not isinstance(template, str):
        state.fail(
            node.args[0],
            "G015",
            "the format of pl.printf must be a string",
            found=repr(template),
            allowed="a string",
            fix="write the format as a string",
        )
    values = [expr.lower(state, argument) for argument in node.args[1:]]
    conversions = _CONVERSION.findall(template)
    if len(conversions) != len(values) or template.count("%") != len(conversions):
        found = f"{template.count('%')} conversions, {len(values)} values"
        state.fail(
            node,
            "G014",
            "format and values of pl.printf do not match",
            found=found,
            allowed="one value for each conversion",
            fix="write one value for each conversion",
        )
    arguments = [_printed(state, argument, value, conversion[3])
                 for argument, value, conversion in zip(node.args[1:], values, conversions, strict=False)]  # fmt: skip
    spelled = _CONVERSION.sub(lambda m: f"%{m[1]}{m[2]}{m[3] or ''}{'ll' if m[4] in 'diux' else ''}{m[4]}", template)
    state.emit(cpp.Do(cpp.call("printf", cpp.text(_c_string(spelled)), *arguments, pure=False)))
    return Const(None)


def _c_string(value: str) -> str:
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in value.encode()
    )
    return f'"{plain}"'


def _printed(state: State, node: ast.expr, value: Value, conversion: str) -> Cx:
    kinds = {"d": (INT, BOOL), "i": (INT, BOOL), "u": (INT, BOOL), "x": (INT,), "f": (FLOAT,)}.get(conversion)
    if kinds is None:
        state.fail(
            node,
            "G015",
            f"%{conversion} is not supported by pl.printf of the twin",
            allowed="%d %i %u %x %f",
            found=f"%{conversion}",
            fix="write %d for integers, %f for floats",
        )
    if kind_of(value) not in kinds:
        state.fail(
            node,
            "G016",
            f"%{conversion} prints {' or '.join(kinds)}",
            found=describe(value),
            allowed=" or ".join(kinds),
            fix="write %d for integers, %f for floats",
        )
    if conversion == "f":
        return Cx(("static_cast<double>(", scalars.to_cx(state, node, value, FLOAT), ")"))
    ctype = "unsigned long long" if conversion in "ux" else "long long"
    return Cx((f"static_cast<{ctype}>(", scalars.to_cx(state, node, value, INT), ")"))
