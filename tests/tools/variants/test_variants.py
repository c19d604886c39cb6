"""The table of variants: what each row says, which share a text, and its three forms."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import pytest

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.contract.manifest import Kernel, KeyField, TilingData, TilingKey, ValidKey
from pypto_rules.tools.variants import __main__ as tool

KEY = TilingKey("Key", (KeyField("模式", 1, 0, (3, 9)),), 1, False, 2, (ValidKey((3,), 0, "0"), ValidKey((9,), 1, "1")))
KERNEL = Kernel("scale", "scale", KEY, None, TilingData("t", "T", 8, 8, ()), (), (), False, True)


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    texts = {"src/a.cpp": "one", "src/b.cpp": "two", "other/c.cpp": "one", "other/d.cpp": "three"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    placed = [(0, 1, "b.cpp"), (0, 0, "a.cpp"), (1, 0, "c.cpp"), (1, 1, "d.cpp")]
    variants = [
        {"column": column, "tiling_key": key, "combo": {"模式": (3, 9)[key]}, "core": "vector", "source": source}
        | {"entry": f"e_{source[0]}"}
        for column, key, source in placed
    ]
    columns = [{"index": 0, "dtypes": {"io_t": "float16"}}, {"index": 1, "dtypes": {"io_t": "float"}}]
    about = {"kernel_name": "scale", "op_file": "scale", "backend": "twin", "soc": "ascend950", "narrowed": None}
    (tmp_path / "variants.json").write_text(json.dumps({**about, "columns": columns, "variants": variants}))
    manifest.write(KERNEL, tmp_path / "kernel.json")
    files = ["--manifest", "kernel.json", "--variants", "variants.json", "--sources", "src", "--sources", "other"]
    return ["--label", "//ops:scale", *(str(tmp_path / word) if word[0] != "-" else word for word in files)]


def test_table(inputs, capsys):
    assert tool.main(inputs) == 0
    heading, _, head, *rows, _, note, _ = capsys.readouterr().out.split("\n")
    assert heading == "//ops:scale: scale for ascend950, backend twin"
    assert head.split() == ["io_t", "模式", "TilingKey", "hex", "core", "text", "sha256", "symbol"]
    one = hashlib.sha256(b"one").hexdigest()[:12]
    assert rows[0].split() == ["float16", "3", "0", "0x0", "vector", "1", one, "e_a"]
    assert [row.split()[5] for row in rows] == ["1", "2", "1", "3"]
    assert head.index("TilingKey") + 2 == rows[0].index("0  ", 10)  # the two wide characters take four columns
    assert note == "4 variants with 3 different texts; those with the same text are compiled to equal code."


def test_csv(inputs, capsys):
    assert tool.main([*inputs, "--format=csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["io_t"] for row in rows] == ["float16", "float16", "float", "float"]
    assert rows[1]["模式"] == "9" and rows[1]["tiling_key"] == "1" and rows[1]["tiling_key_hex"] == "0x1"
    assert rows[2]["sha256"] == rows[0]["sha256"] == hashlib.sha256(b"one").hexdigest()


def test_json(inputs, capsys):
    assert tool.main([*inputs, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["kernel_name"], data["soc"], data["narrowed"]) == ("scale", "ascend950", None)
    assert data["variants"][3]["dtypes"] == {"io_t": "float"} and data["variants"][3]["fields"] == {"模式": 9}


def test_a_narrowed_build_says_so(inputs, tmp_path, capsys):
    path = tmp_path / "variants.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "narrowed": {"tiling_keys": ["模式=3"], "dtypes": [], "of": 4}}))
    assert tool.main(inputs) == 0
    assert "Narrowed by --tiling_keys 模式=3; scale has 4 variants." in capsys.readouterr().out


def test_kernel_without_dtypes(inputs, tmp_path, capsys):
    path = tmp_path / "variants.json"
    data = json.loads(path.read_text())
    data["columns"] = [{"index": 0, "dtypes": {}}]
    data["variants"] = [variant for variant in data["variants"] if variant["column"] == 0]
    path.write_text(json.dumps(data))
    assert tool.main(inputs) == 0
    assert capsys.readouterr().out.split("\n")[2].split()[0] == "模式"
