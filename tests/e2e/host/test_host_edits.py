"""What an edit of the host side costs, the kinds of aclnn interface, and graph mode."""

import re
import subprocess

import pytest

from tests.e2e.host.project import BUILD, OP_TEST, PACKAGE, TILING_TEST, add, definition, failing, tiling_source

HOST_LIBRARIES = ("libcust_opapi.so", "libcust_opmaster_rt2.0.so", "libcust_opsproto_rt2.0.so")


@pytest.fixture
def built(workspace):
    """The package of the project as it is."""
    return workspace.build()


def compiled(result):
    """The names of the objects that were compiled."""
    return sorted(output.rpartition("/")[2] for spawn in result.ran("CppCompile") for output in spawn.outputs)


def linked(result):
    """The names of the libraries that were linked."""
    return sorted(output.rpartition("/")[2] for spawn in result.ran("CppLink") for output in spawn.outputs)


def vendor(workspace):
    """The vendor directory of the package."""
    return workspace.path / "bazel-bin/ops/leaky_scale/pkg.tree/vendors/acme"


def shipped(workspace):
    """The aclnn headers in the package."""
    return sorted(path.name for path in (vendor(workspace) / "op_api/include").iterdir())


def kernel_actions(result):
    """How many actions of the kernel ran."""
    names = ("PyptoContract", "PyptoCodegen", "PyptoHeaders", "PyptoLink")
    return {name: result.counts[name] for name in names if result.counts[name]}


def test_an_edit_of_the_tiling_function(workspace, built):
    workspace.edit(tiling_source(workspace), "per_core = 128", "per_core = 64 + 64 * (total >= 0)")
    result = workspace.build()
    assert {name.partition(".")[0] for name in compiled(result)} == {"leaky_scale_tiling"}
    assert linked(result) == ["libcust_opmaster_rt2.0.so"]
    assert kernel_actions(result) == {}


def test_an_edit_of_the_tiling_data(workspace, built):
    workspace.edit(workspace.kernel, "    alpha: float\n", "    alpha: float\n    spare: int\n")
    workspace.edit(tiling_source(workspace), "per_core = 128;", "per_core = 128;\n    tiling->spare = 0;")
    result = workspace.build()
    names = {name.partition(".")[0] for name in compiled(result)}
    assert "leaky_scale_tiling" in names
    assert "leaky_scale_infershape" not in names


def test_a_comment_in_the_definition(workspace, built):
    workspace.edit(definition(workspace), "namespace ops {", "// A comment.\n\nnamespace ops {")
    result = workspace.build()
    assert {name.partition(".")[0] for name in compiled(result)} == {"leaky_scale_def"}, "no variant, no host source"
    assert linked(result) == ["libleaky_scale_op_def_library.so"]


def test_a_second_soc_compiles_no_host_source(workspace, built):
    result = workspace.build(PACKAGE, "--config=ascend910b", "--config=ascend950")
    assert not [name for name in compiled(result) if name.startswith(("leaky_scale_tiling", "leaky_scale_infershape"))]
    assert not [name for name in linked(result) if name in HOST_LIBRARIES]


def test_a_dtype_less_in_the_definition(workspace, built):
    for tensor in ("x", "y"):
        text = definition(workspace).read_text()
        at = text.index(f'put("{tensor}")')
        part = text[at:].replace("ge::DT_FLOAT16, ge::DT_FLOAT}", "ge::DT_FLOAT}", 1)
        part = part.replace("{ge::FORMAT_ND, ge::FORMAT_ND}", "{ge::FORMAT_ND}", 1)
        definition(workspace).write_text(text[:at] + part)
    result = workspace.build(PACKAGE, "--output_groups=tree")
    assert not [name for name in compiled(result) if "-float" in name], "what is left was compiled before"
    kernels = vendor(workspace) / "op_impl/ai_core/tbe/kernel/ascend910b/leaky_scale"
    assert len(list(kernels.glob("*.so"))) == 1


# As the public example operators register their TilingData, beside the registration that is generated.
def test_a_registration_by_hand(workspace):
    by_hand = (
        "BEGIN_TILING_DATA_DEF(LeakyScaleTilingData)\nTILING_DATA_FIELD_DEF(int64_t, total)\n"
        "TILING_DATA_FIELD_DEF(int64_t, per_core)\nTILING_DATA_FIELD_DEF(float, alpha)\nEND_TILING_DATA_DEF\n"
        "REGISTER_TILING_DATA_CLASS(LeakyScale, LeakyScaleTilingData)\n"
    )
    workspace.edit(tiling_source(workspace), "namespace optiling {\n", "namespace optiling {\n" + by_hand)
    workspace.edit(
        tiling_source(workspace),
        '#include "log/log.h"\n',
        '#include "log/log.h"\n#include "register/tilingdata_base.h"\n',
    )
    result = workspace.bazel("test", TILING_TEST, OP_TEST)
    assert result.code == 0, result.text


# The public interface is written by hand and calls the generated one, which stays inside.
def test_a_generated_interface_for_inner_use(workspace):
    build = workspace.op / "BUILD.bazel"
    build.write_text(
        BUILD.replace('aclnn_type = "aclnn"', 'aclnn_type = "aclnn_inner"').replace("load(", EXAMPLE_LOAD, 1) + EXAMPLE
    )
    for name in ("aclnn_leaky_scale.h", "aclnn_leaky_scale.cpp", "limits.h"):
        add(workspace, name, "op_api")
    add(workspace, "test_aclnn_leaky_scale.cpp", "examples")
    result = workspace.bazel("test", OP_TEST, "//ops/leaky_scale:run_example", "--test_output=all")
    assert result.code == 0, result.text
    assert "refused: 161002\nfirst: 6.0\n" in result.text
    workspace.build(PACKAGE, "--output_groups=tree")
    assert shipped(workspace) == ["aclnn_leaky_scale.h"]


# Everything is written by hand.
def test_an_interface_that_is_not_generated(workspace):
    build = workspace.op / "BUILD.bazel"
    build.write_text(BUILD.replace('aclnn_type = "aclnn"', 'aclnn_type = "aclnn_exclude"'))
    for name in ("aclnn_leaky_scale.h", "by_hand/aclnn_leaky_scale.cpp", "limits.h"):
        add(workspace, name, "op_api")
    workspace.build(PACKAGE, "--output_groups=tree")
    assert shipped(workspace) == ["aclnn_leaky_scale.h"]
    failing(workspace, "build", OP_TEST, "is written by hand", "pypto_aclnn_example")


# A34: symbols and libraries of two packages, and of CANN, must not meet.
def test_what_the_libraries_show(workspace):
    workspace.build(PACKAGE, "--output_groups=tree")
    for name in HOST_LIBRARIES:
        (library,) = vendor(workspace).rglob(name)
        dynamic = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
        assert re.findall(r"\(SONAME\).*\[(.*)\]", dynamic) == [name]
        assert not re.search(r"\((RPATH|RUNPATH)\)", dynamic)
        assert [item for item in needed if not item.startswith(("libc.", "libm.", "libgcc_s.", "libstdc++."))] == [
            "libpypto_twin_host.so"
        ]
        symbols = subprocess.run(["nm", "-DC", "--defined-only", library], capture_output=True, text=True, check=True)
        exported = [line.split()[-1] for line in symbols.stdout.splitlines()]
        assert exported == (
            ["aclnnLeakyScale", "aclnnLeakyScaleGetWorkspaceSize"] if name == "libcust_opapi.so" else []
        )


# A30: a prototype without a source beside it.
def test_a_prototype_alone(workspace):
    add(workspace, "leaky_scale_proto.h", "op_graph")
    workspace.build(PACKAGE, "--output_groups=tree")
    assert (vendor(workspace) / "op_proto/inc/leaky_scale_proto.h").is_file()


# Sources of op_graph go into the proto library, and their prototype ships.
def test_graph_mode(workspace):
    for name in ("leaky_scale_proto.h", "leaky_scale_graph_infer.cpp"):
        add(workspace, name, "op_graph")
    result = workspace.build(PACKAGE, "--output_groups=tree")
    assert "libcust_opsproto_rt2.0.so" in linked(result)
    proto = vendor(workspace) / "op_proto/inc/leaky_scale_proto.h"
    assert proto.read_bytes() == (workspace.op / "op_graph/leaky_scale_proto.h").read_bytes()
    (library,) = vendor(workspace).glob("op_proto/lib/linux/*/libcust_opsproto_rt2.0.so")
    assert b"leaky_scale_graph_infer" in library.read_bytes()
    workspace.edit(workspace.op / "op_graph/leaky_scale_graph_infer.cpp", "IMPL_OP(", "IMPL_OPS(")
    failing(workspace, "build", PACKAGE, "ops/leaky_scale/op_graph/leaky_scale_graph_infer.cpp:", "IMPL_OPS")


EXAMPLE_LOAD = 'load("@pypto_rules//pypto_rules:defs.bzl", "pypto_aclnn_example")\n\nload('
EXAMPLE = """
pypto_aclnn_example(
    name = "run_example",
    srcs = ["examples/test_aclnn_leaky_scale.cpp"],
    package = ":pkg",
)
"""
