"""`cast` against an exact reference in rational arithmetic, in every rounding mode."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from tests.tools.twin_runtime import harness
from toolchains.twin.runtime import dtypes

MODES = ("none", "rint", "round", "floor", "ceil", "trunc", "odd")
NUMPY = {name: np.dtype(name) for name in dtypes.INTEGERS} | {
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float": np.dtype(np.float32),
}
# Mantissa bits with the hidden one, and the exponent of the largest value.
FORMATS = {"float16": (11, 15), "bfloat16": (8, 127), "float": (24, 127)}
# All pairs are tried in the default mode, these in each.
EVERY_MODE = [
    ("float", "float16"),
    ("float", "bfloat16"),
    ("float", "int8"),
    ("float", "uint8"),
    ("float", "int16"),
    ("float", "int32"),
    ("float", "int64"),
    ("float", "uint64"),
    ("float16", "int8"),
    ("float16", "int32"),
    ("float16", "bfloat16"),
    ("float16", "float"),
    ("bfloat16", "float16"),
    ("bfloat16", "int32"),
    ("int32", "float"),
    ("int32", "float16"),
    ("int32", "bfloat16"),
    ("int64", "float"),
    ("uint64", "float16"),
    ("int64", "int32"),
]
ALL_PAIRS = [(src, dst) for src in dtypes.NUMBERS for dst in dtypes.NUMBERS if dtypes.cast_supported(src, dst)]
COUNT = 512

_KERNEL = """
template <pt::round_mode kMode, class To, class From> int32_t convert(pypto_twin_launch* launch) {
  using none = pt::NoTiling;
  return pt::run<pt::soc::ascend910b, pt::core::vector, 2, none>(launch, [](pt::Block& block, const none&) {
    auto in = pt::make_tile<pt::TileType<From, 1, 512>>(block, 0, 0, 4096);
    auto out = pt::make_tile<pt::TileType<To, 1, 512>>(block, 1, 4096, 4096);
    pt::load(block, 2, in, pt::make_tensor<1>(block, 3, pt::arg<From>(block, 0), {512}), {0});
    pt::cast<kMode>(block, 4, out, in);
    pt::store(block, 5, pt::make_tensor<1>(block, 6, pt::arg<To>(block, 1), {512}), out, {0});
  });
}
#define CAST(mode, src, dst, src_type, dst_type) \\
  extern "C" PYPTO_TWIN_EXPORT int32_t mode##_##src##_##dst(pypto_twin_launch* launch) { \\
    return convert<pt::round_mode::mode, dst_type, src_type>(launch); }
"""


def _source(pairs: list[tuple[str, str]], modes: tuple[str, ...]) -> str:
    return _KERNEL + "".join(
        f"CAST({mode}, {src}, {dst}, {dtypes.CPP_TYPES[src]}, {dtypes.CPP_TYPES[dst]})\n"
        for src, dst in pairs
        for mode in modes
    )


def _round(value: Fraction, mode: str) -> int:
    """The integer that `mode` gives for an exact value."""
    down = math.floor(value)
    if value == down:
        return down
    rest = value - down
    if mode in ("none", "rint"):
        return down + 1 if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and down % 2) else down
    if mode == "round":
        return down + 1 if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and value > 0) else down
    toward_zero = down if value > 0 else down + 1
    away = down + 1 if value > 0 else down
    odd = toward_zero if toward_zero % 2 else away
    return {"floor": down, "ceil": down + 1, "trunc": toward_zero, "odd": odd}[mode]


def _to_format(value: Fraction, dst: str, mode: str) -> float:
    precision, top = FORMATS[dst]
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= magnitude < Fraction(2) ** exponent
    quantum = Fraction(2) ** (max(exponent, 1 - top) - precision + 1)
    rounded = _round(value / quantum, mode) * quantum
    if abs(rounded) < Fraction(2) ** (top + 1):
        return float(rounded)
    inward = mode in ("trunc", "odd") or (mode == "floor" and value > 0) or (mode == "ceil" and value < 0)
    largest = float((2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** top)
    return math.copysign(largest if inward else math.inf, value)


def _reference(value: float | int, dst: str, mode: str) -> float | int:
    special = isinstance(value, float) and not math.isfinite(value)
    if dst in FORMATS:
        return value if special else _to_format(Fraction(value), dst, mode)
    info = np.iinfo(NUMPY[dst])
    if special:
        return 0 if math.isnan(value) else info.max if value > 0 else info.min
    return min(max(_round(Fraction(value), mode), info.min), info.max)


def _values(src: str) -> np.ndarray:
    """Special values, small numbers with halves, values near the limits of the other dtypes, random bits."""
    kind = NUMPY[src]
    rng = np.random.default_rng(21)
    bits = rng.integers(0, 256, COUNT * kind.itemsize, dtype=np.uint8).view(kind)
    edges = [
        2.0**k + d for k in (0, 7, 8, 10, 11, 15, 16, 23, 24, 31, 32, 62, 63, 64) for d in (-1.5, -0.5, 0, 0.5, 1.5)
    ]
    if src in FORMATS:
        small = np.arange(-20, 20) / 4
        tiny = np.array([2.0**-24, 2.0**-25, 1.5 * 2.0**-25, 2.0**-14 * 0.9995, 6e-8, 1e-45, 65519.0, 65520.0, 65535.0])
        special = np.array([0.0, np.inf, -np.inf, np.nan])
        chosen = np.concatenate([special, small, tiny, -tiny, edges, np.negative(edges)]).astype(np.float32)
        with np.errstate(over="ignore"):
            chosen = chosen.astype(kind)
    else:
        info = np.iinfo(kind)
        inside = [int(sign * math.floor(edge)) for edge in edges for sign in (1, -1)]
        more = [
            info.min,
            info.max,
            2049,
            2051,
            4098,
            4102,
            257,
            259,
            65504,
            65519,
            65520,
            2**24 + 1,
            2**24 + 3,
            2**40 + 2**16,
        ]
        chosen = np.array([v for v in [*inside, *more] if info.min <= v <= info.max], kind)
    return np.concatenate([chosen, bits])[:COUNT]


def _exact(values: np.ndarray) -> list[float] | list[int]:
    """Python numbers: floats widen, integers keep every bit."""
    if values.dtype.kind in "iu":
        return values.tolist()
    with np.errstate(invalid="ignore"):
        return values.astype(np.float64).tolist()


def _check(source: str, src: str, dst: str, mode: str) -> None:
    values = _values(src)
    out = np.zeros(COUNT, NUMPY[dst])
    harness.run(source, [values, out], entry=f"{mode}_{src}_{dst}")
    exact = _exact(values)
    want = [_reference(value, dst, mode) for value in exact]
    got = _exact(out)
    wrong = [(v, g, w) for v, g, w in zip(exact, got, want, strict=True) if g != w and not (g != g and w != w)]
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("src", "dst"), EVERY_MODE)
def test_every_mode(src: str, dst: str, mode: str) -> None:
    _check(_source(EVERY_MODE, MODES), src, dst, mode)


@pytest.mark.parametrize(("src", "dst"), ALL_PAIRS)
def test_every_pair(src: str, dst: str) -> None:
    _check(_source(ALL_PAIRS, ("round",)), src, dst, "round")


def test_signs_of_zero_are_kept() -> None:
    values = np.full(COUNT, -0.0, np.float32)
    values[1] = -1e-30
    for mode in MODES:
        out = np.zeros(COUNT, np.float16)
        harness.run(_source(EVERY_MODE, MODES), [values, out], entry=f"{mode}_float_float16")
        assert np.signbit(out).all()


_DEFAULT = """
  auto in = pt::make_tile<pt::TileType<float, 1, 32>>(block, 0, 0, 128);
  auto out = pt::make_tile<pt::TileType<int32_t, 1, 32>>(block, 1, {address}, 128);
  pt::load(block, 2, in, pt::make_tensor<1>(block, 3, pt::arg<float>(block, 0), {{32}}), {{0}});
  pt::cast(block, 4, out, in);
  pt::store(block, 5, pt::make_tensor<1>(block, 6, pt::arg<int32_t>(block, 1), {{32}}), out, {{0}});"""


def test_the_default_mode_takes_halves_away_from_zero() -> None:
    values = np.full(32, 2.5, np.float32)
    values[1] = -2.5
    for address in (128, 0):  # in place works for elements of one size
        out = np.zeros(32, np.int32)
        harness.run(harness.body(_DEFAULT.format(address=address), 2), [values, out])
        assert out[:3].tolist() == [3, -3, 3]


def test_overlap_of_different_element_sizes() -> None:
    code = _DEFAULT.replace("int32_t", "int16_t").format(address=0)
    text = "cast: out (bytes 0 to 64 of UB) overlaps src (bytes 0 to 128); use the same tile or separate ones"
    assert harness.refusal(code, [np.zeros(32, np.float32), np.zeros(32, np.int16)]) == (4, text)


def test_same_dtype_and_bool_are_refused() -> None:
    for pair in ("float, float", "float, pt::boolean", "pt::boolean, float"):
        to, source = pair.split(", ")
        code = f"""
  auto in = pt::make_tile<pt::TileType<{source}, 1, 32>>(block, 0, 0, 128);
  auto out = pt::make_tile<pt::TileType<{to}, 1, 32>>(block, 1, 128, 128);
  pt::cast(block, 2, out, in);"""
        assert "pl.cast converts between two different dtypes, none of them DT_BOOL" in harness.PROGRAMS.compile_error(
            harness.body(code)
        )
