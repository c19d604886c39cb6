"""The bytes of the generated headers."""

from pathlib import Path

import pytest

from pypto_rules.tools.contract import manifest
from pypto_rules.tools.headers import __main__ as headers
from pypto_rules.tools.headers import render
from tests.tools.headers.kernels import UPSTREAM_TILING_KEY, kernel

TILING_DATA = (
    "class Data_mixed {\npublic:\n    bool has_tail; float alpha; int64_t total; bool flags[5]; float beta; \n};\n"
)


@pytest.fixture
def manifest_file(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.json"
    manifest.write(kernel("mixed"), path)
    return path


def test_tiling_data_header() -> None:
    name, text = render.headers_of(kernel("mixed"), "Mixed").tiling_data
    assert name == "Data_mixed_tiling.h"
    assert text.startswith("#pragma once\n") and TILING_DATA in text


def test_tiling_key_header() -> None:
    name, text = render.headers_of(kernel("mixed"), "Mixed").tiling_key
    assert name == "Key_mixed_tilingkey.h"
    assert all(part in text for part in UPSTREAM_TILING_KEY.split("\n\n"))


def test_bit_widths_are_defined_once_and_ascending() -> None:
    text = render.headers_of(kernel("many_keys"), "ManyKeys").tiling_key[1]
    defines = [line for line in text.splitlines() if line.startswith("#define ASCENDC_TPL_") and "_BW" in line]
    assert defines == [f"#define ASCENDC_TPL_{n}_BW {n}" for n in (2, 3, 4)]


def test_out_dir_holds_the_headers(manifest_file: Path, tmp_path: Path) -> None:
    out, host = tmp_path / "out", tmp_path / "host.h"
    assert headers.main(["--manifest", str(manifest_file), "--out-dir", str(out), "--host-include", str(host)]) == 0
    assert sorted(p.name for p in out.iterdir()) == [
        "Data_mixed_print.h",
        "Data_mixed_registration.h",
        "Data_mixed_tiling.h",
        "Key_mixed_tilingkey.h",
    ]
    assert TILING_DATA in (out / "Data_mixed_tiling.h").read_text()
    includes = [line for line in host.read_text().splitlines() if line.startswith("#include")]
    assert includes == ['#include "Key_mixed_tilingkey.h"', '#include "Data_mixed_tiling.h"']


def test_single_outputs(manifest_file: Path, tmp_path: Path) -> None:
    names = {"--tiling-data": tmp_path / "d.h", "--tiling-key": tmp_path / "k.h", "--registration": tmp_path / "r.h"}
    arguments = [text for option, path in names.items() for text in (option, str(path))]
    assert headers.main(["--manifest", str(manifest_file), *arguments, "--op-type", "MyMixed"]) == 0
    expected = render.headers_of(kernel("mixed"), "MyMixed")
    assert (tmp_path / "d.h").read_text() == expected.tiling_data[1]
    assert (tmp_path / "k.h").read_text() == expected.tiling_key[1]
    assert "REGISTER_TILING_DATA_CLASS(MyMixed, Data_mixed)" in (tmp_path / "r.h").read_text()


def test_op_type_is_camel_case_of_the_file_name() -> None:
    assert render.camel_case("add_example") == "AddExample"
    assert render.camel_case("gelu_v2") == "GeluV2"


def test_unreadable_manifest_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "kernel.json"
    bad.write_text('{"schema_version": 99}')
    assert headers.main(["--manifest", str(bad), "--out-dir", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("headers: error: kernel.json: schema_version is 99")
    assert "Traceback" not in error


@pytest.mark.parametrize(
    "arguments", [[], ["--op-type", "1x", "--out-dir", "d"], ["--op-type", "a-b", "--out-dir", "d"]]
)
def test_wrong_command_lines(arguments: list[str], manifest_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        headers.main(["--manifest", str(manifest_file), *arguments])
    assert stopped.value.code == 2
    assert "error:" in capsys.readouterr().err
