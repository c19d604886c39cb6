"""The bill of materials: every file of the manifest, the same bytes for the same manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pypto_rules.tools.sbom import __main__ as sbom

MANIFEST = {
    "vendor_name": "acme",
    "version": "1.2.3",
    "backend": "twin",
    "toolkit": {},
    "arch": "x86_64",
    "socs": ["ascend910b", "ascend950"],
    "files": [{"path": f"kernel/{name}", "sha256": name * 64} for name in "ab"],
}


def written(directory: Path, manifest: dict[str, Any], name: str = "one") -> str:
    source, out = directory / f"{name}.json", directory / f"{name}.cdx.json"
    source.write_text(json.dumps(manifest))
    assert sbom.main(["--manifest", str(source), "--out", str(out)]) == 0
    return out.read_text()


def test_every_file_with_its_digest(tmp_path: Path) -> None:
    document = json.loads(written(tmp_path, MANIFEST))
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    package = document["metadata"]["component"]
    assert (package["name"], package["version"], package["type"]) == ("acme", "1.2.3", "application")
    assert {p["name"]: p["value"] for p in package["properties"]} == {
        "pypto:arch": "x86_64", "pypto:backend": "twin", "pypto:socs": "ascend910b,ascend950",
    }  # fmt: skip
    assert {c["name"]: (c["type"], c["hashes"]) for c in document["components"]} == {
        f"kernel/{name}": ("file", [{"alg": "SHA-256", "content": name * 64}]) for name in "ab"
    }
    (depends,) = [item["dependsOn"] for item in document["dependencies"] if item["ref"] == "package"]
    assert depends == ["kernel/a", "kernel/b"]


def test_what_an_npu_binary_is_made_with(tmp_path: Path) -> None:
    toolkit = {"cann": "9.2.0", "pypto_pro": "0.2.0"}
    document = json.loads(written(tmp_path, MANIFEST | {"backend": "cann", "toolkit": toolkit}))
    found = {c["name"]: (c["type"], c["version"]) for c in document["components"] if c["type"] != "file"}
    assert found == {"cann": ("framework", "9.2.0"), "pypto_pro": ("framework", "0.2.0")}
    (depends,) = [item["dependsOn"] for item in document["dependencies"] if item["ref"] == "package"]
    assert depends == ["kernel/a", "kernel/b", "toolkit:cann", "toolkit:pypto_pro"]


def test_the_same_manifest_gives_the_same_bytes(tmp_path: Path) -> None:
    text = written(tmp_path, MANIFEST)
    assert written(tmp_path, dict(reversed(MANIFEST.items())), "two") == text
    other = written(tmp_path, MANIFEST | {"version": "1.2.4"}, "three")
    assert json.loads(other)["serialNumber"] != json.loads(text)["serialNumber"]


@pytest.mark.parametrize("text", ["", "{}", "[]"])
def test_a_file_that_is_no_manifest(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text(text)
    assert sbom.main(["--manifest", str(tmp_path / "x.json"), "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith("sbom: error: x.json is no manifest of a package: ")
