"""What an edit costs: exactly the variants whose text it changes, and nothing that a cache already has."""

import json

import pytest

from tests.e2e.workspace import Workspace

VARIANTS = 10  # 5 TilingKeys × 2 dtype columns
PACKAGE = ("//ops/leaky_scale:pkg", "--output_groups=+manifest")


@pytest.fixture(scope="module")
def disk_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("disk_cache")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, disk_cache):
    made = Workspace(tmp_path_factory.mktemp("first_checkout"), disk_cache)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def built(workspace):
    """Every test starts from a full build of the unedited kernel."""
    original = workspace.kernel.read_text()
    first = workspace.build()
    yield first
    workspace.kernel.write_text(original)


def package_name(workspace):
    return next(path.name for path in (workspace.path / "bazel-bin/ops/leaky_scale").glob("cann-ops-acme_linux-*.run"))


def test_first_build_compiles_every_variant_once(built):
    assert built.counts["CppCompile"] == VARIANTS
    assert built.counts["PyptoContract"] == 1
    assert built.counts["PyptoCodegen"] == 1
    assert built.counts["PyptoLink"] == 1


def test_nothing_to_do(workspace):
    assert workspace.build().spawns == []


def test_edit_of_one_branch_compiles_its_keys_alone(workspace):
    workspace.edit(workspace.kernel, "tiling.total - start)", "tiling.total - start + 0 * start)")
    result = workspace.build()
    sources = sorted(output.rpartition("/")[2] for spawn in result.ran("CppCompile") for output in spawn.outputs)
    # tail == 1 is legal with the tiles 64 and 128, in two dtype columns.
    assert len(result.ran("CppCompile")) == 4, sources
    assert {name.split("-")[2] for name in sources} == {"tail1_tile64", "tail1_tile128"}


def test_another_candidate_compiles_its_variants_alone(workspace):
    # The packed keys of all other tiles change; their texts do not.
    workspace.edit(workspace.kernel, "values=[64, 128, 256]", "values=[32, 64, 128, 256]")
    result = workspace.build()
    assert len(result.ran("CppCompile")) == 4, "tile 32, tail 0 and 1, in two dtype columns"
    assert result.counts["PyptoLink"] == 1


def test_edit_of_a_comment_compiles_nothing(workspace):
    workspace.edit(workspace.kernel, "@pl.jit", "# A comment.\n\n\n@pl.jit")
    result = workspace.build()
    assert result.ran("PyptoCodegen"), "the kernel was not read again"
    assert result.ran("CppCompile") == []
    assert result.ran("PyptoLink") == []
    assert result.ran("PyptoHeaders") == []


def test_edit_of_tiling_data_compiles_every_variant(workspace):
    workspace.edit(workspace.kernel, "    alpha: float\n", "    alpha: float\n    spare: int\n")
    assert workspace.build().counts["CppCompile"] == VARIANTS


def test_another_soc_and_back(workspace):
    there = workspace.build("//ops/leaky_scale:pkg", "--config=ascend950")
    assert there.counts["CppCompile"] == VARIANTS
    back = workspace.build()
    assert back.counts["CppCompile"] == 0


def test_how_a_soc_is_chosen_does_not_matter(workspace):
    assert workspace.build("//ops/leaky_scale:pkg", "--config=ascend910b").counts["CppCompile"] == 0
    assert workspace.build("//ops/leaky_scale").counts["CppCompile"] == 0
    both = workspace.build("//ops/leaky_scale:pkg", "--config=ascend910_93", "--config=ascend910b")
    assert both.counts["CppCompile"] == VARIANTS
    manifest = workspace.build("//ops/leaky_scale:pkg", "--config=ascend910_93", "--config=ascend910b", PACKAGE[1])
    assert manifest.counts["CppCompile"] == 0
    assert json.loads(workspace.output("pkg.manifest.json"))["socs"] == ["ascend910_93", "ascend910b"]


def test_second_checkout_takes_all_from_the_cache_and_gives_the_same_bytes(workspace, disk_cache, tmp_path):
    workspace.build()
    name = package_name(workspace)
    second = Workspace(tmp_path / "another_place", disk_cache)
    try:
        result = second.build()
        assert result.counts["CppCompile"] == 0
        assert len([s for s in result.spawns if s.mnemonic == "CppCompile" and s.cached]) == VARIANTS
        assert second.output(name) == workspace.output(name)
    finally:
        second.close()


def test_two_checkouts_without_a_cache_give_the_same_bytes(workspace, tmp_path):
    workspace.build(*PACKAGE)
    name = package_name(workspace)
    alone = Workspace(tmp_path / "no_cache")
    try:
        assert alone.build(*PACKAGE).counts["CppCompile"] == VARIANTS
        assert alone.output(name) == workspace.output(name)
        assert alone.output("pkg.manifest.json") == workspace.output("pkg.manifest.json")
    finally:
        alone.close()
