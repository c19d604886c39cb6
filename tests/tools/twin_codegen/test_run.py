"""Generated, compiled, run, compared with numpy."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest

from tests.tools.twin_codegen.harness import Built, Case
from toolchains.twin.runtime import dtypes as runtime_dtypes

NUMPY = {
    "float16": np.dtype(np.float16), "float": np.dtype(np.float32), "bfloat16": np.dtype(ml_dtypes.bfloat16),
    **{name: np.dtype(name) for name in runtime_dtypes.INTEGERS},
}  # fmt: skip

ADD = """
    n = tiling.n
    tt = pl.TileType(shape=[1, 128], dtype=t, valid_shape=[-1, -1], compact=1)
    gx = pl.make_tensor(x, [1, n], [n, 1], dtype=t)
    gy = pl.make_tensor(y, [1, n], [n, 1], dtype=t)
    gz = pl.make_tensor(z, [1, n], [n, 1], dtype=t)
    xs = pl.make_tile_group(type=tt, addrs=0x0000, mutex_ids=[0, 1])
    ys = pl.make_tile_group(type=tt, addrs=[0x4000, 0x5000], mutex_ids=[2, 3])
    zs = pl.make_tile_group(type=tt, addrs=0x8000, depth=2)
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), (n + 127) // 128, pl.get_block_num()):
            count = min(128, n - i * 128)
            a = xs.next()
            b = ys.next()
            c = zs.next()
            pl.set_validshape(a, [1, count])
            pl.set_validshape(b, [1, count])
            pl.set_validshape(c, [1, count])
            if mode == 0:
                pl.load(a, gx, [0, i * 128])
                pl.load(ys.current(), gy, [0, i * 128])
                pl.add(zs.current(), xs.current(), b)
                pl.store(gz, c, [0, i * 128])
            else:
                pl.load_tile(a, gx, [0, i])
                pl.load_tile(b, gy, [0, i])
                pl.add(out=c, lhs=a, rhs=b)
                pl.store_tile(gz, c, [0, i])
"""


def random_array(rng, count: int, dtype: np.dtype) -> np.ndarray:
    """Numbers near zero, of both signs where there are."""
    low = 0 if dtype.kind == "u" else -50
    return rng.integers(low, 50, count).astype(dtype)


@pytest.fixture(scope="module")
def add(tmp_path_factory):
    case = Case(ADD, datatype="t", keys={"mode": [0, 1]})
    return Built(case, tmp_path_factory.mktemp("add"), [{"t": name} for name in NUMPY])


@pytest.mark.parametrize("column", range(len(NUMPY)), ids=list(NUMPY))
@pytest.mark.parametrize("mode", [0, 1])
def test_add_with_tails_and_double_buffers(add, column, mode):
    dtype = list(NUMPY.values())[column]
    rng = np.random.default_rng(column)
    for length, blocks in [(1, 1), (7, 2), (128, 1), (1000, 1), (1000, 3), (1025, 40)]:
        x, y = random_array(rng, length, dtype), random_array(rng, length, dtype)
        z = np.zeros(length, dtype)
        add.ok([x, y, z], {"n": length}, blocks, variant=column * 2 + mode)
        np.testing.assert_array_equal(z, x + y)


def test_a_move_outside_of_the_buffer_names_its_line(add):
    x = np.zeros(100, np.float16)
    result, message, site = add.run([x, x.copy(), x.copy()], {"n": 200})
    entry = add.result.source_map["sources"]["case-float16-mode0-vector.cpp"][site]
    assert result == 1 and message
    assert re.search(r"pl\.make_tensor\(x|pl\.load\(a", add.case.text().splitlines()[entry["line"] - 1])


BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
UNARY = ("neg", "abs", "relu", "exp", "log", "sqrt", "rsqrt", "recip")
REFERENCE = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "neg": np.negative, "abs": np.abs, "relu": lambda v: np.maximum(v, v.dtype.type(0)), "exp": np.exp, "log": np.log,
    "sqrt": np.sqrt, "rsqrt": lambda v: 1 / np.sqrt(v), "recip": lambda v: 1 / v,
}  # fmt: skip
SETUP = """
    tt = pl.TileType(shape=[2, 32], dtype=t)
    a = pl.make_tile(tt, addr=0, size=512)
    b = pl.make_tile(tt, addr=512, size=512)
    c = pl.make_tile(tt, addr=1024, size=512)
    gx = pl.make_tensor(x, [2, 32], dtype=t)
    gy = pl.make_tensor(y, [2, 32], dtype=t)
    gz = pl.make_tensor(z, [2, 32], dtype=t)
    with pl.section_vector():
        pl.load(a, gx, [0, 0])
        pl.load(b, gy, [0, 0])
        {call}
        pl.store(gz, c, [0, 0])
"""


def reference(name: str, x: np.ndarray, y: np.ndarray | None = None) -> np.ndarray:
    """The operation in numpy: 2-byte floats through FP32, integer division towards zero."""
    dtype = x.dtype
    wide = dtype if dtype.kind in "iu" or dtype.itemsize > 2 else np.dtype(np.float32)
    operands = [operand.astype(wide) for operand in ((x,) if y is None else (x, y))]
    with np.errstate(all="ignore"):
        if name == "div":
            quotient = operands[0] / operands[1]
            result = np.trunc(quotient) if dtype.kind in "iu" else quotient
        else:
            result = REFERENCE[name](*operands)
        return result.astype(dtype)


def check_close(actual: np.ndarray, expected: np.ndarray) -> None:
    """Equal for integers; a few units in the last place for floats."""
    if actual.dtype.kind in "iu":
        np.testing.assert_array_equal(actual, expected)
    else:
        epsilon = float(ml_dtypes.finfo(actual.dtype).eps)
        np.testing.assert_allclose(actual.astype(np.float64), expected.astype(np.float64), rtol=4 * epsilon)


def op_columns(name: str) -> list[dict[str, str]]:
    return [{"t": dtype} for dtype in NUMPY if runtime_dtypes.supported(name, dtype)]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("scalar", [False, True])
def test_binary_operations(tmp_path, name, scalar):
    columns = op_columns(name)
    call = f"pl.{name}(c, a, 3)" if scalar else f"pl.{name}(c, a, b)"
    built = Built(Case(SETUP.format(call=call), datatype="t", tiling={"n": "int"}), tmp_path, columns, level="-O0")
    for variant, column in enumerate(columns):
        dtype = NUMPY[column["t"]]
        rng = np.random.default_rng(variant)
        x, y = random_array(rng, 64, dtype), random_array(rng, 64, dtype)
        y[y == 0] = 1
        z = np.zeros(64, dtype)
        built.ok([x, y, z], {"n": 0}, variant=variant)
        check_close(z, reference(name, x, np.full_like(x, 3) if scalar else y))


@pytest.mark.parametrize("name", UNARY)
def test_unary_operations(tmp_path, name):
    columns = op_columns(name)
    built = Built(Case(SETUP.format(call=f"pl.{name}(c, a)"), datatype="t"), tmp_path, columns, level="-O0")
    for variant, column in enumerate(columns):
        dtype = NUMPY[column["t"]]
        rng = np.random.default_rng(variant)
        x = random_array(rng, 64, dtype)
        if dtype.kind not in "iu":
            x = (np.abs(x.astype(np.float32)) / 10 + 0.25).astype(dtype) if name not in ("neg", "abs", "relu") else x
        z = np.zeros(64, dtype)
        built.ok([x, x.copy(), z], {"n": 0}, variant=variant)
        check_close(z, reference(name, x))


@pytest.mark.parametrize("value", ["tiling.w", "1.5", "2", "tiling.n"])
def test_scalar_operands(tmp_path, value):
    number = {"tiling.w": 0.75, "1.5": 1.5, "2": 2, "tiling.n": 5}[value]
    columns = [{"t": name} for name in ("float16", "float", "bfloat16")]
    call = f"pl.mul(c, a, {value})\n        pl.expands(b, {value})\n        pl.add(c, c, b)"
    built = Built(
        Case(SETUP.format(call=call), datatype="t", tiling={"n": "int", "w": "float"}), tmp_path, columns, level="-O0"
    )
    for variant, column in enumerate(columns):
        dtype = NUMPY[column["t"]]
        x = random_array(np.random.default_rng(3), 64, dtype)
        z = np.zeros(64, dtype)
        built.ok([x, x.copy(), z], {"n": 5, "w": 0.75}, variant=variant)
        check_close(z, ((x * dtype.type(number)).astype(dtype) + dtype.type(number)).astype(dtype))


CAST = """
    src_type = pl.TileType(shape=[1, 64], dtype=s)
    dst_type = pl.TileType(shape=[1, 64], dtype=d)
    a = pl.make_tile(src_type, addr=0, size=512)
    b = pl.make_tile(dst_type, addr=512, size=512)
    gx = pl.make_tensor(x, [1, 64], dtype=s)
    gy = pl.make_tensor(y, [64], [1], dtype=d)
    with pl.section_vector():
        pl.load(a, gx, [0, 0])
        pl.cast(b, a, mode=pl.RoundMode.CAST_RINT)
        pl.store(gy, b, [0])
"""


def test_casts(tmp_path):
    pairs = [(s, d) for s in NUMPY for d in ("float", "float16", "bfloat16", "int32", "int16") if s != d]
    pairs = [(s, d) for s, d in pairs if runtime_dtypes.cast_supported(s, d)]
    case = Case(CAST, params=("x", "y"))
    manifest_of = case.manifest
    case.manifest = lambda: {**manifest_of(), "datatype": {"x": "s", "y": "d"}}  # type: ignore[method-assign]
    built = Built(case, tmp_path, [{"s": s, "d": d} for s, d in pairs], level="-O0")
    assert len(built.texts) == len(pairs)
    for variant in (0, 5, len(pairs) // 2, len(pairs) - 1):
        source, target = (NUMPY[name] for name in pairs[variant])
        x = random_array(np.random.default_rng(variant), 64, source)
        y = np.zeros(64, target)
        built.ok([x, y], {"n": 0}, variant=variant)
        np.testing.assert_array_equal(y, x.astype(target))


def test_tensor_parameters_order_and_three_dimensions(tmp_path):
    body = """
        tt = pl.TileType(shape=[4, 16], dtype=pl.DT_FP32)
        t = pl.make_tile(tt, addr=0, size=256)
        flat = pl.make_tensor(y, [tiling.n * x.shape[1], x.shape[-1]], dtype=pl.DT_FP32)
        rows, heads, cols = x.shape
        with pl.section_vector():
            for head in pl.range(heads):
                pl.load(t, x, [0, head, 0], order=[0, 2])
                pl.neg(t, t)
                pl.store(flat, t, [head * rows, 0])
    """
    annotations = {"x": "pl.Tensor[[4, 3, 16], pl.DT_FP32]"}
    built = Built(Case(body, params=("x", "y"), annotations=annotations), tmp_path)
    x = np.arange(192, dtype=np.float32).reshape(4, 3, 16)
    y = np.zeros((12, 16), np.float32)
    built.ok([x, y], {"n": 4})
    np.testing.assert_array_equal(y, -x.transpose(1, 0, 2).reshape(12, 16))


def test_previous_and_index_of_a_group(tmp_path):
    body = """
        tt = pl.TileType(shape=[1, 8], dtype=pl.DT_INT32)
        group = pl.make_tile_group(type=tt, addrs=0, mutex_ids=[0, 1, 2])
        pl.set_validshape(group, [1, 8])
        gz = pl.make_tensor(z, [4, 8], dtype=pl.DT_INT32)
        with pl.section_vector():
            for i in pl.range(3):
                pl.expands(group.next(), i + 10)
            pl.store(gz, group.current(), [0, 0])
            pl.store(gz, group.previous(), [1, 0])
            pl.store(gz, group.prev(), [2, 0])
            pl.store(gz, group[tiling.n], [3, 0])
    """
    built = Built(Case(body, params=("z",)), tmp_path)
    z = np.zeros((4, 8), np.int32)
    built.ok([z], {"n": 0})
    assert z[:, 0].tolist() == [12, 11, 11, 10]
    assert built.run([z], {"n": 3})[0] == 1


def test_tiles_chosen_at_run_time(tmp_path):
    body = """
        tt = pl.TileType(shape=[1, 8], dtype=pl.DT_INT32)
        a = pl.make_tile(tt, addr=0, size=32)
        b = pl.make_tile(tt, addr=32, size=32)
        gz = pl.make_tensor(z, [8, 8], dtype=pl.DT_INT32)
        with pl.section_vector():
            current = a
            other = b
            for i in pl.range(8):
                pl.expands(current, i)
                if i % 3 == 2:
                    current, other = other, current
                pick = a if tiling.n > i else b
                pl.store(gz, pick, [i, 0])
    """
    built = Built(Case(body, params=("z",)), tmp_path)
    z = np.zeros((8, 8), np.int32)
    built.ok([z], {"n": 8})
    assert z[:, 0].tolist() == [0, 1, 2, 2, 2, 2, 6, 7]


def test_workspace_addptr_and_views(tmp_path):
    body = """
        tt = pl.TileType(shape=[1, 64], dtype=pl.DT_FP16)
        t = pl.make_tile(tt, addr=0, size=128)
        gx = pl.make_tensor(x, [2, 64], [64, 1], dtype=pl.DT_FP16)
        scratch = pl.make_tensor(pl.addptr(workspace, 256), [1, 64], [64, 1], dtype=pl.DT_FP16)
        alias = gx
        whole = pl.make_tensor(alias, [128])
        with pl.section_vector():
            pl.load(t, gx, [1, 0])
            pl.store(scratch, t, [0, 0])
            pl.load(t, whole, [0])
            pl.store(alias, t, [1, 0])
            pl.load(t, scratch, [0, 0])
            pl.store(whole, t, [0])
    """
    built = Built(Case(body, params=("x",)), tmp_path)
    x = np.arange(128).astype(np.float16)
    built.ok([x], {"n": 0})
    np.testing.assert_array_equal(x, np.roll(np.arange(128), 64).astype(np.float16))


def test_printf_prints(tmp_path, capfd):
    body = """
        with pl.section_vector():
            for i in pl.range(2):
                pl.printf("i=%d w=%5.2f \\"%%\\"\\n", i, tiling.w)
    """.replace('\\"%%\\"', "é")
    built = Built(Case(body, params=("x",), tiling={"w": "float"}), tmp_path)
    built.ok([np.zeros(4, np.uint8)], {"w": 1.5})
    import ctypes

    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out.startswith("i=0 w= 1.50 é\ni=1 w= 1.50 é\n")


def test_capacity_and_alignment_are_checked_at_run_time_too(tmp_path):
    body = """
        tt = pl.TileType(shape=[1, 8], dtype=pl.DT_INT32)
        with pl.section_vector():
            a = pl.make_tile(tt, addr=tiling.n, size=32)
            pl.expands(a, 1)
    """
    built = Built(Case(body, params=("x",)), tmp_path)
    x = np.zeros(4, np.uint8)
    built.ok([x], {"n": 64})
    assert built.run([x], {"n": 33})[0] == 1
    assert built.run([x], {"n": 192 * 1024})[0] == 1
