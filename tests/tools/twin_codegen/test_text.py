"""What the generated text depends on, and what it does not."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys

import pytest

from tests.tools.twin_codegen.harness import Built, Case

LEAKY = """
    tt = pl.TileType(shape=[1, 128], dtype=io_t, target_memory=pl.MemorySpace.Vec)
    ta = pl.make_tile(tt, addr=0x0000, size=512)
    tb = pl.make_tile(tt, addr=0x4000, size=512)
    gx = pl.make_tensor(x, [1, tiling.total], [tiling.total, 1], dtype=io_t)
    gy = pl.make_tensor(y, [1, tiling.total], [tiling.total, 1], dtype=io_t)
    with pl.section_vector():
        for i in pl.range(0, tiling.total, 128):
            pl.load(ta, gx, [0, i])
            if tail == 0:
                pl.add(tb, ta, ta)
            else:
                pl.mul(tb, ta, ta)
            pl.store(gy, tb, [0, i])
"""


def leaky(body: str = LEAKY, **changes) -> Case:
    """The base operator of the public reports: `tail` decides, `tile` is never read."""
    fields = {
        "params": ("x", "y"), "tiling": {"total": "int", "per_core": "int", "alpha": "float"}, "datatype": "io_t",
        "keys": {"tail": [0, 1], "tile": [64, 128, 256]}, "valid": lambda tail, tile: tail == 0 or tile != 256,
    }  # fmt: skip
    return Case(body, **{**fields, **changes})


HALF = [{"io_t": "float16"}]


def test_keys_that_fold_alike_have_one_text(tmp_path):
    built = Built(leaky(), tmp_path, HALF)
    assert len(built.texts) == 5
    assert len(set(built.texts)) == 2
    by_key = {v["tiling_key"]: (v["combo"], v["entry"]) for v in built.result.variants["variants"]}
    assert {key: combo for key, (combo, _) in by_key.items()} == {
        0: {"tail": 0, "tile": 64}, 1: {"tail": 1, "tile": 64}, 2: {"tail": 0, "tile": 128},
        3: {"tail": 1, "tile": 128}, 4: {"tail": 0, "tile": 256},
    }  # fmt: skip
    assert by_key[0][1] == by_key[2][1] == by_key[4][1] != by_key[1][1] == by_key[3][1]


def test_older_tile_scalar_spellings_give_the_text_of_the_documented_ones(tmp_path):
    pairs = {"adds": "add", "subs": "sub", "muls": "mul", "divs": "div", "maxs": "maximum", "mins": "minimum"}
    for older, documented in pairs.items():
        texts = [
            Built(leaky(LEAKY.replace("pl.add(tb, ta, ta)", f"pl.{name}(tb, ta, 2)")), tmp_path / name, HALF).texts
            for name in (older, documented)
        ]
        assert texts[0] == texts[1]


def test_only_the_taken_branch_is_in_the_text(tmp_path):
    texts = Built(leaky(), tmp_path, HALF).texts
    assert "pt::add" in texts[0] and "pt::mul" not in texts[0]
    assert "pt::mul" in texts[1] and "pt::add" not in texts[1]


def test_comments_blank_lines_docstrings_and_layout_change_nothing(tmp_path):
    before = Built(leaky(), tmp_path / "a", HALF)
    edited = '    """What it does."""' + LEAKY.replace("    pl.load", "    # a comment\n\n            pl.load")
    edited = edited.replace("[tiling.total, 1]", "[\n tiling.total,\n 1,\n ]")
    after = Built(leaky("\n\n" + edited, head="# comment\n\n\n"), tmp_path / "b", HALF)
    assert before.texts == after.texts
    assert before.result.variants == after.result.variants
    assert before.result.source_map != after.result.source_map


def test_directory_names_do_not_matter(tmp_path):
    assert Built(leaky(), tmp_path / "a", HALF).texts == Built(leaky(), tmp_path / "算子 目录", HALF).texts


def test_a_dtype_field_in_the_key_costs_no_texts(tmp_path):
    columns = [{"io_t": "float16"}, {"io_t": "float"}]
    built = Built(leaky(keys={"tail": [0, 1], "dtype_code": [0, 1, 2]}, valid=None), tmp_path, columns)
    assert len(built.texts) == 12
    assert len(set(built.texts)) == 4


def test_dtype_conditions_fold(tmp_path):
    body = LEAKY.replace("if tail == 0:", "if io_t == pl.DT_FP16 and io_t.get_bit() == 16 or io_t in (pl.DT_INT32,):")
    built = Built(
        leaky(body, keys={"tail": [0]}, valid=None), tmp_path, [{"io_t": d} for d in ("float16", "float", "int32")]
    )
    assert [("pt::add" in text, "pt::mul" in text) for text in built.texts] == [
        (True, False),
        (False, True),
        (True, False),
    ]


def test_constants_reach_through_variables_helpers_and_expressions(tmp_path):
    head = """
WIDE = 2
def choose(value, tile, other):
    if value == WIDE:
        pl.add(tile, other, other)
    else:
        pl.mul(tile, other, other)
    return value * 2
"""
    body = LEAKY.replace("        for i", "        level = tail + 1\n        for i").replace(
        LEAKY[LEAKY.index("            if tail") : LEAKY.index("            pl.store")],
        "            same = choose(level, tb, ta)\n            while same < 3:\n                break\n"
        "            pl.relu(tb, tb) if same == 4 else pl.neg(tb, tb)\n",
    )
    texts = Built(leaky(body, keys={"tail": [0, 1]}, valid=None, head=head), tmp_path, HALF).texts
    assert re.findall(r"pt::(add|mul|relu|neg)\b", texts[0]) == ["mul", "neg"]
    assert re.findall(r"pt::(add|mul|relu|neg)\b", texts[1]) == ["add", "relu"]
    assert "if (" not in texts[1] and "while" not in texts[1]


def test_text_is_free_of_names_keys_lines_and_paths(tmp_path):
    text = Built(leaky(), tmp_path, HALF).texts[0]
    for word in ("case", "tail", "tile =", "io_t", ".py", "ascend910b_", str(tmp_path), "per_core //"):
        assert word not in text
    assert "per_core" in text  # the TilingData layout is a fact of the interface


def test_entry_is_the_digest_of_the_text(tmp_path):
    built = Built(leaky(), tmp_path, HALF)
    for variant, text in zip(built.result.variants["variants"], built.texts, strict=True):
        placeholder = text.replace(variant["entry"], "pypto_entry_of_this_text")
        assert variant["entry"] == "pypto_" + hashlib.sha256(placeholder.encode()).hexdigest()[:16]
        assert f"int32_t {variant['entry']}(pypto_twin_launch* launch)" in text


def test_sites_point_to_the_emitted_operations(tmp_path):
    case = leaky()
    built = Built(case, tmp_path, HALF)
    lines = case.text().splitlines()
    sites = built.result.source_map["sources"]["case-float16-tail1_tile64-vector.cpp"]
    assert [site["op"] for site in sites] == [
        "make_tile", "make_tile", "make_tensor", "make_tensor", "range", "load", "mul", "store",
    ]  # fmt: skip
    for site in sites:
        assert lines[site["line"] - 1][site["col"] - 1 :].startswith(f"pl.{site['op']}")


def test_variants_json(tmp_path):
    columns = [{"io_t": "bfloat16"}, {"io_t": "int8"}]
    built = Built(leaky(), tmp_path, columns)
    data = built.result.variants
    assert {key: data[key] for key in ("schema_version", "kernel_name", "op_file", "backend", "soc")} == {
        "schema_version": 1, "kernel_name": "case", "op_file": "case", "backend": "twin", "soc": "ascend910b",
    }  # fmt: skip
    assert data["columns"] == [{"index": 0, "dtypes": columns[0]}, {"index": 1, "dtypes": columns[1]}]
    order = [(variant["column"], variant["tiling_key"]) for variant in data["variants"]]
    assert order == sorted(order) and len(order) == 10
    assert data["variants"][5]["source"] == "case-int8-tail0_tile64-vector.cpp"
    assert {variant["core"] for variant in data["variants"]} == {"vector"}
    assert set(built.result.texts) == set(built.result.source_map["sources"])


def test_soc_is_in_the_text(tmp_path):
    assert "pt::soc::ascend950," in Built(leaky(), tmp_path, HALF, soc="ascend950").texts[0]


def test_unused_values_leave_no_trace(tmp_path):
    spare = """
    spare = tiling.per_core * 3
    other = pl.make_tile(tt, addr=0x8000, size=512)
    if tiling.alpha > 1.0:
        spare = 2
"""
    body = LEAKY.replace("    with pl", spare + "    with pl")
    assert Built(leaky(body), tmp_path / "a", HALF).texts == Built(leaky(), tmp_path / "b", HALF).texts


@pytest.mark.parametrize("seed", ["0", "1", "12345"])
def test_same_bytes_whatever_the_hash_seed(tmp_path, seed):
    built = Built(leaky(), tmp_path, [{"io_t": "float16"}, {"io_t": "float"}])
    arguments = ["--kernel", "case.py", "--manifest", "kernel.json", "--columns", "columns.json"]
    arguments = [str(tmp_path / word) if "." in word else word for word in arguments]
    arguments += [
        "--op-type",
        "Case",
        "--soc",
        "ascend910b",
        "--out-dir",
        str(tmp_path / "out"),
        "--variants",
        str(tmp_path / "v.json"),
    ]
    command = [sys.executable, "-m", "toolchains.twin.codegen", *arguments, "--source-map", str(tmp_path / "m.json")]
    environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(command, check=True, env=environment)
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir()} == built.result.texts
    assert json.loads((tmp_path / "v.json").read_text()) == built.result.variants
    assert json.loads((tmp_path / "m.json").read_text()) == built.result.source_map


GOLDEN = """
void kernel(pt::Block& block, const Tiling& tiling) {
  pt::Ptr<uint8_t> x = pt::arg<uint8_t>(block, 0);
  pt::Tile<Vec_FP32_4x16> even = pt::make_tile<Vec_FP32_4x16>(block, 0, 0, 256);
  pt::Tile<Vec_FP32_4x16> odd = pt::make_tile<Vec_FP32_4x16>(block, 1, 256, 256);
  pt::Tensor<float, 2> gx = pt::make_tensor<2>(block, 2, pt::cast_ptr<float>(x), {tiling.n, 16});
  const int64_t rows = pt::floordiv(block, 3, pt::int_add(block, 4, tiling.n, 3), int64_t{4});
  int64_t done = 0;
  for (const int64_t i : pt::range(block, 5, pt::get_block_idx(block), rows, pt::get_block_num(block))) {
    pt::Tile<Vec_FP32_4x16> tile = {};
    if (pt::floormod(block, 6, i, int64_t{2}) == 0) {
      tile = even;
    } else {
      tile = odd;
      done = pt::int_add(block, 7, done, 1);
    }
    pt::load_tile(block, 8, tile, gx, {i, 0});
    pt::mul(block, 9, tile, tile, tiling.w * 0.5f);
    while (done > 2) {
      done = pt::int_sub(block, 10, done, 2);
    }
    pt::store_tile(block, 11, gx, tile, {i, 0});
  }
}
"""


def test_golden(tmp_path):
    body = """
        kind = pl.TileType(shape=[4, 16], dtype=pl.DT_FP32)
        even = pl.make_tile(kind, 0, 256)
        odd = pl.make_tile(kind, addr=256, size=4 * 16 * 4)
        gx = pl.make_tensor(x, [tiling.n, 16], dtype=pl.DT_FP32)
        done = 0
        rows = (tiling.n + 3) // 4
        with pl.section_vector():
            for i in pl.range(pl.get_block_idx(), rows, pl.get_block_num()):
                if i % 2 == 0:
                    tile = even
                else:
                    tile = odd
                    done += 1
                pl.load_tile(tile, gx, [i, 0])
                pl.mul(tile, tile, tiling.w * (1 / 2))
                while done > 2:
                    done -= 2
                pl.store_tile(gx, tile, [i, 0])
    """
    text = Built(Case(body, params=("x",), tiling={"n": "int", "w": "float"}), tmp_path).texts[0]
    assert GOLDEN in text
    assert "using Vec_FP32_4x16 = pt::TileType<float, 4, 16, pt::space::vec, -1, -1, 0, pt::pad::null>;" in text
    assert "struct Tiling {\n  int64_t n;\n  float w;\n};\nstatic_assert(sizeof(Tiling) == 16" in text
