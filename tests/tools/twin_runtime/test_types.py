"""float16 and bfloat16: every value, and rounding at every boundary, against numpy and ml_dtypes."""

from __future__ import annotations

import ctypes

import ml_dtypes
import numpy as np

from tests.tools.twin_runtime import harness

_SOURCE = """
#define CONVERT(name, from, to, call) \\
  extern "C" PYPTO_TWIN_EXPORT void name(const from* in, to* out, int64_t n) { \\
    for (int64_t i = 0; i < n; ++i) out[i] = call(in[i]); }
CONVERT(half_to_float, uint16_t, float, pt::detail::half_to_float)
CONVERT(float_to_half, float, uint16_t, pt::detail::float_to_half)
CONVERT(bfloat16_to_float, uint16_t, float, pt::detail::bfloat16_to_float)
CONVERT(float_to_bfloat16, float, uint16_t, pt::detail::float_to_bfloat16)
"""
_ALL = np.arange(65536, dtype=np.uint16)


def _convert(name: str, values: np.ndarray, dtype: type) -> np.ndarray:
    out = np.empty(values.size, dtype)
    pointer = ctypes.c_void_p
    getattr(harness.PROGRAMS.load(_SOURCE), name)(
        pointer(values.ctypes.data), pointer(out.ctypes.data), ctypes.c_int64(values.size)
    )
    return out


def _same_bits(got: np.ndarray, want: np.ndarray, nan: np.ndarray) -> None:
    kind = {2: np.uint16, 4: np.uint32}[want.itemsize]
    different = (got.view(kind) != want.view(kind)) & ~nan
    assert not different.any(), np.flatnonzero(different)[:5]


def _boundaries(narrow: np.dtype) -> np.ndarray:
    """Every value of a 16-bit format, the midpoints between neighbours, and the floats next to those."""
    values = _ALL.view(narrow).astype(np.float32)
    values = np.unique(values[np.isfinite(values)])
    # Above the largest value: where rounding to infinity begins.
    beyond = np.array([values[-1] + (values[-1] - values[-2]) / 2], np.float32) if narrow == np.float16 else values[:0]
    middle = np.concatenate([(values[:-1].astype(np.float64) + values[1:]) / 2, beyond, -beyond]).astype(np.float32)
    near = np.concatenate([np.nextafter(middle, np.float32(np.inf)), np.nextafter(middle, np.float32(-np.inf))])
    return np.concatenate([values, middle, near, np.array([np.inf, -np.inf, 0.0, -0.0, 3.4e38, -3.4e38], np.float32)])


def _random_floats() -> np.ndarray:
    bits = np.random.default_rng(7).integers(0, 1 << 32, 500_000, dtype=np.uint32)
    return bits.view(np.float32)


def test_every_half_widens() -> None:
    want = _ALL.view(np.float16).astype(np.float32)
    got = _convert("half_to_float", _ALL, np.float32)
    assert np.array_equal(np.isnan(got), np.isnan(want))
    _same_bits(got, want, np.isnan(want))


def test_every_bfloat16_widens() -> None:
    want = _ALL.view(ml_dtypes.bfloat16).astype(np.float32)
    got = _convert("bfloat16_to_float", _ALL, np.float32)
    assert np.array_equal(np.isnan(got), np.isnan(want))
    _same_bits(got, want, np.isnan(want))


def test_floats_round_to_half() -> None:
    for values in (_boundaries(np.dtype(np.float16)), _random_floats()):
        with np.errstate(over="ignore", invalid="ignore"):
            want = values.astype(np.float16)
        got = _convert("float_to_half", values, np.uint16).view(np.float16)
        assert np.array_equal(np.isnan(got), np.isnan(want))
        _same_bits(got, want, np.isnan(want))


def test_floats_round_to_bfloat16() -> None:
    for values in (_boundaries(np.dtype(ml_dtypes.bfloat16)), _random_floats()):
        with np.errstate(invalid="ignore"):
            want = values.astype(ml_dtypes.bfloat16)
        got = _convert("float_to_bfloat16", values, np.uint16).view(ml_dtypes.bfloat16)
        nan = np.isnan(values)
        assert np.array_equal(np.isnan(got.astype(np.float32)), nan)
        _same_bits(got, want, nan)


def test_overflow_and_subnormals() -> None:
    values = np.array([65519.996, 65520.0, 2.0**-24, 2.0**-25, 2.0**-25 * 1.0001, -(2.0**-26)], np.float32)
    got = _convert("float_to_half", values, np.uint16)
    assert got.tolist() == [0x7BFF, 0x7C00, 0x0001, 0x0000, 0x0001, 0x8000]
