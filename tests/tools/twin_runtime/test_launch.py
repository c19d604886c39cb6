"""`run`: what it asks of a launch, the order of blocks and cores, and the complete example of the README."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest

from tests.tools.twin_runtime import harness
from toolchains.twin.runtime import dtypes, socs


def _example() -> str:
    """The program that the README shows."""
    text = (harness.RUNTIME / "README.md").read_text(encoding="utf-8")
    section = text[text.index("## Complete example") :]
    found = re.search(r"```cpp\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return found.group(1)


_ENTRY = "pypto_0123456789abcdef"


@pytest.mark.parametrize("block_dim", [1, 2, 40])
@pytest.mark.parametrize("length", [1, 7, 128, 1000, 65537])
def test_readme_example(length: int, block_dim: int) -> None:
    rng = np.random.default_rng(length)
    x, y = (rng.normal(0, 10, length).astype(np.float16) for _ in range(2))
    z = np.zeros(length, np.float16)
    workspace = np.zeros(0, np.uint8)
    tiling = np.array([length, 1024], np.int64).tobytes()
    harness.run(_example(), [x, y, z, workspace], tiling, block_dim, _ENTRY)
    assert np.array_equal(z, x + y)


@pytest.mark.parametrize("compiler", harness.compilers())
def test_example_compiles_without_warnings(compiler: str, tmp_path: Path) -> None:
    done = harness.compile_to(tmp_path / "example.o", _example(), compiler, ["-c"])
    assert (done.returncode, done.stderr) == (0, "")


def test_messages_of_the_launch() -> None:
    arrays = [np.zeros(1, np.uint8)] * 4
    outcome = harness.launch(_example(), arrays[:3], bytes(16), entry=_ENTRY)
    assert outcome == harness.Outcome(
        2, -1, "launch: 3 pointer arguments given, the kernel has 4 (workspace included, tiling not)"
    )
    outcome = harness.launch(_example(), arrays, bytes(8), entry=_ENTRY)
    assert outcome == harness.Outcome(2, -1, "launch: TilingData of 8 bytes given, the kernel reads 16")
    for block_dim in (0, 65536):
        outcome = harness.launch(_example(), arrays, bytes(16), block_dim, _ENTRY)
        assert outcome == harness.Outcome(2, -1, f"launch: block_dim is {block_dim}; allowed are 1 to 65535")


def test_missing_buffer() -> None:
    function = harness.PROGRAMS.load(harness.body("", 1)).entry
    message = ctypes.create_string_buffer(200)
    request = harness.Launch(struct_size=ctypes.sizeof(harness.Launch), block_dim=1, arg_count=1)
    addresses, sizes = (ctypes.c_void_p * 1)(None), (ctypes.c_uint64 * 1)(64)
    request.args = ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p))
    request.arg_bytes = ctypes.cast(sizes, ctypes.POINTER(ctypes.c_uint64))
    request.message, request.message_bytes = ctypes.cast(message, ctypes.c_char_p), len(message)
    assert function(ctypes.byref(request)) == 2
    assert message.value.decode() == (
        "launch: pointer argument 0 has address (nil) and 64 bytes; give the buffer, or no address and 0 bytes"
    )
    sizes[0] = 0
    assert function(ctypes.byref(request)) == 0
    request.struct_size -= 8
    assert function(ctypes.byref(request)) == 2


def test_a_short_message_buffer_is_not_overrun() -> None:
    function = harness.PROGRAMS.load(harness.body('pt::fail(block, 4, "load", "a long text that does not fit");')).entry
    message = ctypes.create_string_buffer(b"#" * 16, 16)
    request = harness.Launch(struct_size=ctypes.sizeof(harness.Launch), block_dim=1)
    request.message, request.message_bytes = ctypes.cast(message, ctypes.c_char_p), 8
    assert function(ctypes.byref(request)) == 1
    assert (request.site, message.raw) == (4, b"load: a\0" + b"#" * 8)
    request.message = None
    assert function(ctypes.byref(request)) == 1


_TRACE = """
  int64_t* out = reinterpret_cast<int64_t*>(pt::arg<int64_t>(block, 0).place.base);
  int64_t* line = out + 1 + 6 * out[0]++;
  line[0] = pt::get_block_idx(block);
  line[1] = pt::get_block_num(block);
  line[2] = pt::get_subblock_idx(block);
  line[3] = pt::get_subblock_num(block);
  line[4] = pt::section_vector(block);
  line[5] = pt::section_cube(block);"""


def _trace(core: str, block_dim: int) -> list[list[int]]:
    out = np.zeros(100, np.int64)
    harness.run(harness.body(_TRACE, 1, core=core), [out], block_dim=block_dim)
    return out[1 : 1 + 6 * out[0]].reshape(-1, 6).tolist()


def test_system_variables() -> None:
    assert _trace("vector", 2) == [[0, 2, 0, 1, 1, 0], [1, 2, 0, 1, 1, 0]]
    assert _trace("cube", 2) == [[0, 2, 0, 1, 0, 1], [1, 2, 0, 1, 0, 1]]
    assert _trace("mix", 2) == [
        [0, 2, 0, 1, 0, 1],
        [0, 2, 0, 2, 1, 0],
        [1, 2, 1, 2, 1, 0],
        [1, 2, 0, 1, 0, 1],
        [2, 2, 0, 2, 1, 0],
        [3, 2, 1, 2, 1, 0],
    ]


def test_errors_name_the_block() -> None:
    code = 'if (pt::get_block_idx(block) == 2) pt::fail(block, 3, "add", "stopped at %d", 5);'
    outcome = harness.launch(harness.body(code), [], block_dim=4)
    assert outcome == harness.Outcome(1, 3, "add: stopped at 5 [block 2 of 4]")


def test_tiling_is_a_copy_of_any_alignment() -> None:
    code = """
  int64_t* out = reinterpret_cast<int64_t*>(pt::arg<int64_t>(block, 0).place.base);
  out[0] = tiling.large;
  out[1] = tiling.small;"""
    program = "namespace { struct Odd { int64_t large; int8_t small; }; }\n" + harness.body(code, 1, tiling="Odd")
    out = np.zeros(2, np.int64)
    harness.run(program, [out], np.array([7], np.int64).tobytes() + bytes([9]) + bytes(7))
    assert out.tolist() == [7, 9]


@pytest.mark.parametrize(("module", "name"), [(dtypes, "op_dtypes.h"), (socs, "soc.h")])
def test_generated_headers_are_in_step(module: object, name: str) -> None:
    text = (harness.RUNTIME / "include/pypto_twin" / name).read_text(encoding="utf-8")
    assert text == module.header()  # type: ignore[attr-defined]


def test_headers_stay_slim() -> None:
    """The compile time of every variant depends on what the headers include."""
    allowed = {"math.h", "stdarg.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "type_traits"}
    allowed |= {"new", "pthread.h"}
    for header in sorted((harness.RUNTIME / "include/pypto_twin").glob("*.h")):
        included = set(re.findall(r"#include <(.*?)>", header.read_text(encoding="utf-8")))
        assert included <= allowed, header.name


def test_tables() -> None:
    assert dtypes.supported("exp", "float16") and not dtypes.supported("exp", "int32")
    assert dtypes.allowed_text("recip") == "DT_FP16, DT_FP32"
    assert dtypes.cast_supported("float", "int8") and not dtypes.cast_supported("float", "float")
    assert dtypes.tile_problem("float16", 1, 1024) is None
    assert dtypes.tile_problem("float16", 1, 100) == (
        "shape [1, 100] of DT_FP16: a row has 200 bytes, which is no multiple of 32; "
        "use 112 columns and set the valid shape"
    )
    assert dtypes.tile_problem("float", 0, 8) == "shape [0, 8]: every size must be positive"


_BLOCKS = """
  auto a = pt::make_tile<pt::TileType<int32_t, 1, 8>>(block, 0, 0, 32);
  [[maybe_unused]] auto x = pt::make_tensor<1>(block, 1, pt::arg<int32_t>(block, 0), {64});
  [[maybe_unused]] auto y = pt::make_tensor<1>(block, 2, pt::arg<int32_t>(block, 1), {64});
  int64_t i = pt::get_block_idx(block);
"""
_RACE = "of the buffer of pointer argument {}; blocks run at the same time on the device, so give each its own part"


def _blocks(code: str, block_dim: int = 4) -> harness.Outcome:
    arrays = [np.arange(64, dtype=np.int32), np.full(64, -1, np.int32)]
    return harness.launch(harness.body(_BLOCKS + code, 2), arrays, block_dim=block_dim)


def test_blocks_that_write_the_same_memory() -> None:
    code = "pt::load(block, 3, a, x, {8 * i});\n  pt::store(block, 4, y, a, {4 * i});"
    text = f"store: changes what an earlier block wrote at byte 16 {_RACE.format(1)} [block 1 of 4]"
    assert _blocks(code) == harness.Outcome(1, 4, text)
    assert _blocks(code, 1).result == 0


def test_a_block_that_reads_what_another_writes() -> None:
    after = """
  if (i == 0) pt::expands(block, 3, a, int64_t{5});
  if (i == 0) pt::store(block, 4, y, a, {0});
  if (i == 2) pt::load(block, 5, a, y, {7});"""
    text = f"load: reads what an earlier block wrote at byte 28 {_RACE.format(1)} [block 2 of 4]"
    assert _blocks(after) == harness.Outcome(1, 5, text)
    before = "pt::load(block, 3, a, x, {8 * i});\n  if (i == 3) pt::store(block, 4, x, a, {2});"
    text = f"store: changes what an earlier block read at byte 8 {_RACE.format(0)} [block 3 of 4]"
    assert _blocks(before) == harness.Outcome(1, 4, text)


@pytest.mark.parametrize(
    "code",
    [
        # A shared input, and an own part, many times.
        """
  for (int64_t k : pt::range(block, 3, 0, 5000, 1)) {
    pt::load(block, 4, a, x, {0});
    pt::load(block, 5, a, y, {8 * (i + k % 2 * 4)});
    pt::add(block, 6, a, a, int64_t{1});
    pt::store(block, 7, y, a, {8 * (i + k % 2 * 4)});
  }""",
        # An overlapping tail.
        """
  int64_t from = pt::scalar_min(6 * i, int64_t{14});
  pt::load(block, 3, a, x, {from});
  pt::store(block, 4, y, a, {from});""",
        # A table that each block computes and reads.
        """
  pt::load(block, 3, a, x, {0});
  pt::store(block, 4, y, a, {40});
  pt::load(block, 5, a, y, {40});
  pt::load(block, 6, a, y, {8 * i});""",
    ],
)
def test_blocks_that_do_not_race(code: str) -> None:
    assert _blocks(code) == harness.Outcome(0, -1, "")


_RANDOM = """
  auto a = pt::make_tile<pt::TileType<int32_t, 1, 8>>(block, 0, 0, 32);
  auto memory = pt::make_tensor<1>(block, 1, pt::arg<int32_t>(block, 0), {4000});
  const int64_t i = pt::get_block_idx(block);
  for (int64_t k : pt::range(block, 2, 0, 12, 1)) {
    int32_t at = reinterpret_cast<const int32_t*>(pt::arg<int32_t>(block, 1).place.base)[12 * i + k];
    if (at >= 0) pt::load(block, 3, a, memory, {at});
    pt::expands(block, 4, a, 100 * i + k);
    if (at < 0) pt::store(block, 5, memory, a, {-at});
  }"""


def _races(places: np.ndarray) -> bool:
    """What should be found: places[block] are first elements of loads or, negated, of stores, of 8 elements each."""
    earlier_reads, earlier_writes = np.zeros(4000, bool), np.zeros(4000, bool)
    for block in places.tolist():
        reads, writes = np.zeros(4000, bool), np.zeros(4000, bool)
        for place in block:
            part = slice(abs(place), abs(place) + 8)
            if place >= 0 and (earlier_writes & ~writes)[part].any():
                return True
            if place < 0 and (earlier_writes | earlier_reads)[part].any():
                return True
            (reads if place >= 0 else writes)[part] = True
        earlier_reads |= reads
        earlier_writes |= writes
    return False


def test_races_among_many_accesses() -> None:
    rng = np.random.default_rng(17)
    program = harness.body(_RANDOM, 2)
    found = []
    for _ in range(150):
        places = rng.integers(1, int(rng.choice([500, 3900])), (6, 12)) * rng.choice([1, -1], (6, 12), p=[0.95, 0.05])
        arrays = [np.full(4000, -1, np.int32), places.astype(np.int32)]
        outcome = harness.launch(program, arrays, block_dim=6)
        assert outcome.result == _races(places), outcome
        found.append(outcome.result)
    assert 30 < sum(found) < 120
