"""Element-wise operations: every fp16 value, special and random values, integer wrap, against numpy and ml_dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.tools.twin_runtime import harness
from toolchains.twin.runtime import dtypes

NUMPY = {name: np.dtype(name) for name in dtypes.DTYPES if name not in ("bfloat16", "float", "bool")} | {
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float": np.dtype(np.float32),
    "bool": np.dtype(np.uint8),
}
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
UNARY = ("neg", "abs", "relu", "exp", "log", "sqrt", "rsqrt", "recip")

# One kernel per operation: the buffers go through UB in tiles of [4, 256], the last one with a tail.
_KERNEL = """
template <class T, class F> void each(pt::Block& block, int args, int64_t n, F f) {
  using type = pt::TileType<T, 4, 256>;
  auto a = pt::make_tile<type>(block, 0, 0, type::kBytes);
  auto b = pt::make_tile<type>(block, 1, 0x4000, type::kBytes);
  auto o = pt::make_tile<type>(block, 2, 0x8000, type::kBytes);
  int64_t rows = n / 256;
  auto ga = pt::make_tensor<2>(block, 3, pt::arg<T>(block, 0), {rows, 256});
  auto gb = pt::make_tensor<2>(block, 4, pt::arg<T>(block, args - 2), {rows, 256});
  auto go = pt::make_tensor<2>(block, 5, pt::arg<T>(block, args - 1), {rows, 256});
  for (int64_t row : pt::range(block, 6, 0, rows, 4)) {
    int64_t count = pt::scalar_min(int64_t{4}, rows - row);
    pt::set_validshape(block, 7, a, count, 256);
    pt::set_validshape(block, 8, b, count, 256);
    pt::set_validshape(block, 9, o, count, 256);
    pt::load(block, 10, a, ga, {row, 0});
    if (args == 3) pt::load(block, 11, b, gb, {row, 0});
    f(o, a, b);
    pt::store(block, 13, go, o, {row, 0});
  }
}
struct Count { int64_t n; };
#define BINARY(op, name, type) \\
  extern "C" PYPTO_TWIN_EXPORT int32_t op##_##name(pypto_twin_launch* launch) { \\
    return pt::run<pt::soc::ascend950, pt::core::vector, 3, Count>(launch, [](pt::Block& block, const Count& count) { \\
      each<type>(block, 3, count.n, [&](auto o, auto a, auto b) { pt::op(block, 12, o, a, b); }); }); }
#define UNARY(op, name, type) \\
  extern "C" PYPTO_TWIN_EXPORT int32_t op##_##name(pypto_twin_launch* launch) { \\
    return pt::run<pt::soc::ascend950, pt::core::vector, 2, Count>(launch, [](pt::Block& block, const Count& count) { \\
      each<type>(block, 2, count.n, [&](auto o, auto a, auto) { pt::op(block, 12, o, a); }); }); }
"""


def _source(kind: str, operations: tuple[str, ...]) -> str:
    lines = [
        f"{kind}({operation}, {dtype}, {dtypes.CPP_TYPES[dtype]})"
        for operation in operations
        for dtype in dtypes.DTYPES
        if dtypes.supported(operation, dtype)
    ]
    return _KERNEL + "\n".join(lines) + "\n"


def _call(operation: str, dtype: str, operands: list[np.ndarray]) -> np.ndarray:
    source = _source("BINARY", BINARY) if len(operands) == 2 else _source("UNARY", UNARY)
    size = operands[0].size
    padded = [np.resize(operand, (size + 255) // 256 * 256) for operand in operands]
    out = np.zeros_like(padded[0])
    harness.run(source, [*padded, out], np.int64(out.size).tobytes(), entry=f"{operation}_{dtype}")
    return out[:size]


def _values(dtype: str, rng: np.random.Generator) -> np.ndarray:
    """Special values crossed with themselves later, then random bits."""
    kind = NUMPY[dtype]
    bits = rng.integers(0, 256, 4096 * kind.itemsize, dtype=np.uint8).view(kind)
    if dtype in dtypes.FLOATS:
        special = np.array(
            [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, np.inf, -np.inf, np.nan, 65504.0, 6e-8, 1e-7, 2049.0], np.float32
        )
        ordinary = rng.normal(0, 100, 4096).astype(np.float32).astype(kind)
        return np.concatenate([special.astype(kind), ordinary, bits])
    info = np.iinfo(kind)
    special = np.array([0, 1, 2, 3, info.max, info.max - 1, info.min, info.min + 1], kind)
    return np.concatenate([special, bits])


def _pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    left, right = _values(dtype, rng), _values(dtype, rng)
    count = 13 if dtype in dtypes.FLOATS else 8
    cross_left = np.repeat(left[:count], count)
    cross_right = np.tile(right[:count], count)
    return np.concatenate([cross_left, left]), np.concatenate([cross_right, right])


def _assert_equal(got: np.ndarray, want: np.ndarray, dtype: str) -> None:
    """Equal values; NaN equals NaN, and for floats zeros of both signs are told apart."""
    if dtype not in dtypes.FLOATS:
        assert np.array_equal(got, want)
        return
    got32, want32 = got.astype(np.float32), want.astype(np.float32)
    same = (got32 == want32) & (np.signbit(got32) == np.signbit(want32)) | (np.isnan(got32) & np.isnan(want32))
    assert same.all(), [(got[i], want[i]) for i in np.flatnonzero(~same)[:5]]


def _reference_binary(operation: str, dtype: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if dtype in dtypes.FLOATS:
        wide = [a.astype(np.float32), b.astype(np.float32)]
        function = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}.get(operation)
        return (function or getattr(np, operation))(*wide).astype(a.dtype)
    if operation == "div":
        return _truncating_quotient(a, b)
    function = {"add": np.add, "sub": np.subtract, "mul": np.multiply}.get(operation) or getattr(np, operation)
    return function(a, b)


def _truncating_quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    quotients = [
        abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    bits = 8 * a.dtype.itemsize
    return np.array([q % (1 << bits) for q in quotients], f"uint{bits}").view(a.dtype)


@pytest.mark.parametrize("dtype", dtypes.NUMBERS)
@pytest.mark.parametrize("operation", BINARY)
def test_binary(operation: str, dtype: str) -> None:
    a, b = _pairs(dtype)
    with np.errstate(all="ignore"):
        if operation == "div":
            keep = b != 0
            a, b = a[keep], b[keep]
        want = _reference_binary(operation, dtype, a, b)
        got = _call(operation, dtype, [a, b])
        if operation in ("maximum", "minimum"):  # which zero of (0, -0) is larger is open
            got, want = got + got.dtype.type(0), want + want.dtype.type(0)
        _assert_equal(got, want, dtype)


def _all_16_bit(dtype: str) -> np.ndarray:
    return np.arange(65536, dtype=np.uint16).view(NUMPY[dtype])


def _domain(operation: str, values: np.ndarray) -> np.ndarray:
    """The values an operation takes; NaN is passed through, and left out here where numpy's sign of it would matter."""
    with np.errstate(invalid="ignore"):
        wide = values.astype(np.float64)
    keep = {"log": ~(wide <= 0), "sqrt": ~(wide < 0), "rsqrt": ~(wide <= 0), "recip": wide != 0}.get(operation)
    return values if keep is None else values[keep]


def _reference_unary(operation: str, values: np.ndarray) -> np.ndarray:
    wide = values.astype(np.float64)
    exact = {
        "neg": lambda x: -x,
        "abs": np.abs,
        "relu": lambda x: np.where(x <= 0, 0.0, x),
        "exp": np.exp,
        "log": np.log,
        "sqrt": np.sqrt,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "recip": lambda x: 1 / x,
    }[operation](wide)
    return exact.astype(np.float32).astype(values.dtype)


def _ulps(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Distance in units of the last place; 0 for two NaNs."""
    kind = {2: np.int16, 4: np.int32}[got.dtype.itemsize]
    mask = {2: 0x7FFF, 4: 0x7FFFFFFF}[got.dtype.itemsize]
    ranks = [np.where(bits < 0, -(bits & mask), bits) for bits in (x.view(kind).astype(np.int64) for x in (got, want))]
    both_nan = np.isnan(got.astype(np.float32)) & np.isnan(want.astype(np.float32))
    return np.where(both_nan, 0, np.abs(ranks[0] - ranks[1]))


_UNARY_FLOATS = [
    (operation, dtype) for operation in UNARY for dtype in dtypes.FLOATS if dtypes.supported(operation, dtype)
]


@pytest.mark.parametrize(("operation", "dtype"), _UNARY_FLOATS)
def test_unary_floats(operation: str, dtype: str) -> None:
    values = _domain(operation, _values("float", np.random.default_rng(5)) if dtype == "float" else _all_16_bit(dtype))
    with np.errstate(all="ignore"):
        want = _reference_unary(operation, values)
        got = _call(operation, dtype, [values])
        distance = _ulps(got, want)
    # exp and log of the host's C library are not correctly rounded in the last place; all others are exact.
    allowed = 1 if operation in ("exp", "log") else 0
    assert distance.max() <= allowed, [(values[i], got[i], want[i]) for i in np.flatnonzero(distance > allowed)[:5]]


@pytest.mark.parametrize("dtype", dtypes.INTEGERS)
@pytest.mark.parametrize("operation", ["neg", "abs", "relu"])
def test_unary_integers(operation: str, dtype: str) -> None:
    values = _values(dtype, np.random.default_rng(6))
    zero = np.zeros_like(values)
    want = {"neg": zero - values, "abs": np.abs(values), "relu": np.maximum(values, zero)}[operation]
    assert np.array_equal(_call(operation, dtype, [values]), want)


def _with_tiles(code: str, element: str = "float", cols: int = 32, soc: str = "ascend910b") -> tuple[int, str]:
    """A kernel body with three full tiles a, b, o and two tensors, arguments 0 and 1, that must break a rule."""
    kind = NUMPY[{cpp: name for name, cpp in dtypes.CPP_TYPES.items()}[element]]
    source = f"""
  using type = pt::TileType<{element}, 2, {cols}>;
  [[maybe_unused]] auto a = pt::make_tile<type>(block, 0, 0, type::kBytes);
  [[maybe_unused]] auto b = pt::make_tile<type>(block, 1, 4096, type::kBytes);
  [[maybe_unused]] auto o = pt::make_tile<type>(block, 2, 8192, type::kBytes);
  pt::load(block, 3, a, pt::make_tensor<2>(block, 4, pt::arg<{element}>(block, 0), {{2, {cols}}}), {{0, 0}});
  pt::load(block, 5, b, pt::make_tensor<2>(block, 6, pt::arg<{element}>(block, 1), {{2, {cols}}}), {{0, 0}});
  {code}"""
    first = np.ones((2, cols), kind)
    second = np.ones((2, cols), kind)
    first[1, 3] = -1.5 if kind.kind == "f" else -1
    second[1, 5] = 0
    return harness.refusal(source, [first, second], soc)


def test_zero_divisor_names_the_element() -> None:
    rule = "the result of a division by zero is undefined on the device"
    assert _with_tiles("pt::div(block, 9, o, a, b);") == (9, f"div: element [1, 5] of the tile is 0; {rule}")
    assert _with_tiles("pt::div(block, 9, o, a, b);", "int32_t")[1] == f"div: element [1, 5] of the tile is 0; {rule}"
    assert _with_tiles("pt::recip(block, 9, o, b);")[1] == f"recip: element [1, 5] of the tile is 0; {rule}"
    assert (
        _with_tiles("pt::div(block, 9, o, a, 0.0f);")[1]
        == f"div: the scalar divisor is 0 in the tile's dtype DT_FP32; {rule}"
    )
    # 1e-9 is no zero, but it is one as a DT_FP16 operand.
    code = "pt::div(block, 9, o, a, 1e-9f);"
    assert (
        _with_tiles(code, "pypto_twin::half")[1] == f"div: the scalar divisor is 0 in the tile's dtype DT_FP16; {rule}"
    )


def test_domain_errors_name_the_element() -> None:
    assert _with_tiles("pt::log(block, 8, o, a);") == (
        8,
        "log: element [1, 3] of the tile is -1.5; log needs positive elements",
    )
    assert (
        _with_tiles("pt::log(block, 8, o, b);")[1]
        == "log: element [1, 5] of the tile is 0; log needs positive elements"
    )
    assert (
        _with_tiles("pt::sqrt(block, 8, o, a);")[1]
        == "sqrt: element [1, 3] of the tile is -1.5; sqrt needs elements of at least 0"
    )
    assert (
        _with_tiles("pt::rsqrt(block, 8, o, b);")[1]
        == "rsqrt: element [1, 5] of the tile is 0; rsqrt needs positive elements"
    )


def test_only_the_valid_region_is_looked_at() -> None:
    code = """
  using type = pt::TileType<float, 2, 32>;
  auto a = pt::make_tile<type>(block, 0, 0, 256);
  auto o = pt::make_tile<type>(block, 1, 4096, 256);
  auto g = pt::make_tensor<2>(block, 2, pt::arg<float>(block, 0), {2, 32});
  pt::load(block, 3, a, g, {0, 0});
  pt::set_validshape(block, 4, a, 1, 30);
  pt::set_validshape(block, 5, o, 1, 30);
  pt::log(block, 6, o, a);
  pt::store(block, 7, pt::make_tensor<2>(block, 8, pt::arg<float>(block, 1), {2, 32}), o, {0, 0});"""
    values = np.full((2, 32), np.e, np.float32)
    values[0, 30:] = -1
    values[1] = -1
    out = np.full((2, 32), 9, np.float32)
    harness.run(harness.body(code, 2), [values, out])
    assert np.allclose(out[0, :30], 1) and (out[0, 30:] == 9).all() and (out[1] == 9).all()


def test_valid_shapes_must_agree() -> None:
    code = "pt::set_validshape(block, 7, b, 1, 7);\n  pt::add(block, 8, o, a, b);"
    text = "add: valid shapes differ: out [2, 32], rhs [1, 7]; give them the same with set_validshape"
    assert _with_tiles(code) == (8, text)
    code = "pt::set_validshape(block, 7, o, 2, 31);\n  pt::exp(block, 8, o, a);"
    assert (
        _with_tiles(code)[1]
        == "exp: valid shapes differ: out [2, 31], src [2, 32]; give them the same with set_validshape"
    )


def test_overlapping_tiles() -> None:
    code = "auto p = pt::make_tile<type>(block, 7, 32, 256);\n  pt::add(block, 8, p, a, b);"
    text = "add: out (bytes 32 to 288 of UB) overlaps lhs (bytes 0 to 256); use the same tile or separate ones"
    assert _with_tiles(code) == (8, text)


def test_in_place_and_aliases() -> None:
    code = """
  using type = pt::TileType<float, 1, 64>;
  auto a = pt::make_tile<type>(block, 0, 0, 256);
  auto same = pt::make_tile<type>(block, 0, 0, 256);
  auto g = pt::make_tensor<2>(block, 1, pt::arg<float>(block, 0), {1, 64});
  pt::load(block, 2, a, g, {0, 0});
  pt::add(block, 3, a, a, a);
  pt::mul(block, 4, same, a, same);
  pt::relu(block, 5, a, a);
  pt::store(block, 6, g, a, {0, 0});"""
    values = np.arange(64, dtype=np.float32)
    harness.run(harness.body(code, 1), [values])
    assert np.array_equal(values, 4 * np.arange(64, dtype=np.float32) ** 2)


def test_recip_in_place_depends_on_the_soc() -> None:
    rest = "which ascend910b does not allow; write to another tile"
    assert _with_tiles("pt::recip(block, 8, a, a);") == (8, f"recip: out and src share storage at byte 0 of UB, {rest}")
    assert _with_tiles('pt::recip(block, 8, a, a);\n  pt::fail(block, 1, "end", "reached");', soc="ascend950") == (
        1,
        "end: reached",
    )


_SCALARS = """
  using type = pt::TileType<{cpp}, 1, 32>;
  auto a = pt::make_tile<type>(block, 0, 0, type::kBytes);
  auto g = pt::make_tensor<1>(block, 1, pt::arg<{cpp}>(block, 0), {{32}});
  pt::load(block, 2, a, g, {{0}});
  {code}
  pt::store(block, 3, g, a, {{0}});"""


def test_scalars_take_the_dtype_of_the_tile() -> None:
    values = np.linspace(-2, 2, 32).astype(np.float16)
    want = (values.astype(np.float32) * np.float32(np.float16(0.1))).astype(np.float16)
    code = _SCALARS.format(cpp="pt::half", code="pt::mul(block, 5, a, a, 0.1f);")
    harness.run(harness.body(code, 1), [values])
    assert np.array_equal(values, want)

    numbers = np.arange(32, dtype=np.int8)
    code = _SCALARS.format(
        cpp="int8_t", code="pt::sub(block, 5, a, a, int64_t{100});\n  pt::maximum(block, 6, a, a, int64_t{-90});"
    )
    harness.run(harness.body(code, 1), [numbers])
    assert np.array_equal(numbers, np.maximum(np.arange(32, dtype=np.int8) - np.int8(100), np.int8(-90)))


def test_scalar_that_does_not_fit() -> None:
    code = _SCALARS.format(cpp="int8_t", code="pt::add(block, 5, a, a, int64_t{300});")
    text = "add: scalar 300 does not fit the tile's dtype DT_INT8 (-128 to 127)"
    assert harness.refusal(code, [np.zeros(32, np.int8)]) == (5, text)
    code = _SCALARS.format(cpp="uint16_t", code="pt::expands(block, 5, a, int64_t{-1});")
    text = "expands: scalar -1 does not fit the tile's dtype DT_UINT16 (0 to 65535)"
    assert harness.refusal(code, [np.zeros(32, np.uint16)]) == (5, text)


@pytest.mark.parametrize("dtype", dtypes.DTYPES)
def test_expands(dtype: str) -> None:
    scalar = "1.5f" if dtype in dtypes.FLOATS else "true" if dtype == "bool" else "int64_t{7}"
    values = np.zeros(32, NUMPY[dtype])
    harness.run(
        harness.body(_SCALARS.format(cpp=dtypes.CPP_TYPES[dtype], code=f"pt::expands(block, 5, a, {scalar});"), 1),
        [values],
    )
    assert (values == (1.5 if dtype in dtypes.FLOATS else 1 if dtype == "bool" else 7)).all()


def test_expands_to_infinity() -> None:
    values = np.zeros(32, np.float16)
    harness.run(harness.body(_SCALARS.format(cpp="pt::half", code="pt::expands(block, 5, a, -3.4e38f);"), 1), [values])
    assert np.isneginf(values).all()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pt::exp(block, 0, i, i);", "pl.exp supports DT_FP16, DT_BF16, DT_FP32"),
        ("pt::recip(block, 0, w, w);", "pl.recip supports DT_FP16, DT_FP32"),
        ("pt::add(block, 0, f, f, i);", "out and operand must have the same dtype"),
        ("pt::add(block, 0, f, f, short_f);", "out and operand must have the same shape"),
        ("pt::mul(block, 0, i, i, 1.5f);", "a float scalar does not fit a tile of an integer dtype"),
        ("pt::add(block, 0, l1, l1, l1);", "vector operations work on UB tiles (MemorySpace.Vec)"),
    ],
)
def test_refusals_of_the_compiler(code: str, words: str) -> None:
    tiles = """
  [[maybe_unused]] auto f = pt::make_tile<pt::TileType<float, 1, 64>>(block, 0, 0, 256);
  [[maybe_unused]] auto short_f = pt::make_tile<pt::TileType<float, 1, 32>>(block, 0, 0, 128);
  [[maybe_unused]] auto w = pt::make_tile<pt::TileType<pt::bfloat16, 1, 64>>(block, 0, 0, 128);
  [[maybe_unused]] auto i = pt::make_tile<pt::TileType<int32_t, 1, 64>>(block, 0, 0, 256);
  [[maybe_unused]] auto l1 = pt::make_tile<pt::TileType<float, 1, 64, pt::space::mat>>(block, 0, 0, 256);
  """
    assert words in harness.PROGRAMS.compile_error(harness.body(tiles + code))
