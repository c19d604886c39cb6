"""The vendor tree: its files, its jsons, its manifest, and what is refused."""

import hashlib
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tools.package.packages import DTYPES, KEYS, SOCS, Inputs, write_binary, write_json, write_text

KERNEL = "op_impl/ai_core/tbe/kernel"


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    return Inputs(tmp_path / "in").write()


def build(inputs: Inputs, tmp_path: Path) -> Path:
    """The vendor directory the tool makes of the inputs."""
    assert inputs.run_tool(tmp_path / "out") == 0
    return tmp_path / "out" / "tree" / "vendors" / inputs.vendor_name


def files_of(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def load(path: Path) -> Any:
    return json.loads(path.read_text())


def test_layout(inputs: Inputs, tmp_path: Path) -> None:
    vendor = build(inputs, tmp_path)
    binaries = {f"{soc}/{op}/{p.name}" for soc in SOCS for op in inputs.ops for p in inputs.binaries(op, soc).iterdir()}
    assert len(binaries) == len(SOCS) * len(inputs.ops) * len(DTYPES) * 2
    expected = {f"{KERNEL}/{path}" for path in binaries}
    expected |= {f"{KERNEL}/config/{soc}/{name}.json" for soc in SOCS for name in (*inputs.ops, "binary_info_config")}
    for op, op_type in (("add_example", "AddExample"), ("other_op", "OtherOp")):
        directory = f"op_impl/ai_core/tbe/acme_impl/ascendc/{op}"
        expected |= {f"{directory}/{name}" for name in (f"{op}.py", "lib/helper.py", f"{op_type}TilingData_tiling.h")}
    assert files_of(vendor) == expected | {"manifest.json", "version.info", "scripts/uninstall.sh"}


def test_binaries_and_sources_are_copied_as_they_are(inputs: Inputs, tmp_path: Path) -> None:
    vendor = build(inputs, tmp_path)
    for soc in SOCS:
        for source in inputs.binaries("add_example", soc).iterdir():
            assert (vendor / KERNEL / soc / "add_example" / source.name).read_bytes() == source.read_bytes()
    source = vendor / "op_impl/ai_core/tbe/acme_impl/ascendc/add_example/add_example.py"
    assert source.read_text() == "# kernel add_example, first\n"


def test_every_path_in_a_config_exists(inputs: Inputs, tmp_path: Path) -> None:
    kernel = build(inputs, tmp_path) / KERNEL
    for soc in SOCS:
        listed = set()
        for op_type, entry in load(kernel / "config" / soc / "binary_info_config.json").items():
            assert entry["dynamicRankSupport"] is True
            paths = [binary["binPath"] for binary in entry["binaryList"]]
            assert paths == sorted(paths) and len(paths) == len(DTYPES), op_type
            for binary in entry["binaryList"]:
                assert binary["coreType"] == 2
                assert (kernel / binary["binPath"]).is_file()
                data = load(kernel / binary["jsonPath"])
                assert data["sha256"] == hashlib.sha256((kernel / binary["binPath"]).read_bytes()).hexdigest()
                listed.add(binary["jsonPath"])
        for op in inputs.ops:
            entries = load(kernel / "config" / soc / f"{op}.json")["binList"]
            named = {entry["binInfo"]["jsonFilePath"] for entry in entries}
            assert len(named) == len(DTYPES)
            assert named <= listed
            listed -= named
        assert listed == set()


def test_manifest_lists_every_file_and_variant(inputs: Inputs, tmp_path: Path) -> None:
    vendor = build(inputs, tmp_path)
    manifest = load(vendor / "manifest.json")
    assert load(tmp_path / "out" / "manifest.json") == manifest
    first = ["schema_version", "vendor_name", "version", "backend", "toolkit", "arch", "kernel_arch", "socs", "partial"]
    assert list(manifest)[: len(first)] == first
    assert (manifest["partial"], manifest["toolkit"]) == ([], {})
    assert manifest["socs"] == list(SOCS) and manifest["root"] == "vendors/acme"
    paths = [file["path"] for file in manifest["files"]]
    assert paths == sorted(paths)
    assert set(paths) == files_of(vendor) - {"manifest.json"}
    for file in manifest["files"]:
        path = vendor / file["path"]
        assert file["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert file["size"] == path.stat().st_size
        assert file["mode"] == f"{stat.S_IMODE(path.stat().st_mode):04o}"
    assert len(manifest["variants"]) == len(SOCS) * len(inputs.ops) * len(DTYPES) * len(KEYS)
    combos = {key: combo for combo, key in KEYS}
    for variant in manifest["variants"]:
        assert variant["combo"] == combos[variant["tiling_key"]]
        assert variant["binary"] in paths
        assert variant["options"] == [f"-DSOC={variant['soc']}"]
        assert variant["symbol"] == f"{Path(variant['binary']).stem}_{variant['tiling_key']}"
        assert variant["binary"].split("/")[4:6] == [variant["soc"], variant["op_file"]]
    order = [(v["op_file"], v["soc"], v["dtypes"]["io_t"], v["tiling_key"]) for v in manifest["variants"]]
    assert order == sorted(order)


def test_version_info(inputs: Inputs, tmp_path: Path) -> None:
    vendor = build(inputs, tmp_path)
    assert (vendor / "version.info").read_text().splitlines() == [
        "vendor=acme",
        "version=1.2.3",
        "backend=twin",
        f"arch={inputs.arch}",
        "socs=ascend910b,ascend950",
    ]


def test_operators_may_differ_in_their_socs(inputs: Inputs, tmp_path: Path) -> None:
    inputs.spec["ops"][1]["socs"].pop()
    inputs.write_spec()
    config = build(inputs, tmp_path) / KERNEL / "config"
    assert set(load(config / "ascend910b" / "binary_info_config.json")) == {"AddExample", "OtherOp"}
    assert set(load(config / "ascend950" / "binary_info_config.json")) == {"AddExample"}


def a_json(inputs: Inputs) -> Path:
    """The json of the first binary of add_example for ascend910b."""
    return min(inputs.binaries("add_example", "ascend910b").glob("*.json"))


def edit(path: Path, **changes: Any) -> None:
    """Change keys of a JSON file; None removes the key."""
    data = {**load(path), **changes}
    write_json(path, {key: value for key, value in data.items() if value is not None})


def support_info(**changes: Any) -> dict[str, Any]:
    return {
        "simplifiedKeyMode": 0,
        "simplifiedKey": ["AddExample/d=0,p=0/0,2/"],
        "inputs": [
            {
                "name": "x",
                "index": 0,
                "paramType": "required",
                "dtype_match_mode": "DtypeByte",
                "format_match_mode": "FormatAgnostic",
            }
        ],
        "outputs": [[{"name": "y", "index": 0, "paramType": "dynamic", "format_match_mode": "FormatDefault"}]],
        "attrs": [{"name": "alpha", "dtype": "float"}],
        **changes,
    }


def test_support_info_reaches_the_configs(inputs: Inputs, tmp_path: Path) -> None:
    first, second = sorted(inputs.binaries("add_example", "ascend910b").glob("*.json"))
    edit(first, supportInfo=support_info(), coreType="MIX", taskRation="tilingKey")
    edit(second, supportInfo=support_info(simplifiedKey=["AddExample/d=0,p=0/1,2/"]))
    config = build(inputs, tmp_path) / KERNEL / "config" / "ascend910b"
    entry = load(config / "binary_info_config.json")["AddExample"]
    assert entry["simplifiedKeyMode"] == 0
    assert entry["params"] == {
        "inputs": [
            {"name": "x", "index": 0, "paramType": "required", "dtypeMode": "bit", "formatMode": "static_nd_agnostic"}
        ],
        "outputs": [[{"name": "y", "index": 0, "paramType": "dynamic", "formatMode": "nd_agnostic"}]],
        "attrs": [{"name": "alpha"}],
    }
    assert entry["binaryList"][0]["multiKernelType"] == 1
    assert entry["binaryList"][0]["coreType"] == 0
    assert entry["binaryList"][0]["simplifiedKey"] == ["AddExample/d=0,p=0/0,2/"]
    assert "multiKernelType" not in entry["binaryList"][1]
    listed = load(config / "add_example.json")["binList"][0]
    assert listed["simplifiedKeyMode"] == 0
    assert listed["binInfo"] == {"jsonFilePath": f"ascend910b/add_example/{first.name}"}


def test_columns_of_equal_dtypes_may_differ_in_formats(inputs: Inputs, tmp_path: Path) -> None:
    """The twin generates code for dtypes alone, and links a binary for each column of the OpDef."""
    directory = inputs.binaries("add_example", "ascend910b")
    again = write_binary(directory, "AddExample", "add_example", "again", "NCHW")
    keys = {}
    for number, path in enumerate(sorted(directory.glob("*.json"))):
        keys[path.name] = [f"AddExample/d=0,p=0/{number},2/"]
        inputs_of = [{**support_info()["inputs"][0], "format": path.name}]
        edit(path, supportInfo=support_info(inputs=inputs_of, simplifiedKey=keys[path.name]))
    edit(again, dtypes={"io_t": "float16"})
    config = build(inputs, tmp_path) / KERNEL / "config/ascend910b/binary_info_config.json"
    listed = load(config)["AddExample"]["binaryList"]
    assert {Path(binary["jsonPath"]).name: binary["simplifiedKey"] for binary in listed} == keys


def swap_binary(inputs: Inputs) -> None:
    a_json(inputs).with_suffix(".so").write_text("of another build")


def lose_binary(inputs: Inputs) -> None:
    a_json(inputs).with_suffix(".so").unlink()


def lose_column(inputs: Inputs) -> None:
    lose_binary(inputs)
    a_json(inputs).unlink()


def add_stranger(inputs: Inputs) -> None:
    write_text(inputs.binaries("add_example", "ascend910b") / "left_over.o", "x")


def repeat_column(inputs: Inputs) -> None:
    edit(
        write_binary(inputs.binaries("add_example", "ascend910b"), "AddExample", "add_example", "again", "x"),
        dtypes={"io_t": "float16"},
    )


def change_key(inputs: Inputs, **changes: Any) -> None:
    data = load(a_json(inputs))
    data["kernelList"][0].update(changes)
    write_json(a_json(inputs), data)


def disagree(inputs: Inputs, **changes: Any) -> None:
    first, second = sorted(inputs.binaries("add_example", "ascend910b").glob("*.json"))
    edit(first, supportInfo=support_info())
    edit(second, supportInfo=support_info(**changes))


def clash(inputs: Inputs) -> None:
    write_text(inputs.root / "add_example_headers" / "add_example.py", "x")


REFUSALS: dict[str, tuple[Callable[[Inputs], None], list[str]]] = {
    "swapped binary": (swap_binary, [".so has sha256", "different builds", "rebuild the kernel"]),
    "lost binary": (lose_binary, ["the binary AddExample_", "is not there"]),
    "lost column": (lose_column, ["no binary for dtypes io_t=float"]),
    "stranger": (add_stranger, ["left_over.o belongs to no binary's json"]),
    "column twice": (repeat_column, ["are both for dtypes io_t=float16"]),
    "other backend": (lambda i: edit(a_json(i), backend="cann"), ["of the backend cann, the package of twin"]),
    "renamed": (lambda i: edit(a_json(i), binFileName="x"), ["binFileName is 'x'"]),
    "no dtypes": (lambda i: edit(a_json(i), dtypes=None), ["incomplete", "dtypes"]),
    "core type": (lambda i: edit(a_json(i), coreType="GPU"), ["coreType is 'GPU'", "VectorCore"]),
    "unknown key": (lambda i: change_key(i, tilingKey=3), ["has the TilingKeys [1, 2, 3]", "variants.json [0, 1, 2]"]),
    "wrong combo": (lambda i: change_key(i, combo={"tail": 1, "tile": 128}), ["TilingKey 0 is", "kernel.json says"]),
    "other kernel": (
        lambda i: edit(i.root / "add_example_kernel.json", kernel_name="x"),
        ["kernel_name 'x'", "expects 'add_example'"],
    ),
    "old kernel.json": (
        lambda i: edit(i.root / "add_example_kernel.json", schema_version=99),
        ["schema_version is 99"],
    ),
    "broken json": (lambda i: a_json(i).write_text("{"), ["cannot read AddExample_"]),
    "key modes": (lambda i: disagree(i, simplifiedKeyMode=1), ["disagree in simplifiedKeyMode", "has 0", "has 1"]),
    "params": (lambda i: disagree(i, attrs=[], simplifiedKey=[]), ["disagree in params", "'alpha'"]),
    "simplified key": (lambda i: disagree(i), ["both answer to simplified key AddExample/d=0"]),
    "support info in one": (
        lambda i: edit(a_json(i), supportInfo=support_info()),
        ["disagree in simplifiedKeyMode", "has None"],
    ),
    "source and header": (clash, ["both want to be", "ascendc/add_example/add_example.py", "rename one"]),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str, inputs: Inputs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, texts = REFUSALS[name]
    change(inputs)
    assert inputs.run_tool(tmp_path / "out") == 1
    error = capsys.readouterr().err
    assert error.startswith("package: error: ")
    assert "add_example" in error
    for text in texts:
        assert text in error
    assert not (tmp_path / "out" / "tree").exists()
