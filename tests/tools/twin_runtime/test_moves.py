"""load, store, load_tile, store_tile: what moves, and every rule that a move can break."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.twin_runtime import harness

_TILE = """
  using type = pt::TileType<int32_t, 4, 8>;
  auto tile = pt::make_tile<type>(block, 0, 0, type::kBytes);
"""


def _square(rows: int, cols: int) -> np.ndarray:
    return np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)


def test_absolute_offsets() -> None:
    source, out = _square(10, 20), np.full((10, 20), -1, np.int32)
    code = (
        _TILE
        + """
  auto from = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {10, 20}, {20, 1});
  auto to = pt::make_tensor<2>(block, 2, pt::arg<int32_t>(block, 1), {10, 20}, {20, 1});
  pt::load(block, 3, tile, from, {5, 11});
  pt::store(block, 4, to, tile, {6, 3});"""
    )
    harness.run(harness.body(code, 2), [source, out])
    want = np.full((10, 20), -1, np.int32)
    want[6:10, 3:11] = source[5:9, 11:19]
    assert np.array_equal(out, want)


def test_tile_offsets_scale_the_tile_axes_only() -> None:
    source, out = np.arange(3 * 8 * 2 * 16, dtype=np.int32).reshape(3, 8, 2, 16), np.full((8, 16), -1, np.int32)
    code = (
        _TILE
        + """
  auto from = pt::make_tensor<4>(block, 1, pt::arg<int32_t>(block, 0), {3, 8, 2, 16});
  auto to = pt::make_tensor<2>(block, 2, pt::arg<int32_t>(block, 1), {8, 16});
  pt::load_tile(block, 3, tile, from, {2, 1, 1, 1}, pt::Axes{1, 3});
  pt::store_tile(block, 4, to, tile, {1, 0});"""
    )
    harness.run(harness.body(code, 2), [source, out])
    want = np.full((8, 16), -1, np.int32)
    want[4:8, 0:8] = source[2, 4:8, 1, 8:16]
    assert np.array_equal(out, want)


def test_only_the_valid_region_moves() -> None:
    source, out = _square(4, 8), np.full((4, 8), -1, np.int32)
    code = (
        _TILE
        + """
  auto from = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {3, 5}, {8, 1});
  auto to = pt::make_tensor<2>(block, 2, pt::arg<int32_t>(block, 1), {4, 8});
  pt::set_validshape(block, 3, tile, 3, 5);
  pt::load(block, 4, tile, from, {0, 0});
  pt::set_validshape(block, 5, tile, 2, 4);
  pt::store(block, 6, to, tile, {0, 0});"""
    )
    harness.run(harness.body(code, 2), [source, out])
    want = np.full((4, 8), -1, np.int32)
    want[:2, :4] = source[:2, :4]
    assert np.array_equal(out, want)


def test_one_axis_is_one_row() -> None:
    source, out = np.arange(100, dtype=np.int32), np.zeros(100, np.int32)
    code = """
  auto tile = pt::make_tile<pt::TileType<int32_t, 1, 16>>(block, 0, 0, 64);
  auto from = pt::make_tensor<1>(block, 1, pt::arg<int32_t>(block, 0), {100});
  auto to = pt::make_tensor<1>(block, 2, pt::arg<int32_t>(block, 1), {100});
  pt::load_tile(block, 3, tile, from, {2});
  pt::store(block, 4, to, tile, {1});"""
    harness.run(harness.body(code, 2), [source, out])
    assert np.array_equal(out[1:17], source[32:48]) and out.sum() == source[32:48].sum()


def test_unaligned_byte_pointers_and_addptr() -> None:
    buffer = np.zeros(1 + 4 * 40, np.uint8)
    buffer[1:] = np.arange(40, dtype=np.int32).view(np.uint8)
    out = np.zeros(32, np.int32)
    code = """
  auto tile = pt::make_tile<pt::TileType<int32_t, 1, 32>>(block, 0, 0, 128);
  auto bytes = pt::addptr(block, 1, pt::arg<uint8_t>(block, 0), 1);
  auto words = pt::addptr(block, 2, pt::cast_ptr<int32_t>(bytes), 8);
  auto view = pt::make_tensor<2>(block, 3, words, {4, 8});
  auto flat = pt::make_tensor<2>(block, 4, view, {1, 32}, {32, 1});
  pt::load(block, 5, tile, flat, {0, 0});
  pt::store(block, 6, pt::make_tensor<1>(block, 7, pt::arg<int32_t>(block, 1), {32}), tile, {0});"""
    harness.run(harness.body(code, 2), [buffer, out])
    assert np.array_equal(out, np.arange(8, 40))


def test_rows_may_repeat_in_a_load_not_in_a_store() -> None:
    source = _square(1, 8)
    code = (
        _TILE
        + """
  auto view = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {4, 8}, {0, 1});
  pt::load(block, 2, tile, view, {0, 0});
  pt::store(block, 3, view, tile, {0, 0});"""
    )
    text = "store: stride 0 of axis 0 is less than the 8 valid columns, so the rows would overwrite each other"
    assert harness.refusal(code, [source]) == (3, text)


_VIEW = """
  auto view = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {10, 20});
"""
_HINT = "give a tail tile its size with set_validshape or end the loop earlier"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("load(block, 9, tile, view, {-1, 0})", "load: offset -1 on axis 0 is negative"),
        ("store(block, 9, view, tile, {0, -8})", "store: offset -8 on axis 1 is negative"),
        (
            "load(block, 9, tile, view, {7, 0})",
            "load: offset 7 on axis 0 plus 4 valid rows ends at 11, but the tensor has 10 elements there "
            "(argument 0); " + _HINT,
        ),
        (
            "store(block, 9, view, tile, {0, 13})",
            "store: offset 13 on axis 1 plus 8 valid columns ends at 21, but the tensor has 20 elements there "
            "(argument 0); " + _HINT,
        ),
        (
            "load_tile(block, 9, tile, view, {0, 2})",
            "load_tile: offset 16 on axis 1 plus 8 valid columns ends at 24, but the tensor has 20 elements there "
            "(argument 0); " + _HINT,
        ),
        (
            "store_tile(block, 9, view, tile, {3, 0})",
            "store_tile: offset 12 on axis 0 plus 4 valid rows ends at 16, but the tensor has 10 elements there "
            "(argument 0); " + _HINT,
        ),
        (
            "load(block, 9, tile, view, {0, 0}, pt::Axes{1, 0})",
            "load: order=[1, 0] transposes, which a row-major UB tile cannot do; write the axes in ascending order",
        ),
        (
            "store(block, 9, view, tile, {0, 0}, pt::Axes{0, 2})",
            "store: tile_dims=[0, 2] must name two different axes of the tensor, which has 2 (0 to 1)",
        ),
    ],
)
def test_broken_rules(call: str, text: str) -> None:
    assert harness.refusal(_TILE + _VIEW + f"pt::{call};", [_square(10, 20)]) == (9, text)


def test_offset_of_a_fixed_axis() -> None:
    code = (
        _TILE
        + """
  auto view = pt::make_tensor<3>(block, 1, pt::arg<int32_t>(block, 0), {2, 4, 8});
  pt::load(block, 2, tile, view, {2, 0, 0});"""
    )
    text = "load: offset 2 on axis 0 is outside the tensor, which has 2 elements there (argument 0)"
    assert harness.refusal(code, [np.zeros((2, 4, 8), np.int32)]) == (2, text)


def test_strides_and_rank() -> None:
    transposed = (
        _TILE
        + """
  auto view = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {20, 10}, {1, 20});
  pt::load(block, 2, tile, view, {0, 0});"""
    )
    text = "load: the tile's columns lie on axis 1, whose stride is 20; moves need stride 1 there"
    assert harness.refusal(transposed, [_square(10, 20)]) == (2, text)
    one_axis = (
        _TILE
        + """
  pt::load(block, 2, tile, pt::make_tensor<1>(block, 1, pt::arg<int32_t>(block, 0), {200}), {0});"""
    )
    text = "load: the tile has 4 valid rows, but a tensor of one axis is one row; use a two-axis tensor"
    assert harness.refusal(one_axis, [_square(10, 20)]) == (2, text)
    negative = "pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {4, -8}, {8, 1});"
    assert harness.refusal(negative, [_square(4, 8)]) == (1, "make_tensor: shape[1] is -8; a size must not be negative")
    negative = "pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {4, 8}, {-8, 1});"
    assert harness.refusal(negative, [_square(4, 8)]) == (
        1,
        "make_tensor: stride[0] is -8; a stride must not be negative",
    )


def test_bounds_of_the_buffer() -> None:
    code = (
        _TILE
        + """
  auto view = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {1000, 8});
  pt::load(block, 2, tile, view, {8, 0});
  pt::store(block, 3, view, tile, {9, 0});"""
    )
    text = (
        "store: the region ends at byte 416 of the buffer of pointer argument 0, which has 384 bytes; "
        "the tensor's shape and stride promise more than the buffer holds"
    )
    assert harness.refusal(code, [_square(12, 8)]) == (3, text)
    empty = (
        _TILE + "pt::load(block, 2, tile, pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {4, 8}), {0, 0});"
    )
    assert harness.refusal(empty, [np.zeros(0, np.int32)])[1].startswith(
        "load: the region ends at byte 128 of the buffer"
    )


def test_offsets_that_overflow() -> None:
    code = (
        _TILE
        + """
  auto view = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {INT64_MAX, 8}, {INT64_MAX / 2, 1});
  pt::load(block, 2, tile, view, {100, 0});"""
    )
    assert harness.refusal(code, [_square(4, 8)])[1].startswith(
        "load: the region ends at byte -1 of the buffer of pointer argument 0"
    )
    code = _TILE + _VIEW + "pt::load_tile(block, 2, tile, view, {INT64_MAX, 0});"
    text = f"load_tile: offset {2**63 - 1} on axis 0 is outside the tensor, which has 10 elements there (argument 0)"
    assert harness.refusal(code, [_square(10, 20)]) == (2, text)


def test_pointers_stay_in_their_buffer() -> None:
    code = "pt::addptr(block, 1, pt::arg<int32_t>(block, 0), {});"
    text = (
        "addptr: offset of {} elements (4 bytes each) from byte 0 leaves the buffer of pointer argument 0, "
        "which has 128 bytes; keep the pointer inside the buffer"
    )
    for offset in (33, -1):
        assert harness.refusal(code.format(f"int64_t{{{offset}}}"), [_square(4, 8)]) == (1, text.format(offset))
    harness.run(harness.body(code.format("32"), 1), [_square(4, 8)])


def test_a_load_spoils_the_rest_of_the_last_block() -> None:
    """A later, larger valid shape must not find old data that the device would have overwritten."""
    source, out = np.arange(32, dtype=np.int16), np.zeros(16, np.uint16)
    code = """
  using type = pt::TileType<int16_t, 1, 16, pt::space::vec, -1, -1, 1, pt::pad::KIND>;
  auto tile = pt::make_tile<type>(block, 0, 0, 32);
  auto from = pt::make_tensor<1>(block, 1, pt::arg<int16_t>(block, 0), {32});
  auto to = pt::make_tensor<1>(block, 2, pt::arg<int16_t>(block, 1), {16});
  pt::load(block, 3, tile, from, {16});
  pt::set_validshape(block, 4, tile, 1, 3);
  pt::load(block, 5, tile, from, {0});
  pt::set_validshape(block, 6, tile, 1, 16);
  pt::store(block, 7, to, tile, {0});"""
    for kind, rest in [("null", 0xFFFF), ("zero", 0), ("max", 0x7FFF), ("min", 0x8000)]:
        harness.run(harness.body(code.replace("KIND", kind), 2), [source, out])
        assert out.tolist() == [0, 1, 2] + [rest] * 13


def test_uninitialised_tiles_hold_poison_in_every_block() -> None:
    out = np.zeros((3, 8), np.uint32)
    code = """
  auto tile = pt::make_tile<pt::TileType<uint32_t, 1, 8>>(block, 0, 0, 32);
  auto to = pt::make_tensor<2>(block, 1, pt::arg<uint32_t>(block, 0), {3, 8});
  pt::store(block, 2, to, tile, {pt::get_block_idx(block), 0});
  pt::expands(block, 3, tile, int64_t{1});"""
    harness.run(harness.body(code, 1), [out], block_dim=3)
    assert (out == 0xFFFFFFFF).all()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "pt::load(block, 1, t, pt::make_tensor<1>(block, 2, pt::arg<int32_t>(block, 0), {8}), {0});",
            "must have the same dtype",
        ),
        (
            "pt::load(block, 1, l1, pt::make_tensor<1>(block, 2, pt::arg<float>(block, 0), {8}), {0});",
            "moves UB tiles (MemorySpace.Vec) only",
        ),
    ],
)
def test_refusals_of_the_compiler(code: str, words: str) -> None:
    tiles = """
  [[maybe_unused]] auto t = pt::make_tile<pt::TileType<float, 1, 8>>(block, 0, 0, 32);
  [[maybe_unused]] auto l1 = pt::make_tile<pt::TileType<float, 1, 8, pt::space::mat>>(block, 0, 0, 32);
  """
    assert words in harness.PROGRAMS.compile_error(harness.body(tiles + code, 1))
