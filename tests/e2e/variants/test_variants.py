"""Variants on demand: the flags narrow what is built, nothing else changes, and the table shows what there is."""

import csv
import io
import json
import subprocess

import pytest

from tests.e2e.workspace import Workspace

SETTINGS = "--@pypto_rules//pypto_rules/settings:"
PACKAGE = "//ops/leaky_scale:pkg"
ONE_KEY = f"{SETTINGS}tiling_keys=tail=1,tile=64"
ONE_DTYPE = f"{SETTINGS}dtypes=float16"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("variants"))
    yield made
    made.close()


def table(workspace, *args):
    """What `bazel run` of the table prints on standard output: all behind Bazel's own lines."""
    result = workspace.bazel("run", "--ui_event_filters=-info,-stdout,-stderr", "--noshow_progress", *args)
    assert result.code == 0, result.text
    return result


def test_narrowed_builds_widen_without_building_anything_twice(workspace):
    one = workspace.build(PACKAGE, ONE_KEY, ONE_DTYPE)
    assert one.counts["CppCompile"] == 1
    manifest = json.loads(workspace.output("pkg.manifest.json"))
    assert [(v["combo"], v["dtypes"]) for v in manifest["variants"]] == [({"tail": 1, "tile": 64}, {"io_t": "float16"})]
    chosen = {"tiling_keys": ["tail=1,tile=64"], "dtypes": ["float16"]}
    assert manifest["partial"] == [{"op_file": "leaky_scale", "soc": "ascend910b", "built": 1, "of": 10, **chosen}]

    more = workspace.build(PACKAGE, f"{SETTINGS}tiling_keys=tile=64", ONE_DTYPE)
    assert (more.counts["PyptoContract"], more.counts["PyptoHeaders"]) == (0, 0)
    assert more.counts["CppCompile"] == 1  # of the two variants, the one that is new

    whole = workspace.build(PACKAGE)
    assert (whole.counts["PyptoContract"], whole.counts["PyptoHeaders"]) == (0, 0)
    manifest = json.loads(workspace.output("pkg.manifest.json"))
    assert (len(manifest["variants"]), manifest["partial"]) == (10, [])


def test_a_partial_package_says_so_when_it_is_installed(workspace, tmp_path):
    workspace.build(PACKAGE, ONE_KEY)
    run = workspace.path / "bazel-bin/ops/leaky_scale/cann-ops-acme_linux-x86_64.run"
    for arguments in (["--help"], [f"--install-path={tmp_path / 'opp'}"]):
        done = subprocess.run(["bash", run, *arguments], capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        assert done.returncode == 0, said
        assert "partial package, leaky_scale for ascend910b: 2 of 10 variants (tiling_keys tail=1,tile=64)" in said


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("tiling_keys=tails=1", "'tails' is no TilingKey field of leaky_scale (did you mean 'tail'?)"),
        ("tiling_keys=tail=1,tile=256", "no TilingKey of leaky_scale is like this; found 'tail=1,tile=256'"),
        ("tiling_keys=5", "no TilingKey of leaky_scale is like this; found '5'; allowed 0: tail=0,tile=64"),
        ("dtypes=int8", "no dtype column of leaky_scale is like this; found 'int8'; allowed io_t=float16; io_t=float"),
    ],
)
def test_selections_that_fit_nothing(workspace, flag, words):
    result = workspace.bazel("build", "//ops/leaky_scale", SETTINGS + flag)
    assert result.code != 0
    assert words in result.text
    assert "Traceback" not in result.text
    assert result.ran("CppCompile") == []


def test_a_selection_for_another_operator_changes_nothing(workspace):
    workspace.build(PACKAGE)
    assert workspace.build(PACKAGE, f"{SETTINGS}tiling_keys=other:nothing=1").counts["CppCompile"] == 0


def test_table(workspace):
    text = table(workspace, "//ops/leaky_scale:leaky_scale.variants").text
    assert "//ops/leaky_scale:leaky_scale: leaky_scale for ascend910b, backend twin\n" in text
    rows = [line.split() for line in text.splitlines() if line.startswith("float")]
    assert [row[:5] for row in rows][:2] == [["float16", "0", "64", "0", "0x0"], ["float16", "1", "64", "1", "0x1"]]
    assert len(rows) == 10 and "10 variants with 10 different texts" in text


def test_table_compiles_nothing_and_speaks_json_and_csv(workspace):
    target = "//ops/leaky_scale:leaky_scale.variants"
    result = table(workspace, ONE_KEY, "--config=ascend950", target, "--", "--format=json")
    assert result.counts["CppCompile"] == 0
    data = json.loads(result.text[result.text.index("{\n") :])
    assert (data["soc"], data["narrowed"]["of"], len(data["variants"])) == ("ascend950", 10, 2)
    assert data["variants"][0]["fields"] == {"tail": 1, "tile": 64}
    text = table(workspace, ONE_KEY, "--config=ascend950", target, "--", "--format=csv").text
    rows = list(csv.DictReader(io.StringIO(text[text.index("io_t,") :])))
    assert [row["sha256"] for row in rows] == [variant["sha256"] for variant in data["variants"]]
