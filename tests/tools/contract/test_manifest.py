"""kernel.json: what is written is read back, and what is not a kernel.json is refused with a reason."""

from __future__ import annotations

import json

import pytest

from pypto_rules.tools.contract import manifest
from tests.tools.contract.support import check_text, kernel_text


@pytest.fixture
def kernel(tmp_path):
    text = kernel_text(
        params="t: pl.Tensor[[2, 3], pl.DT_INT8], x: pl.Ptr[pl.DT_FP16], workspace: pl.Ptr[pl.DT_UINT8], "
        "tiling: OpTiling",
        jit='\n@pl.jit(tiling_key=OpKey, arch="a3", datatype={"x": "t_x"})\n',
    )
    return check_text(tmp_path, text).kernel


def test_round_trip(kernel, tmp_path):
    manifest.write(kernel, tmp_path / "kernel.json")
    assert manifest.read(tmp_path / "kernel.json") == kernel


def test_views(kernel):
    assert [param.name for param in kernel.business_params] == ["t", "x"]
    assert kernel.workspace.name == "workspace"
    assert kernel.tiling_key.as_dict((1,)) == {"mode": 1}
    assert kernel.tiling.fields[0].element_ctype == "int64_t"
    assert (kernel.arch, kernel.datatype) == ("a3", {"x": "t_x"})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "cannot read"),
        ("[]", "schema_version"),
        ('{"schema_version": 2}', "this tool reads 1"),
        ('{"schema_version": 1}', "not a complete kernel manifest"),
        ('{"schema_version": 1, "kernel_name": "a", "op_file": "a", "tiling_key": {"fields": []}}', "not a complete"),
    ],
)
def test_not_a_manifest(text, reason, tmp_path):
    (tmp_path / "kernel.json").write_text(text)
    with pytest.raises(manifest.ManifestError, match=reason):
        manifest.read(tmp_path / "kernel.json")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(manifest.ManifestError, match=r"kernel\.json"):
        manifest.read(tmp_path / "kernel.json")


def test_unknown_field_of_a_later_version_is_refused(kernel):
    data = json.loads(manifest.dumps(manifest.to_json(kernel)))
    data["tiling"]["fields"][0]["new"] = 1
    with pytest.raises(manifest.ManifestError, match="not a complete"):
        manifest.from_json(data)
