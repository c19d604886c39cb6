"""What the user of an operator project sees when host and kernel disagree (reports A01 to A46)."""

import json
import shutil

import pytest

from tests.e2e.host.project import OP_TEST, PACKAGE, TILING_TEST, definition, failing, tiling_source


def test_the_operator_as_it_is(workspace):
    result = workspace.bazel("test", TILING_TEST, OP_TEST, "--test_output=all")
    assert result.code == 0, result.text
    assert "warning:" not in result.text.lower(), result.text
    workspace.build(PACKAGE, "--config=ascend950")


# A01: the tiling function packs the key by hand.
def test_a_key_packed_by_hand(workspace):
    workspace.edit(tiling_source(workspace), "GET_TPL_TILING_KEY(tail, tile)", "tail | (tile << 1)")
    failing(
        workspace,
        "test",
        TILING_TEST,
        "257 is not a TilingKey of leaky_scale; tail=1, tile=128 is 3; use GET_TPL_TILING_KEY(1, 128)",
        "there are 0: tail=0, tile=64;",
    )
    failing(workspace, "test", OP_TEST, "chose a TilingKey without a kernel: 256 is not a TilingKey of leaky_scale")


# A03: the right keys, the wrong condition: numbers differ, and the report says which key ran.
def test_the_wrong_branch(workspace):
    workspace.edit(tiling_source(workspace), "% 2 != 0", "% 2 == 0")
    failing(workspace, "test", OP_TEST, "Arrays are not equal", "tiling_key={'tail': 1, 'tile': 128}")


def test_the_arguments_of_the_key_swapped(workspace):
    workspace.edit(tiling_source(workspace), "(tail, tile)", "(tile, tail)")
    failing(workspace, "test", TILING_TEST, "GET_TPL_TILING_KEY of leaky_scale: tail", "allowed are 0, 1")


def test_a_combination_that_is_valid_refuses(workspace):
    workspace.edit(tiling_source(workspace), "tile = 128", "tile = total < 0 ? 64 : 256")
    failing(workspace, "test", TILING_TEST, "is_valid refuses", "tail=1", "tile=256")


# A05: a copy of the struct by hand, with the fields in another order.
def test_a_copy_of_the_struct_with_another_layout(workspace):
    copy = "struct LeakyScaleTiling { float alpha; int64_t total; int64_t per_core; };\n"
    workspace.edit(tiling_source(workspace), "namespace optiling {\n", "namespace optiling {\n" + copy)
    failing(
        workspace,
        "build",
        PACKAGE,
        "ops/leaky_scale/op_host/leaky_scale_tiling.cpp:5: error: LeakyScaleTiling is a copy of the TilingData",
        "first difference: alpha@0 float here, total@0 int64_t in the kernel",
    )


def test_a_field_renamed_in_the_kernel_alone(workspace):
    workspace.edit(workspace.kernel, "    per_core: int\n", "    for_each_core: int\n")
    failing(workspace, "build", PACKAGE, "leaky_scale_tiling.cpp", "has no member named", "per_core")


# A06: a product in 32 bits.
def test_a_product_that_wraps(workspace):
    workspace.edit(tiling_source(workspace), "tiling->total = total;", "tiling->total = static_cast<int32_t>(total);")
    failing(workspace, "test", TILING_TEST, "assert 605032704 == 4900000000")


# A09: registered under a misspelt name.
def test_a_tiling_function_under_another_name(workspace):
    workspace.edit(tiling_source(workspace), "IMPL_OP_OPTILING(LeakyScale)", "IMPL_OP_OPTILING(LeakyScales)")
    failing(
        workspace,
        "test",
        OP_TEST,
        "LeakyScale has no tiling function; registered in this library: LeakyScales; register it with "
        "IMPL_OP_OPTILING(LeakyScale)",
    )


# A10: the kernel writes more into the workspace than the host asked for.
def test_a_workspace_too_small(workspace):
    tensor = "pl.make_tensor(workspace, [1, tiling.total], [tiling.total, 1], dtype=io_t)"
    workspace.edit(
        workspace.kernel, "    with pl.section_vector():", f"    gw = {tensor}\n    with pl.section_vector():"
    )
    workspace.edit(
        workspace.kernel, "pl.store(gy, tb, [0, i])", "pl.store(gy, tb, [0, i])\n            pl.store(gw, tb, [0, i])"
    )
    line = workspace.kernel.read_text().split("            pl.store(gw")[0].count("\n") + 1
    failing(workspace, "test", OP_TEST, f"op_kernel/leaky_scale.py:{line}:", "'workspace'", "TilingKey")


# A11: no block, or more than the SoC has.
@pytest.mark.parametrize(
    ("block_dim", "said"), [("total / 128", "set BlockDim 0; allowed are 1 to 48"), ("1000", "set BlockDim 1000;")]
)
def test_block_dim(block_dim, said, workspace):
    workspace.edit(tiling_source(workspace), "SetBlockDim(1)", f"SetBlockDim({block_dim})")
    failing(workspace, "test", TILING_TEST, said, "the cores of ascend910b")


# The kernel gives each block `per_core` elements; the host starts a block less than that needs.
def test_block_dim_that_does_not_match_the_split(workspace):
    mine = "pl.get_block_idx() * tiling.per_core"
    workspace.edit(
        workspace.kernel, "pl.range(0, tiling.total, 128)", f"pl.range({mine}, {mine} + tiling.per_core, 128)"
    )
    workspace.edit(tiling_source(workspace), "SetBlockDim(1)", "SetBlockDim(static_cast<uint32_t>(total / 128))")
    assert workspace.bazel("test", OP_TEST).code == 0
    workspace.edit(tiling_source(workspace), "total / 128))", "total / 128 - 1))")
    failing(workspace, "test", OP_TEST, "Arrays are not equal", "block_dim=1")


# A13: a SoC that the OpDef does not register.
def test_a_soc_without_a_configuration(workspace):
    workspace.edit(definition(workspace), '        this->AICore().AddConfig("ascend950");\n', "")
    result = workspace.bazel("build", PACKAGE, "--config=ascend950")
    assert result.code != 0
    assert "LeakyScale is not registered for ascend950; its OpDef" in result.text
    assert "has AddConfig for ascend910b" in result.text


# A21: lists of different lengths.
def test_formats_of_another_number_than_dtypes(workspace):
    three = "{ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND}"
    text = definition(workspace).read_text()
    definition(workspace).write_text(text.replace("{ge::FORMAT_ND, ge::FORMAT_ND}", three, 1))
    failing(
        workspace,
        "build",
        PACKAGE,
        "ops/leaky_scale/op_host/leaky_scale_def.cpp:8: error: 'x' has 2 dtypes (float16, float) and 3 formats",
        "fix: give Format 2 items",
    )


# A46: no InferShape: aclnn works, with outputs that the caller makes.
def test_no_infershape(workspace):
    (workspace.op / "op_host/leaky_scale_infershape.cpp").write_text("")
    failing(workspace, "test", TILING_TEST, "LeakyScale has no InferShape; registered in this library: none")
    (workspace.op / "op_host/leaky_scale_infershape.cpp").unlink()
    result = workspace.build(PACKAGE)
    assert (
        "no op_host/*_infershape*.cpp: graph mode will not work for leaky_scale, only calls through aclnn"
        in result.text
    )


def test_a_parameter_of_another_name_than_in_the_op_def(workspace):
    workspace.edit(definition(workspace), 'Input("x")', 'Input("input")')
    failing(workspace, "build", PACKAGE, "PYPTO-E601", "rename it to 'input'")


def test_host_sources_without_a_definition(workspace):
    definition(workspace).rename(workspace.op / "op_host/gone.txt")
    try:
        failing(workspace, "build", PACKAGE, "op_host has", "but no op_host/leaky_scale_def.cpp")
    finally:
        (workspace.op / "op_host/gone.txt").rename(definition(workspace))


# A12: a list of binaries that says something else than the OpDef.
@pytest.mark.parametrize(
    ("dtypes", "layout", "said"),
    [
        (("float16",), "ND", "it has no column for (x: float ND, y: float ND), which the OpDef has"),
        (("float16", "float"), "NHWC", "column 0 has float16 NHWC for 'x', where the OpDef has float16 ND"),
    ],
)
def test_a_list_of_binaries_that_differs(dtypes, layout, said, workspace):
    entries = [
        {
            "inputs": [{"name": "x", "dtype": dtype, "format": layout}],
            "outputs": [{"name": "y", "dtype": dtype, "format": "ND"}],
        }
        for dtype in dtypes
    ]
    listed = workspace.op / "op_host/config/ascend950/leaky_scale_binary.json"
    listed.parent.mkdir(parents=True)
    listed.write_text(json.dumps({"op_type": "LeakyScale", "op_list": entries}))
    try:
        failing(workspace, "build", PACKAGE, "ops/leaky_scale/op_host/config/ascend950/leaky_scale_binary.json:", said)
    finally:
        shutil.rmtree(workspace.op / "op_host/config")
