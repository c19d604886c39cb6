"""Tiles and groups: placement, capacity of each SoC, rotation, valid shapes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.twin_runtime import harness
from toolchains.twin.runtime import socs

_SPACE_NAMES = {"vec": "Vec (UB)", "mat": "Mat (L1)", "left": "Left (L0A)", "right": "Right (L0B)", "acc": "Acc (L0C)"}


def _make(space: str, addr: int, size: int = 1024, rows: int = 2) -> str:
    return f"pt::make_tile<pt::TileType<float, {rows}, 128, pt::space::{space}>>(block, 5, {addr}, {size});"


@pytest.mark.parametrize("soc", list(socs.SOCS))
@pytest.mark.parametrize("space", socs.SPACES)
def test_capacity(soc: str, space: str) -> None:
    capacity = socs.CAPACITY[soc][space]
    alignment = socs.ALIGNMENT[space]
    harness.run(harness.body(_make(space, capacity - 1024), soc=soc), [])
    last = capacity - 1024 + alignment
    text = (
        f"make_tile: bytes {last} to {last + 1024} lie outside {_SPACE_NAMES[space]} of {soc}, "
        f"which has {capacity} bytes; use a smaller tile or address"
    )
    assert harness.refusal(_make(space, last), soc=soc) == (5, text)


@pytest.mark.parametrize("space", socs.SPACES)
def test_alignment(space: str) -> None:
    alignment = socs.ALIGNMENT[space]
    text = (
        f"make_tile: address {alignment + 16} is not a multiple of {alignment}, which {_SPACE_NAMES[space]} demands; "
        f"the next free address is {2 * alignment}"
    )
    assert harness.refusal(_make(space, alignment + 16)) == (5, text)


def test_negative_address_and_small_size() -> None:
    text = "make_tile: address -32 is not a multiple of 32, which Vec (UB) demands; the next free address is 0"
    assert harness.refusal(_make("vec", -32)) == (5, text)
    text = "make_tile: size=512 is too small: a tile of shape [2, 128] and DT_FP32 has 1024 bytes"
    assert harness.refusal(_make("vec", 0, 512)) == (5, text)
    harness.run(harness.body(_make("vec", 0, 4096)), [])


def test_a_group_fills_contiguous_slots_and_must_fit() -> None:
    code = "pt::make_tile_group<pt::TileType<float, 64, 128>, 7>(block, 3, 0);"
    text = (
        "make_tile_group: bytes 196608 to 229376 lie outside Vec (UB) of ascend910b, which has 196608 bytes; "
        "use a smaller tile or address"
    )
    assert harness.refusal(code) == (3, text)
    harness.run(harness.body(code, soc="ascend950"), [])


_GROUP = """
  using type = pt::TileType<int32_t, 1, 8>;
  auto group = pt::make_tile_group<type, 3>(block, 0, {addrs});
  auto to = pt::make_tensor<2>(block, 1, pt::arg<int32_t>(block, 0), {{8, 8}});
  for (int64_t i : pt::range(block, 2, 0, 3, 1)) pt::expands(block, 3, group.at(block, 4, i), i);
"""


def _slots(calls: list[str], addrs: str = "64") -> list[int]:
    """The numbers of the slots that expressions select, one after the other."""
    lines = [f"pt::store(block, 9, to, {call}, {{{row}, 0}});" for row, call in enumerate(calls)]
    out = np.full((8, 8), -1, np.int32)
    harness.run(harness.body(_GROUP.format(addrs=addrs) + "\n  ".join(lines), 1), [out])
    return out[: len(calls), 0].tolist()


def test_rotation() -> None:
    assert _slots(["group.next()", "group.next()", "group.next()", "group.next()"]) == [0, 1, 2, 0]
    assert _slots(["group.next()", "group.current()", "group.previous()", "group.next()", "group.previous()"]) == [
        0,
        0,
        2,
        1,
        0,
    ]
    # Nothing selected yet: the rotation stands at the last slot, so that next() comes to slot 0.
    assert _slots(["group.current()", "group.previous()", "group.next()"]) == [2, 1, 0]
    assert _slots(["group.at(block, 5, 1)", "group.next()"], "pt::Dims<3>{512, 0, 4096}") == [1, 0]


def test_a_copied_group_shares_its_rotation() -> None:
    assert _slots(["group.next()", "[&] { auto alias = group; return alias.next(); }()", "group.next()"]) == [0, 1, 2]


def test_group_index() -> None:
    code = "auto group = pt::make_tile_group<pt::TileType<int32_t, 1, 8>, 2>(block, 0, 0);\n  group.at(block, 6, {});"
    for index in (2, -1):
        text = f"make_tile_group: index {index} is outside the group, which has 2 tiles (0 to 1)"
        assert harness.refusal(code.format(index)) == (6, text)


_VALID = """
  auto tile = pt::make_tile<pt::TileType<float, 4, 64{more}>>(block, 0, 0, 1024);
  pt::set_validshape(block, 8, tile, {rows}, {cols});"""


@pytest.mark.parametrize(("rows", "cols"), [(5, 64), (4, 65), (0, 1), (1, 0), (-1, 4)])
def test_valid_shape_outside_the_tile(rows: int, cols: int) -> None:
    text = (
        f"set_validshape: [{rows}, {cols}] is outside the tile: its shape is [4, 64] and both values must be at least 1"
    )
    assert harness.refusal(_VALID.format(more="", rows=rows, cols=cols)) == (8, text)


def test_fixed_valid_shape() -> None:
    fixed = ", pt::space::vec, 3, -1"
    harness.run(harness.body(_VALID.format(more=fixed, rows=3, cols=5)), [])
    text = (
        "set_validshape: [2, 5] differs from the tile's fixed valid_shape [3, -1]; "
        "declare the TileType with valid_shape=[-1, -1]"
    )
    assert harness.refusal(_VALID.format(more=fixed, rows=2, cols=5)) == (8, text)


def test_valid_shape_of_a_group_and_of_aliases() -> None:
    code = (
        _GROUP.format(addrs="0")
        + """
  pt::set_validshape(block, 5, group, 1, 2);
  auto one = group.next();
  auto alias = one;
  pt::set_validshape(block, 6, alias, 1, 5);
  pt::store(block, 7, to, one, {0, 0});
  pt::store(block, 8, to, group.next(), {1, 0});
  one = group.next();
  pt::store(block, 9, to, one, {2, 0});"""
    )
    out = np.full((8, 8), -1, np.int32)
    harness.run(harness.body(code, 1), [out])
    assert (out != -1).sum(axis=1).tolist()[:3] == [5, 2, 2]


def test_handles_chosen_later() -> None:
    code = """
  pt::Tile<pt::TileType<float, 1, 8>> tile = {};
  pt::Tensor<float, 2> view;
  tile = pt::make_tile<pt::TileType<float, 1, 8>>(block, 0, 0, 32);
  view = pt::make_tensor<2>(block, 1, pt::arg<float>(block, 0), {1, 8});
  pt::expands(block, 2, tile, 2.0f);
  pt::store(block, 3, view, tile, {0, view.shape(0) - 1});"""
    out = np.zeros(8, np.float32)
    harness.run(harness.body(code, 1), [out])
    assert (out == 2).all()


def test_tiles_made_in_a_loop() -> None:
    code = """
  for (int64_t i : pt::range(block, 0, 0, 1000, 1)) {
    auto tile = pt::make_tile<pt::TileType<int32_t, 1, 8>>(block, 1, 0, 32);
    pt::expands(block, 2, tile, i);
    pt::store(block, 3, pt::make_tensor<2>(block, 4, pt::arg<int32_t>(block, 0), {1000, 8}), tile, {i, 0});
  }"""
    out = np.zeros((1000, 8), np.int32)
    harness.run(harness.body(code, 1), [out], block_dim=1)
    assert np.array_equal(out[:, 7], np.arange(1000))


@pytest.mark.parametrize(
    ("type_arguments", "words"),
    [
        ("float, 1, 7", "a row of a tile must be a multiple of 32 bytes"),
        ("pt::half, 4, 24", "a row of a tile must be a multiple of 32 bytes"),
        ("float, 0, 8", "every size of a shape must be positive"),
        ("float, 2, 8, pt::space::vec, 3, 8", "valid_shape[0] must be -1 or 1..shape[0]"),
        ("float, 2, 8, pt::space::vec, -1, 0", "valid_shape[1] must be -1 or 1..shape[1]"),
        ("float, 2, 8, pt::space::vec, -1, -1, 3", "compact must be None, 0 or 1"),
        ("float, 2, 8, pt::space::vec, -1, -1, 2", "compact must be None, 0 or 1"),
    ],
)
def test_tile_types_the_compiler_refuses(type_arguments: str, words: str) -> None:
    code = f"pt::make_tile<pt::TileType<{type_arguments}>>(block, 0, 0, 1024);"
    assert words in harness.PROGRAMS.compile_error(harness.body(code))
