"""The host side in a package: where libraries and headers lie, what the framework reads, and the link it follows."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.tools.package.machine import Machine
from tests.tools.package.packages import Inputs, write_json

MACHINE = os.uname().machine
TBE = "op_impl/ai_core/tbe"
LIBRARIES = {
    "op_api": "op_api/lib/libcust_opapi.so",
    "op_master": f"{TBE}/op_tiling/lib/linux/{MACHINE}/libcust_opmaster_rt2.0.so",
    "ops_proto": f"op_proto/lib/linux/{MACHINE}/libcust_opsproto_rt2.0.so",
}
LINK = f"{TBE}/op_tiling/liboptiling.so"


def op_json(op_type: str) -> dict:
    return {
        "op_type": op_type,
        "inputs": [{"name": "x", "dtypes": ["float16", "float"]}],
        "outputs": [{"name": "y", "dtypes": ["float16", "float"]}],
        "socs": {"ascend910b": {}, "ascend950": {}},
    }


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    """add_example with a host side, other_op without."""
    made = Inputs(tmp_path / "in").write()
    for role in LIBRARIES:
        (made.root / f"{role}.so").write_text(f"library {role}")
    for name in ("add_example.aclnn/aclnn_add_example.h", "graph/add_example_graph.h"):
        (made.root / name).parent.mkdir()
        (made.root / name).write_text(f"// {name}\n")
    write_json(made.root / "add_example.op.json", op_json("AddExample"))
    made.spec["host"] = {
        "libraries": {role: f"{role}.so" for role in LIBRARIES},
        "aclnn_headers": ["add_example.aclnn"],
        "proto_headers": ["graph/add_example_graph.h"],
    }
    made.spec["ops"][0]["op_def"] = "add_example.op.json"
    made.write_spec()
    return made


def built(inputs: Inputs, out: Path) -> Path:
    """The vendor directory of the package."""
    assert inputs.run_tool(out) == 0
    return out / "tree/vendors/acme"


def test_every_file_is_in_its_place(inputs: Inputs, tmp_path: Path) -> None:
    vendor = built(inputs, tmp_path / "out")
    for role, path in LIBRARIES.items():
        assert (vendor / path).read_text() == f"library {role}"
    assert [path.name for path in (vendor / "op_api/include").iterdir()] == ["aclnn_add_example.h"]
    assert sorted(path.name for path in (vendor / "op_proto/inc").iterdir()) == [
        "add_example_graph.h", "add_example_proto.h",
    ]  # fmt: skip
    assert "REG_OP(AddExample)" in (vendor / "op_proto/inc/add_example_proto.h").read_text()


def test_a_prototype_of_the_project_is_not_replaced(inputs: Inputs, tmp_path: Path) -> None:
    (inputs.root / "graph/add_example_proto.h").write_text("// by hand\n")
    inputs.spec["host"]["proto_headers"] = ["graph/add_example_proto.h"]
    inputs.write_spec()
    vendor = built(inputs, tmp_path / "out")
    assert (vendor / "op_proto/inc/add_example_proto.h").read_text() == "// by hand\n"


def test_the_framework_reads_the_operators_that_have_an_op_def(inputs: Inputs, tmp_path: Path) -> None:
    vendor = built(inputs, tmp_path / "out")
    for soc in ("ascend910b", "ascend950"):
        info = json.loads((vendor / f"{TBE}/config/{soc}/aic-{soc}-ops-info.json").read_text())
        assert list(info) == ["AddExample"]
        assert info["AddExample"]["input0"]["dtype"] == "float16,float32"


def test_the_link_leads_to_the_library(inputs: Inputs, tmp_path: Path) -> None:
    vendor = built(inputs, tmp_path / "out")
    assert os.readlink(vendor / LINK) == f"lib/linux/{MACHINE}/libcust_opmaster_rt2.0.so"
    assert (vendor / LINK).read_text() == "library op_master"
    manifest = json.loads((vendor / "manifest.json").read_text())
    assert manifest["links"] == [{"path": LINK, "target": f"lib/linux/{MACHINE}/libcust_opmaster_rt2.0.so"}]
    assert LINK not in {item["path"] for item in manifest["files"]}
    assert set(LIBRARIES.values()) < {item["path"] for item in manifest["files"]}


def test_installed_and_uninstalled(inputs: Inputs, tmp_path: Path) -> None:
    assert inputs.run_tool(tmp_path / "out", run=True, tree=False) == 0
    machine, opp = Machine(tmp_path / "machine"), tmp_path / "a place"
    opp.mkdir()
    done = machine.run(tmp_path / "out/package.run", f"--install-path={opp}", "--quiet")
    assert done.returncode == 0, done
    vendor = opp / "vendors/acme"
    assert (vendor / LINK).is_symlink() and (vendor / LINK).read_text() == "library op_master"
    again = machine.run(tmp_path / "out/package.run", f"--install-path={opp}", "--quiet")
    assert again.returncode == 0, again
    assert (vendor / LINK).is_symlink()
    assert machine.run(vendor / "scripts/uninstall.sh").returncode == 0
    assert not vendor.exists()


def test_an_old_version_without_a_host_side_is_replaced(inputs: Inputs, tmp_path: Path) -> None:
    plain = Inputs(tmp_path / "plain").write()
    assert plain.run_tool(tmp_path / "old", run=True, tree=False) == 0
    assert inputs.run_tool(tmp_path / "new", run=True, tree=False) == 0
    machine, opp = Machine(tmp_path / "machine"), tmp_path / "opp"
    opp.mkdir()
    for version in ("new", "old"):
        done = machine.run(tmp_path / version / "package.run", f"--install-path={opp}", "--quiet")
        assert done.returncode == 0, done
    assert not os.path.lexists(opp / "vendors/acme" / LINK)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda spec: spec["host"]["libraries"].update(other="x.so"), "host: libraries has 'other'; known are op_api"),
        (lambda spec: spec["host"]["libraries"].update(op_api="gone.so"), "gone.so"),
        (lambda spec: spec["host"].update(aclnn_headers=["gone.h"]), "gone.h"),
        (lambda spec: spec["ops"][0].update(op_def="gone.json"), "operator add_example: cannot read the OpDef"),
        (lambda spec: spec["ops"][0].update(op_def="add_example_kernel.json"), "operator add_example: the OpDef"),
        (
            lambda spec: spec["host"].update(aclnn_headers=["add_example.aclnn", "twice/aclnn_add_example.h"]),
            "aclnn_add_example.h",
        ),
    ],
)
def test_what_cannot_be_packaged(spoil, said, inputs: Inputs, tmp_path: Path, capsys) -> None:
    (inputs.root / "twice").mkdir()
    (inputs.root / "twice/aclnn_add_example.h").write_text("// another\n")
    spoil(inputs.spec)
    inputs.write_spec()
    assert inputs.run_tool(tmp_path / "out", run=True) == 1
    error = capsys.readouterr().err
    assert error.startswith("package: error: ") and said in error and "Traceback" not in error, error
    assert not (tmp_path / "out/package.run").exists()


def test_an_operator_that_is_not_registered_for_a_soc_of_the_package(inputs: Inputs, tmp_path: Path, capsys) -> None:
    write_json(inputs.root / "add_example.op.json", op_json("AddExample") | {"socs": {"ascend950": {}}})
    assert inputs.run_tool(tmp_path / "out") == 1
    assert "AddExample is not registered for ascend910b" in capsys.readouterr().err
