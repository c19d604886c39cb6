"""Scalar arithmetic and loops against Python itself."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import numpy as np
import pytest

from tests.tools.twin_runtime import harness

_LIMITS = [0, 1, -1, 2, -2, 3, -3, 7, -7, 2**31, -(2**31), 2**62, -(2**62), 2**63 - 1, -(2**63) + 1, -(2**63)]

_SOURCE = """
namespace {
struct Pair { int64_t a; int64_t b; };
struct Floats { float a; float b; };
template <class F> void give(pt::Block& block, F f) {
  auto value = f();
  memcpy(pt::arg<uint8_t>(block, 0).place.base, &value, sizeof value);
}
}
#define INTEGER(name, expression) \\
  extern "C" PYPTO_TWIN_EXPORT int32_t name(pypto_twin_launch* launch) { \\
    return pt::run<pt::soc::ascend910b, pt::core::vector, 1, Pair>(launch, [](pt::Block& block, const Pair& t) { \\
      give(block, [&] { return expression; }); }); }
#define FLOAT(name, expression) \\
  extern "C" PYPTO_TWIN_EXPORT int32_t name(pypto_twin_launch* launch) { \\
    return pt::run<pt::soc::ascend910b, pt::core::vector, 1, Floats>(launch, [](pt::Block& block, const Floats& t) { \\
      give(block, [&] { return expression; }); }); }
INTEGER(floordiv, pt::floordiv(block, 3, t.a, t.b))
INTEGER(floormod, pt::floormod(block, 3, t.a, t.b))
INTEGER(add, pt::int_add(block, 3, t.a, t.b))
INTEGER(sub, pt::int_sub(block, 3, t.a, t.b))
INTEGER(mul, pt::int_mul(block, 3, t.a, t.b))
INTEGER(shl, pt::int_shl(block, 3, t.a, t.b))
INTEGER(shr, pt::int_shr(block, 3, t.a, t.b))
INTEGER(least, pt::scalar_min(t.a, t.b))
INTEGER(most, pt::scalar_max(t.a, t.b))
INTEGER(truediv, pt::truediv(block, 3, t.a, t.b))
FLOAT(float_floordiv, pt::floordiv(block, 3, t.a, t.b))
FLOAT(float_floormod, pt::floormod(block, 3, t.a, t.b))
FLOAT(float_truediv, pt::truediv(block, 3, t.a, t.b))
extern "C" PYPTO_TWIN_EXPORT int32_t loop(pypto_twin_launch* launch) {
  return pt::run<pt::soc::ascend910b, pt::core::vector, 3, Pair>(launch, [](pt::Block& block, const Pair& t) {
    int64_t step;
    memcpy(&step, pt::arg<uint8_t>(block, 0).place.base, 8);
    int64_t* out = reinterpret_cast<int64_t*>(pt::arg<uint8_t>(block, 1).place.base);
    int64_t* count = reinterpret_cast<int64_t*>(pt::arg<uint8_t>(block, 2).place.base);
    for (int64_t i : pt::range(block, 4, t.a, t.b, step)) {
      out[*count] = i;
      if (++*count == 40) break;
    }
  });
}
"""


def _evaluate(
    entry: str, a: float, b: float, operands: type = np.int64, result: type = np.int64
) -> harness.Outcome | float:
    """The value, or the outcome of a launch that broke a rule."""
    out = np.zeros(1, result)
    tiling = np.array([a, b], operands).tobytes()
    outcome = harness.launch(_SOURCE, [out], tiling, entry=entry)
    return out[0].item() if outcome.result == 0 else outcome


def _pairs(count: int) -> list[tuple[int, int]]:
    rng = random.Random(11)
    sizes = [4, 16, 40, 63]
    values = [
        (
            rng.randint(-(2 ** rng.choice(sizes)), 2 ** rng.choice(sizes) - 1),
            rng.randint(-(2 ** rng.choice(sizes)), 2 ** rng.choice(sizes) - 1),
        )
        for _ in range(count)
    ]
    return [(a, b) for a in _LIMITS for b in _LIMITS] + values


@pytest.mark.parametrize(
    ("entry", "operator", "function"),
    [
        ("floordiv", "//", lambda a, b: a // b),
        ("floormod", "%", lambda a, b: a % b),
        ("add", "+", lambda a, b: a + b),
        ("sub", "-", lambda a, b: a - b),
        ("mul", "*", lambda a, b: a * b),
        ("least", "min", min),
        ("most", "max", max),
    ],
)
def test_integers_as_python(entry: str, operator: str, function: Callable[[int, int], int]) -> None:
    for a, b in _pairs(600):
        got = _evaluate(entry, a, b)
        if operator in ("//", "%") and b == 0:
            assert isinstance(got, harness.Outcome)
            assert got.message == f"{operator}: {a:.17g} {operator} 0: the divisor is zero [block 0 of 1]"
            assert (got.result, got.site) == (1, 3)
            continue
        want = function(a, b)
        if -(2**63) <= want < 2**63:
            assert got == want, (a, b)
        else:
            assert isinstance(got, harness.Outcome)
            assert got.message == f"{operator}: {a} {operator} {b} does not fit 64 bits [block 0 of 1]"


def test_shifts() -> None:
    for a in _LIMITS:
        for count in (0, 1, 5, 62, 63, 64, 1000):
            assert _evaluate("shr", a, count) == a >> count
            shifted = a << count
            got = _evaluate("shl", a, count)
            assert got == shifted if -(2**63) <= shifted < 2**63 else isinstance(got, harness.Outcome)
    outcome = _evaluate("shl", 1, -1)
    assert isinstance(outcome, harness.Outcome) and outcome.message == "<<: shift count -1 is negative [block 0 of 1]"
    outcome = _evaluate("shr", 1, -2)
    assert isinstance(outcome, harness.Outcome) and outcome.message == ">>: shift count -2 is negative [block 0 of 1]"


def test_true_division() -> None:
    for a, b in _pairs(200):
        got = _evaluate("truediv", a, b, result=np.float32)
        if b == 0:
            assert isinstance(got, harness.Outcome) and "the divisor is zero" in got.message
        else:
            assert got == np.float32(np.float64(a) / np.float64(b)).item(), (a, b)
    assert _evaluate("float_truediv", 1.0, 3.0, np.float32, np.float32) == (np.float32(1) / np.float32(3)).item()


def test_floats_as_numpy() -> None:
    rng = np.random.default_rng(13)
    special = np.array(
        [1.0, -1.0, 0.5, -0.5, 0.1, -0.1, 3.0, 7.5, -7.5, 1e30, 1e-30, 0.0, -0.0, np.inf, -np.inf], np.float32
    )
    values = np.concatenate([special, rng.normal(0, 50, 20).astype(np.float32)])
    with np.errstate(all="ignore"):
        for a in values:
            for b in values:
                if b == 0:
                    outcome = _evaluate("float_floordiv", a, b, np.float32, np.float32)
                    assert isinstance(outcome, harness.Outcome) and "the divisor is zero" in outcome.message
                    continue
                quotient = _evaluate("float_floordiv", a, b, np.float32, np.float32)
                rest = _evaluate("float_floormod", a, b, np.float32, np.float32)
                if np.isfinite(a) and np.isfinite(b):
                    assert (quotient, rest) == (np.floor_divide(a, b).item(), np.mod(a, b).item()), (a, b)
                elif np.isinf(a):
                    assert np.isnan(rest)


def test_floats_as_python() -> None:
    for a, b in [
        (7.5, 2.0),
        (-7.5, 2.0),
        (7.5, -2.0),
        (-7.5, -2.0),
        (6.0, 3.0),
        (-6.0, 3.0),
        (0.0, -3.0),
        (5.0, float("inf")),
    ]:
        assert _evaluate("float_floordiv", a, b, np.float32, np.float32) == a // b
        assert _evaluate("float_floormod", a, b, np.float32, np.float32) == a % b
    assert _evaluate("float_floormod", -5.0, float("inf"), np.float32, np.float32) == float("inf")


def _loop(start: int, stop: int, step: int) -> list[int] | harness.Outcome:
    out, count = np.zeros(40, np.int64), np.zeros(1, np.int64)
    tiling = np.array([start, stop], np.int64).tobytes()
    outcome = harness.launch(_SOURCE, [np.array([step], np.int64), out, count], tiling, entry="loop")
    return out[: count[0]].tolist() if outcome.result == 0 else outcome


def test_range() -> None:
    ends = [0, 1, 5, -5, 10, -10, 2**63 - 1, 2**63 - 3, -(2**63), -(2**63) + 2]
    for start in ends:
        for stop in ends:
            for step in (1, 2, 3, -1, -2, -7, 2**62, 2**63 - 1, -(2**63)):
                assert _loop(start, stop, step) == list(range(start, stop, step)[:40]), (start, stop, step)


def test_range_needs_a_step() -> None:
    outcome = _loop(0, 5, 0)
    assert outcome == harness.Outcome(1, 4, "range: the step is 0; it must be positive or negative [block 0 of 1]")


def test_array_element() -> None:
    code = "pt::element(block, 2, tiling.sizes, tiling.at);"
    program = "namespace { struct Sizes { int32_t sizes[3]; int32_t at; }; }\n" + harness.body(code, 0, tiling="Sizes")
    for index in (-1, 3):
        outcome = harness.launch(program, [], np.array([1, 2, 3, index], np.int32).tobytes())
        text = f"index: {index} is outside the array, which has 3 elements (0 to 2) [block 0 of 1]"
        assert outcome == harness.Outcome(1, 2, text)
    harness.run(program, [], np.array([1, 2, 3, 2], np.int32).tobytes())


def test_ctypes_layout() -> None:
    source = 'extern "C" PYPTO_TWIN_EXPORT uint64_t size() { return sizeof(pypto_twin_launch); }'
    function = harness.PROGRAMS.load(source).size
    function.restype = ctypes.c_uint64
    assert function() == ctypes.sizeof(harness.Launch)
