"""The command line: files written, narrowing, and inputs that are wrong."""

from __future__ import annotations

import json

import pytest

from tests.tools.twin_codegen.harness import Built, Case
from toolchains.twin.codegen.cli import main

BODY = """
    tt = pl.TileType(shape=[1, 8], dtype=t)
    a = pl.make_tile(tt, addr=0, size=64)
    with pl.section_vector():
        pl.expands(a, mode)
"""


@pytest.fixture
def inputs(tmp_path):
    """Files of a correct kernel; returns the arguments by option."""
    Built(Case(BODY, params=("x",), datatype="t", keys={"mode": [3, 9, 4]}), tmp_path, [{"t": "int32"}])
    return {
        "--kernel": str(tmp_path / "case.py"),
        "--manifest": str(tmp_path / "kernel.json"),
        "--columns": str(tmp_path / "columns.json"),
        "--op-type": "Case",
        "--soc": "ascend910b",
        "--out-dir": str(tmp_path / "out"),
        "--variants": str(tmp_path / "variants.json"),
        "--source-map": str(tmp_path / "map.json"),
    }


def run(options: dict[str, str], *more: str) -> int:
    return main([*(word for pair in options.items() for word in pair), *more])


def read(capsys) -> str:
    """What was written to stderr."""
    return capsys.readouterr().err


def test_writes_sources_variants_and_source_map(inputs, tmp_path, capsys):
    assert run(inputs) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "case-int32-mode3-vector.cpp", "case-int32-mode4-vector.cpp", "case-int32-mode9-vector.cpp",
    ]  # fmt: skip
    variants = json.loads((tmp_path / "variants.json").read_text())["variants"]
    assert [(v["tiling_key"], v["combo"]) for v in variants] == [(0, {"mode": 3}), (1, {"mode": 9}), (2, {"mode": 4})]
    assert set(json.loads((tmp_path / "map.json").read_text())["sources"]) == {v["source"] for v in variants}
    assert capsys.readouterr() == ("", "")


def test_narrowed_to_some_keys(inputs, tmp_path):
    assert run(inputs, "--tiling-keys", "2", "--tiling-keys", "0x0") == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_nothing_is_written_on_an_error(inputs, tmp_path, capsys):
    kernel = tmp_path / "case.py"
    kernel.write_text(kernel.read_text().replace("pl.expands(a, mode)", "pl.expanse(a, mode)"))
    assert run(inputs) == 1
    assert not (tmp_path / "out").exists() and not (tmp_path / "variants.json").exists()
    assert not (tmp_path / "map.json").exists()
    error = capsys.readouterr().err
    assert f"{kernel}:" in error and "fix: write pl.expands" in error and "in all 3 variants" in error
    assert error.endswith("codegen: 1 error; nothing was generated\n")


def test_a_syntax_error_is_an_error_with_its_line(inputs, tmp_path, capsys):
    (tmp_path / "case.py").write_text("x = 1\ny = = 2\n")
    assert run(inputs) == 1
    assert "case.py:2:5: error[PYPTO-G001]: the file is not valid Python" in capsys.readouterr().err


def test_a_kernel_that_is_not_there(inputs, tmp_path, capsys):
    (tmp_path / "case.py").write_text("x = 1\n")
    assert run(inputs) == 1
    assert "there is no function case" in capsys.readouterr().err


def test_a_kernel_below_the_top_level_is_refused_at_its_line(inputs, tmp_path, capsys):
    kernel = tmp_path / "case.py"
    text = kernel.read_text()
    place = text.index("@pl.jit")
    kernel.write_text(text[:place] + "if True:\n" + "".join(f"    {line}\n" for line in text[place:].splitlines()))
    line = kernel.read_text().split("def case")[0].count("\n") + 1
    assert run(inputs) == 1
    error = capsys.readouterr().err
    assert f"case.py:{line}:5: error[PYPTO-G002]: the kernel case is not defined at the top level of case.py" in error


def test_long_sums_are_fine_and_endless_nesting_is_an_error(inputs, tmp_path, capsys):
    kernel = tmp_path / "case.py"
    text = kernel.read_text()
    kernel.write_text(text.replace("pl.expands(a, mode)", f"pl.expands(a, mode{' + tiling.n' * 500})"))
    assert run(inputs) == 0
    kernel.write_text(text.replace("pl.expands(a, mode)", f"pl.expands(a, mode{' + tiling.n' * 5000})"))
    assert run(inputs) == 1
    line = kernel.read_text().split("pl.expands")[0].count("\n") + 1
    error = capsys.readouterr().err
    assert f"case.py:{line}:9: error[PYPTO-G003]: an expression or block is nested too deeply; found 5" in error
    kernel.write_text("(" * 1000 + ")" * 1000)
    assert run(inputs) == 1
    assert "case.py:1:201: error[PYPTO-G001]: the file is not valid Python: too many nested parentheses" in read(capsys)


WRONG = [
    ({"--soc": "ascend310"}, "SoC ascend310 is not modelled by the twin; allowed ascend910b"),
    ({"--tiling-keys": "7"}, "no TilingKey of case is like this; found '7'; allowed 0: "),
    ({"--tiling-keys": "a"}, "tiling_keys: a selection is <name>=<value>"),
    ({"--src": "missing.py"}, "missing.py:1:1: error[PYPTO-G005]: cannot read the file: No such file or directory"),
    ({"--manifest": "missing.json"}, "cannot read the kernel manifest missing.json"),
    ({"--columns": "missing.json"}, "cannot read the dtype columns missing.json"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[next(iter(row[0])) + row[1][:9] for row in WRONG])
def test_wrong_inputs(inputs, capsys, options, message):
    assert run({**inputs, **options}) == 1
    assert message in capsys.readouterr().err


COLUMNS = [
    ("[]", "must be a list of objects"),
    ("{}", "must be a list of objects"),
    ("[", "cannot read the dtype columns"),
    ("[{}]", "gives no dtype for t"),
    ('[{"t": "fp16"}]', "dtype 'fp16' is not supported; allowed float16"),
    ('[{"t": "int32", "u": "int32"}]', "u is no datatype variable of case; allowed t"),
    ('[{"t": "int32"}, {"t": "int32"}]', "two dtype columns are equal"),
]


@pytest.mark.parametrize(("text", "message"), COLUMNS, ids=[row[0] for row in COLUMNS])
def test_wrong_columns(inputs, tmp_path, capsys, text, message):
    (tmp_path / "columns.json").write_text(text)
    assert run(inputs) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arch", "soc", "fits"),
    [
        ("a3", "ascend910b", True),
        ("a2", "ascend910_93", True),
        ("a5", "ascend950", True),
        ("auto", "ascend950", True),
        ("a3", "ascend950", False),
        ("a5", "ascend910b", False),
    ],
)
def test_pinned_architecture_must_be_that_of_the_soc(inputs, tmp_path, capsys, arch, soc, fits):
    kernel, manifest = tmp_path / "case.py", tmp_path / "kernel.json"
    kernel.write_text(kernel.read_text().replace("@pl.jit(", f'@pl.jit(arch="{arch}", '))
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "arch": arch}))
    assert run({**inputs, "--soc": soc}) == (0 if fits else 1)
    if not fits:
        error = capsys.readouterr().err
        line = kernel.read_text().split("@pl.jit")[0].count("\n") + 1
        assert f"case.py:{line}:14: error[PYPTO-G004]: the file pins another architecture than that of {soc}" in error
        assert f'arch="{arch}"' in error
        assert "fix: remove arch" in error
