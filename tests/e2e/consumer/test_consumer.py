"""A program's test uses a package as a target: headers and library by `deps`, the whole vendor tree by `data`."""

import json

import pytest

from tests.e2e.host import project

BUILD = """
load("@rules_cc//cc:defs.bzl", "cc_test")

cc_test(
    name = "app_test",
    srcs = ["app/test_aclnn_leaky_scale.cpp"],
    data = [":pkg"],
    env = {"ASCEND_CUSTOM_OPP_PATH": "$(PYPTO_OPP_PATH)"},
    toolchains = [":pkg"],
    deps = [":pkg"],
)
"""
TEST = "//ops/leaky_scale:app_test"


def make(directory, disk_cache):
    made = project.make(directory, disk_cache)
    project.add(made, "test_aclnn_leaky_scale.cpp", "app")
    with (made.path / "MODULE.bazel").open("a") as module:
        module.write('\nbazel_dep(name = "rules_cc", version = "0.1.1")\n')
    with (made.op / "BUILD.bazel").open("a") as build:
        build.write(BUILD)
    return made


@pytest.fixture(scope="module")
def disk_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache") / "disk"


def run(workspace):
    flags = ["--nocache_test_results", "--test_output=all", "--sandbox_default_allow_network=false"]
    result = workspace.bazel("test", TEST, *flags)
    assert result.code == 0, result.text
    assert "first: 6.0" in result.text
    return result


def test_a_cache_hit_is_never_half_a_package(disk_cache, tmp_path):
    """Report B01: a second output base that has everything from the cache, and nothing from the first."""
    for name in ("first", "second"):
        workspace = make(tmp_path / name, disk_cache)
        try:
            result = run(workspace)
            runfiles = workspace.path / "bazel-bin/ops/leaky_scale/app_test.runfiles/_main/ops/leaky_scale/pkg.tree"
            vendor = runfiles / "vendors/acme"
            manifest = json.loads((vendor / "manifest.json").read_text())
            missing = [file["path"] for file in manifest["files"] if not (vendor / file["path"]).is_file()]
            assert missing == []
            assert (vendor / "op_impl/ai_core/tbe/op_tiling/liboptiling.so").exists()
        finally:
            workspace.close()
    ran = {mnemonic: count for mnemonic, count in result.counts.items() if mnemonic.startswith(("Pypto", "Cpp"))}
    assert ran == {}, "all of it came from the cache"
