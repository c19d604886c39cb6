"""Blocks on threads: the same bytes, errors and races as one block after the other."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.twin_runtime import harness

# Each block adds one to its part of x, 50 times.
WORK = """
  auto tile = pt::make_tile<pt::TileType<int32_t, 1, 64>>(block, 0, 0, 256);
  auto x = pt::make_tensor<1>(block, 1, pt::arg<int32_t>(block, 0), {4096});
  auto y = pt::make_tensor<1>(block, 2, pt::arg<int32_t>(block, 1), {4096});
  const int64_t part = 64 * pt::get_block_idx(block);
  pt::load(block, 3, tile, x, {part});
  for ([[maybe_unused]] int64_t k : pt::range(block, 4, 0, 50, 1)) {
    pt::add(block, 5, tile, tile, int64_t{1});
  }
  pt::store(block, 6, y, tile, {part});
"""


def outcome(code: str, threads: int, block_dim: int = 64) -> tuple[harness.Outcome, list[bytes]]:
    """What a launch says, and the bytes of its buffers afterwards."""
    arrays = [np.arange(4096, dtype=np.int32), np.full(4096, -1, np.int32)]
    return harness.launch(harness.body(code, 2), arrays, block_dim=block_dim, threads=threads), [
        array.tobytes() for array in arrays
    ]


@pytest.mark.parametrize("threads", [2, 3, 7, 64, 1000])
@pytest.mark.parametrize("block_dim", [1, 2, 5, 64])
def test_the_same_bytes(threads: int, block_dim: int) -> None:
    in_turn = outcome(WORK, 1, block_dim)
    assert in_turn[0] == harness.Outcome(0, -1, "")
    assert np.frombuffer(in_turn[1][1], np.int32)[0] == 50
    assert outcome(WORK, threads, block_dim) == in_turn


def test_blocks_really_run_at_the_same_time() -> None:
    # Block 0 waits for what block 1 does; in turn it would wait in vain.
    code = """
  volatile int32_t* flag = reinterpret_cast<volatile int32_t*>(pt::arg<int32_t>(block, 1).place.base);
  if (pt::get_block_idx(block) == 1) flag[0] = 7;
  for (long long spin = 0; spin < 4000000000LL && flag[0] != 7; ++spin) {}
  if (flag[0] != 7) pt::fail(block, 3, "wait", "nobody came");"""
    assert outcome(code, 2, 2)[0] == harness.Outcome(0, -1, "")


@pytest.mark.parametrize("threads", [2, 5])
def test_the_same_error_and_the_same_bytes_at_it(threads: int) -> None:
    # Blocks 9 and 40 fail: in turn it is always 9, and no later block has run.
    code = WORK + '\n  if (pt::get_block_idx(block) % 31 == 9) pt::fail(block, 7, "add", "stopped");'
    in_turn = outcome(code, 1)
    assert in_turn[0] == harness.Outcome(1, 7, "add: stopped [block 9 of 64]")
    written = np.frombuffer(in_turn[1][1], np.int32)
    assert written[64 * 9] != -1 and written[64 * 10] == -1
    for _ in range(5):
        assert outcome(code, threads) == in_turn


@pytest.mark.parametrize(
    "race",
    [
        "pt::store(block, 7, y, tile, {64 * (pt::get_block_idx(block) / 2)});",
        "pt::load(block, 7, tile, y, {0}); pt::store(block, 8, y, tile, {part});",
        "if (part == 0) pt::store(block, 7, x, tile, {64 * 63});",
        "if (part == 64 * 63) pt::store(block, 7, y, tile, {0});",
    ],
)
def test_the_same_race(race: str) -> None:
    in_turn = outcome(WORK + race, 1)
    assert in_turn[0].result == 1 and "blocks run at the same time on the device" in in_turn[0].message
    for threads in (2, 8):
        assert outcome(WORK + race, threads) == in_turn


def test_a_kernel_that_reads_its_own_output_again_is_repeated_from_the_start() -> None:
    # y = 2 * y, then an error in the last block: what the threads wrote must be gone before the blocks run in turn.
    code = """
  auto tile = pt::make_tile<pt::TileType<int32_t, 1, 64>>(block, 0, 0, 256);
  auto y = pt::make_tensor<1>(block, 2, pt::arg<int32_t>(block, 1), {4096});
  const int64_t part = 64 * pt::get_block_idx(block);
  pt::load(block, 3, tile, y, {part});
  pt::add(block, 4, tile, tile, tile);
  pt::store(block, 5, y, tile, {part});
  if (pt::get_block_idx(block) == 63) pt::fail(block, 6, "end", "here");"""
    assert outcome(code, 4) == outcome(code, 1)
    assert set(np.frombuffer(outcome(code, 4)[1][1], np.int32)) == {-2}


def test_a_failure_that_only_threads_have_is_none() -> None:
    # Block 1 fails when block 0 has not ended, and block 0 ends late: in turn that cannot be.
    code = """
  volatile int32_t* ended = reinterpret_cast<volatile int32_t*>(pt::arg<int32_t>(block, 1).place.base);
  if (pt::get_block_idx(block) == 1) {
    ended[1] = 7;
    if (ended[0] != 7) pt::fail(block, 3, "read", "too early");
  } else {
    for (long long spin = 0; spin < 200000000LL && ended[1] != 7; ++spin) {}
    ended[0] = 7;
  }"""
    assert outcome(code, 2, 2) == outcome(code, 1, 2)
    assert outcome(code, 2, 2)[0] == harness.Outcome(0, -1, "")


def test_more_threads_than_there_may_be_and_an_empty_workspace() -> None:
    code = """
  auto tile = pt::make_tile<pt::TileType<int32_t, 1, 8>>(block, 0, 0, 32);
  auto x = pt::make_tensor<1>(block, 1, pt::arg<int32_t>(block, 0), {4096});
  pt::expands(block, 2, tile, pt::get_block_idx(block));
  pt::store(block, 3, x, tile, {8 * pt::get_block_idx(block)});"""
    x, workspace = np.zeros(4096, np.int32), np.zeros(0, np.uint8)
    done = harness.launch(harness.body(code, 2), [x, workspace], block_dim=512, threads=500)
    assert done == harness.Outcome(0, -1, "")
    assert np.array_equal(x, np.repeat(np.arange(512, dtype=np.int32), 8))


def test_cores_of_a_block_stay_together() -> None:
    # Three elements for each block: its cube core and its first vector core count in the first, the other in the last.
    code = """
  int64_t* out = reinterpret_cast<int64_t*>(pt::arg<int64_t>(block, 0).place.base);
  out[3 * pt::get_block_idx(block) / (pt::section_vector(block) ? 2 : 1) + pt::get_subblock_idx(block)] += 1;"""
    out = np.zeros(100, np.int64)
    assert harness.launch(harness.body(code, 1, core="mix"), [out], block_dim=8, threads=4).result == 0
    assert out.tolist() == [2, 0, 1] * 8 + [0] * 76
