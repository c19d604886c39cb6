"""Packages of the CANN backend: where binaries lie, and the config jsons by which CANN's run time finds them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tools.package.cann_packages import CannInputs
from tests.tools.package.packages import KEYS, write_json
from toolchains.cann.binary.kernel_types import KernelType

KERNEL = "op_impl/ai_core/tbe/kernel"


@pytest.fixture
def inputs(tmp_path: Path) -> CannInputs:
    return CannInputs(tmp_path / "in").write()


def build(inputs: CannInputs, tmp_path: Path) -> Path:
    assert inputs.run_tool(tmp_path / "out") == 0
    return tmp_path / "out/tree/vendors/acme"


def load(path: Path) -> Any:
    return json.loads(path.read_text())


def test_binaries_lie_where_cann_looks_for_them(inputs: CannInputs, tmp_path: Path) -> None:
    """Section 7: kernel/<soc>/<op_file>/<kernel>.{o,json}; byte by byte what the link wrote, our member included."""
    kernel = build(inputs, tmp_path) / KERNEL
    for op in inputs.ops:
        for name in inputs.names(op):
            for suffix in ("o", "json"):
                shipped = kernel / f"ascend950/{op}/{name}.{suffix}"
                assert shipped.read_bytes() == (inputs.binaries(op, "ascend950") / shipped.name).read_bytes()
    assert "pypto" in load(shipped)
    assert len(list(kernel.rglob("*.o"))) == 6


def tensor(name: str, index: int, param_type: str = "required") -> dict[str, Any]:
    """Section 4.11: a parameter has no dtype here; FormatAgnostic is static_nd_agnostic."""
    return {"name": name, "index": index, "paramType": param_type, "formatMode": "static_nd_agnostic"}


# Numbers of CANN's types.h: float 0, float16 1; NCHW 0, ND 2 (section 4.10, simplifiedKey).
TENSORS = ("1,2/1,2/1,2", "0,2/0,2/0,2", "1,0/1,0/1,0")


def golden(op_type: str, op_file: str, names: list[str], members: dict[str, int]) -> dict[str, Any]:
    """Section 4.11: an operator in binary_info_config.json; `members` are those that say what cores it is for."""
    binaries = [
        {
            "coreType": members["coreType"],
            # Section 4.10: d both 0 and 1 when deterministic is "ignore", p 1 of high_performance and 0 of optional.
            "simplifiedKey": [f"{op_type}/d={d},p={p}/{tensors}" for d in (0, 1) for p in (1, 0)],
            **{key: value for key, value in members.items() if key == "multiKernelType"},
            "binPath": f"ascend950/{op_file}/{name}.o",
            "jsonPath": f"ascend950/{op_file}/{name}.json",
        }
        for name, tensors in zip(names, TENSORS, strict=True)
    ]
    return {
        "dynamicRankSupport": True,
        "simplifiedKeyMode": 0,
        "optionalInputMode": "gen_placeholder",
        "params": {
            "inputs": [tensor("x", 0), tensor("bias", 1, "optional")],
            "outputs": [tensor("y", 0)],
            "attrs": [{"name": "alpha"}],
        },
        "binaryList": sorted(binaries, key=lambda binary: binary["binPath"]),
    }


def test_binary_info_config(inputs: CannInputs, tmp_path: Path) -> None:
    """Section 4.11: sorted by operator type; coreType VectorCore 2, MIX 0, and multiKernelType with MIX alone."""
    config = load(build(inputs, tmp_path) / KERNEL / "config/ascend950/binary_info_config.json")
    assert list(config) == ["AddExample", "MatmulExample"]
    add, matmul = (inputs.names(op) for op in inputs.ops)
    assert config["AddExample"] == golden("AddExample", "add_example", add, {"coreType": 2})
    mixed = {"coreType": 0, "multiKernelType": 1}
    assert config["MatmulExample"] == golden("MatmulExample", "matmul_example", matmul, mixed)


def test_a_cube_kernel_is_of_ai_core(tmp_path: Path) -> None:
    """Section 4.11: AiCore 1."""
    inputs = CannInputs(tmp_path / "in", ops=("cube",), kernel_types={"cube": KernelType.AIC_ONLY}).write()
    config = load(build(inputs, tmp_path) / KERNEL / "config/ascend950/binary_info_config.json")
    assert config["Cube"] == golden("Cube", "cube", inputs.names("cube"), {"coreType": 1})


def test_config_of_an_operator(inputs: CannInputs, tmp_path: Path) -> None:
    """Section 4.11: binList has supportInfo of each binary, and where its json is."""
    kernel = build(inputs, tmp_path) / KERNEL
    listed = load(kernel / "config/ascend950/matmul_example.json")
    names = sorted(inputs.names("matmul_example"))
    assert list(listed) == ["binList"] and len(listed["binList"]) == 3
    for entry, name in zip(listed["binList"], names, strict=True):
        path = f"ascend950/matmul_example/{name}.json"
        assert entry == {**load(kernel / path)["supportInfo"], "binInfo": {"jsonFilePath": path}}


def test_what_the_package_is_made_with(inputs: CannInputs, tmp_path: Path) -> None:
    """Section 7: version.info begins with the version of CANN's compiler. NPU code does not depend on the machine."""
    vendor = build(inputs, tmp_path)
    assert (vendor / "version.info").read_text().splitlines() == [
        "custom_opp_compiler_version=9.2.0",
        "vendor=acme",
        "version=1.2.3",
        "backend=cann",
        f"arch={inputs.arch}",
        "socs=ascend950",
    ]
    manifest = load(vendor / "manifest.json")
    assert manifest["backend"] == "cann"
    assert list(manifest["toolkit"].items()) == [("cann", "9.2.0"), ("pypto_pro", "0.2.0")]
    assert (manifest["arch"], manifest["kernel_arch"]) == (inputs.arch, "any")


def test_kernel_sources_are_in_the_package(inputs: CannInputs, tmp_path: Path) -> None:
    """Section 7: V_impl/ascendc/<op_name> has the .py and the generated headers."""
    sources = build(inputs, tmp_path) / "op_impl/ai_core/tbe/acme_impl/ascendc/add_example"
    names = {str(path.relative_to(sources)) for path in sources.rglob("*") if path.is_file()}
    assert names == {"add_example.py", "lib/helper.py", "AddExampleTilingData_tiling.h"}


def test_variants_of_the_manifest(inputs: CannInputs, tmp_path: Path) -> None:
    """A TilingKey is one variant, on however many cores; columns of equal dtypes have theirs each."""
    variants = load(build(inputs, tmp_path) / "manifest.json")["variants"]
    mixed = [variant for variant in variants if variant["op_file"] == "matmul_example"]
    assert len(mixed) == 3 * len(KEYS)
    assert len({variant["symbol"] for variant in mixed}) == len(mixed)
    for variant in mixed:
        assert variant["symbol"] == f"{Path(variant['binary']).stem}_{variant['tiling_key']}"
    float16 = {variant["binary"] for variant in mixed if variant["dtypes"] == {"io_t": "float16"}}
    assert len(float16) == 2
    order = [(v["op_file"], v["dtypes"]["io_t"], v["tiling_key"], v["binary"]) for v in variants]
    assert order == sorted(order)


def json_of(inputs: CannInputs, column: int) -> Path:
    return inputs.binaries("add_example", "ascend950") / f"{inputs.names('add_example')[column]}.json"


def edit(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    data = load(path)
    change(data)
    write_json(path, data)


def lose_column(inputs: CannInputs) -> None:
    json_of(inputs, 2).with_suffix(".o").unlink()
    json_of(inputs, 2).unlink()


def without_op_def(inputs: CannInputs) -> None:
    """Columns differ in formats by an OpDef alone: without one there are two."""
    lose_column(inputs)
    for column in (0, 1):
        edit(json_of(inputs, column), lambda data: data.pop("supportInfo"))
    table = load(inputs.variants("add_example", "ascend950"))
    table["columns"].pop()
    table["variants"] = [variant for variant in table["variants"] if variant["column"] < 2]
    write_json(inputs.variants("add_example", "ascend950"), table)


def same_support(inputs: CannInputs) -> None:
    support = load(json_of(inputs, 0))["supportInfo"]
    edit(json_of(inputs, 2), lambda data: data.update(supportInfo=support))


def change_support(inputs: CannInputs, **changes: Any) -> None:
    edit(json_of(inputs, 0), lambda data: data["supportInfo"].update(changes))


REFUSALS: dict[str, tuple[Callable[[CannInputs], None], list[str]]] = {
    "no OpDef": (
        without_op_def,
        [".json has no supportInfo.simplifiedKey", "add op_host/add_example_def.cpp", "set op_def of the pypto_kernel"],
    ),
    "no simplified key": (lambda i: change_support(i, simplifiedKey=[]), ["has no supportInfo.simplifiedKey"]),
    "key modes": (lambda i: change_support(i, simplifiedKeyMode=1), ["disagree in simplifiedKeyMode"]),
    "optional modes": (lambda i: change_support(i, optionalInputMode="x"), ["disagree in optionalInputMode"]),
    "params": (lambda i: change_support(i, attrs=[]), ["disagree in params", "'alpha'"]),
    "lost column of equal dtypes": (lose_column, ["no binary for dtypes io_t=float16 (AddExample_"]),
    "one column twice": (same_support, ["are both for dtypes io_t=float16"]),
    "twin": (
        lambda i: edit(json_of(i, 0), lambda data: data["pypto"].update(backend="twin")),
        ["the binary is of the backend twin, the package of cann", "settings:kernel_backend=cann"],
    ),
    "keys": (
        lambda i: edit(json_of(i, 0), lambda data: data["pypto"]["kernelList"].pop()),
        ["has the TilingKeys [0, 1], variants.json [0, 1, 2]"],
    ),
    "core type": (lambda i: edit(json_of(i, 0), lambda data: data.update(coreType="X")), ["coreType is 'X'"]),
    "swapped": (lambda i: json_of(i, 0).with_suffix(".o").write_bytes(b"x"), ["are of different builds"]),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str, inputs: CannInputs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Section 4.11: upstream drops such operators with a warning."""
    change, texts = REFUSALS[name]
    change(inputs)
    assert inputs.run_tool(tmp_path / "out") == 1
    error = capsys.readouterr().err
    assert error.startswith("package: error: operator add_example for ascend950: ")
    for text in texts:
        assert text in error
    assert not (tmp_path / "out/tree").exists()


def test_the_order_of_files_decides_nothing(tmp_path: Path) -> None:
    one, two = (CannInputs(tmp_path / place) for place in ("one", "two"))
    two.ops = tuple(reversed(two.ops))
    outs = []
    for inputs in (one, two):
        inputs.write()
        assert inputs.run_tool(inputs.root / "out", tree=False, run=True) == 0
        outs.append([(inputs.root / "out" / name).read_bytes() for name in ("manifest.json", "package.run")])
    assert outs[0] == outs[1]
