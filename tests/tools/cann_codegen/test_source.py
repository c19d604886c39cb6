"""The text of CANN variants, after cann-flow, sections 4.5 to 4.8."""

from __future__ import annotations

import dataclasses
import struct

import pytest

from toolchains.cann.binary.kernel_types import KernelType
from toolchains.cann.codegen import dfx
from toolchains.cann.codegen.socs import SOCS
from toolchains.cann.codegen.source import Generated, Place, Tensor, variant_source

GENERATED = Generated(
    function="scale",
    text='#include <cstdint>\n#include "ScaleTiling_tiling.h"\n\n__aicore__ inline void scale_impl() {}\n',
    headers={"ScaleTiling_tiling.h": "#pragma once\nclass ScaleTiling {\npublic:\n    int64_t total;\n};\n"},
    parameters=(
        ("half", "x", True),
        ("half", "y", True),
        ("uint8_t", "workspace", True),
        ("uint8_t", "tiling", True),
    ),
    kernel_type=KernelType.AIV_ONLY,
)
TENSORS = (Tensor("x", "float16", "ND"), Tensor("y", "float16", "ND"))
ARGUMENTS = tuple(dfx.Argument(kind) for kind in (dfx.Kind.INPUT, dfx.Kind.OUTPUT, dfx.Kind.WORKSPACE, dfx.Kind.TILING))

# One line an item of section 4.7; the DFX bytes are checked below.
VECTOR_C310 = """\
// variant tail=1 of scale on ascend950
#define TILING_KEY_VAR 3UL
#ifndef ASCENDC_DUMP
#define WORKSPACE_PARAM_OFFSET 2
#endif
#define DTYPE_X half
#define ORIG_DTYPE_X DT_FLOAT16
#define FORMAT_X FORMAT_ND
#define DTYPE_Y half
#define ORIG_DTYPE_Y DT_FLOAT16
#define FORMAT_Y FORMAT_ND
#define auto_gen_scale_kernel Scale_a_3
#define scale_impl scale_impl_3

#include "kernel_operator.h"

#include <cstdint>
class ScaleTiling {
public:
    int64_t total;
};

__aicore__ inline void scale_impl() {}

__aicore__ inline __attribute__((always_inline)) void ascendc_auto_gen_scale_kernel(SIGNATURE)
{
    scale_impl(x, y, workspace, tiling);
}

extern "C" __global__ AICORE void auto_gen_scale_kernel(SIGNATURE)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    ascendc_auto_gen_scale_kernel(x, y, workspace, tiling);
}

#if defined(__DAV_VEC__) && __NPU_ARCH__ == 3510
static const struct FunLevelKType Scale_a_3_section ATTRIBUTE(".ascend.meta.Scale_a_3"))) = \
{ {{F_TYPE_KTYPE, sizeof(unsigned int)}, K_TYPE_AIV} };
struct AscendCInfoMetaDFX {
    BaseTlv head;
    uint8_t value[72];
};
static const struct AscendCInfoMetaDFX Scale_a_3_dfx_section ATTRIBUTE(".ascend.meta.Scale_a_3"))) = {{4, 72}, {DFX}};
#endif
static const struct BinaryMetaVersion Scale_a_kernel_metainfo_version_section ATTRIBUTE(".ascend.meta"))) = \
{{B_TYPE_BIN_VERSION_INFO, sizeof(unsigned int)}, 0x01};
static const struct BinaryMetaDebug Scale_a_kernel_metainfo_debug_section ATTRIBUTE(".ascend.meta"))) = \
{{B_TYPE_DEBUG_INFO, 8}, 0, 0};
static const struct BinaryMetaDynamicParam Scale_a_kernel_metainfo_dynamicparam_section ATTRIBUTE(".ascend.meta"))) = \
{{B_TYPE_DYNAMIC_PARAM, 4}, 0, 0};
static const struct BinaryMetaOptionalParam Scale_a_kernel_metainfo_optionalparam_section \
ATTRIBUTE(".ascend.meta"))) = \
{{B_TYPE_OPTIONAL_PARAM, 4}, 1, 1};
"""
SIGNATURE = "__gm__ half* x, __gm__ half* y, __gm__ uint8_t* workspace, __gm__ uint8_t* tiling"


def written(soc: str, kernel_type: KernelType, core: str, generated: Generated = GENERATED) -> str:
    generated = dataclasses.replace(generated, kernel_type=kernel_type)
    place = Place("Scale_a", 3, core, f"variant tail=1 of scale on {soc}")
    return variant_source(SOCS[soc], place, generated, TENSORS, ARGUMENTS, 32)


def defines(text: str) -> list[str]:
    return [line.removeprefix("#define ") for line in text.splitlines() if line.startswith("#define ")]


def test_the_whole_text_of_a_vector_kernel():
    expected = VECTOR_C310.replace("SIGNATURE", SIGNATURE).replace("ATTRIBUTE(", "__attribute__((used, section(")
    expected = expected.replace("DFX}", ", ".join(map(str, dfx.section(ARGUMENTS, 32))) + "}")
    assert written("ascend950", KernelType.AIV_ONLY, "vec").splitlines() == expected.splitlines()


def test_a_mixed_kernel_has_a_symbol_and_a_section_for_its_core():
    """Sections 4.7 and 4.8: `_mix_aic`, `_mix_aiv`, the ratio, the macros of c310."""
    cube = written("ascend950", KernelType.MIX_AIC_1_2, "cube")
    vector = written("ascend950", KernelType.MIX_AIC_1_2, "vec")
    assert "auto_gen_scale_kernel Scale_a_3_mix_aic" in defines(cube)
    assert "auto_gen_scale_kernel Scale_a_3_mix_aiv" in defines(vector)
    assert "#if defined(__DAV_CUBE__) && __NPU_ARCH__ == 3510" in cube
    assert "{{F_TYPE_MIX_TASK_RATION, sizeof(unsigned int)}, 1, 2} };" in vector
    assert {"__MIX_CORE_MACRO__ 1", "__ASCENDC_ENABLE_VEC_TAIL_TILING_COPY__"} < set(defines(cube))


@pytest.mark.parametrize(
    ("soc", "kernel_type", "macros"),
    [
        ("ascend950", KernelType.AIC_ONLY, {"RAW_AIC_ONLY_DUMP_TENSOR"}),
        ("ascend950", KernelType.AIV_ONLY, set()),
        ("ascend950", KernelType.MIX_AIC_1_1, {"__MIX_CORE_MACRO__ 1", "__MIX_CORE_AIC_RATION__ 1"}),
        ("ascend910b", KernelType.AIC_ONLY, set()),
        ("ascend910b", KernelType.MIX_AIC_1_2, {"__MIX_CORE_MACRO__ 1"}),
    ],
)
def test_macros_of_a_kernel_type(soc, kernel_type, macros):
    """Section 4.8, what pypto_pro appends to bisheng's command line."""
    found = set(defines(written(soc, kernel_type, kernel_type.cores[0])))
    assert {name for name in found if name.startswith(("__", "RAW"))} == macros


def test_the_workspace_offset_is_for_c310_alone():
    """Section 4.8."""
    assert "WORKSPACE_PARAM_OFFSET 2" in defines(written("ascend950", KernelType.AIV_ONLY, "vec"))
    assert "WORKSPACE_PARAM" not in written("ascend910b", KernelType.AIV_ONLY, "vec")


def test_a_mixed_kernel_of_c220_takes_the_synchronisation_address_first():
    """Sections 1.7 and 4.7: pypto_pro's function takes it last, the run time passes it first."""
    synchronised = dataclasses.replace(GENERATED, parameters=(*GENERATED.parameters, ("int64_t", "ffts_addr", True)))
    text = written("ascend910b", KernelType.MIX_AIC_1_2, "vec", synchronised)
    assert f"ascendc_auto_gen_scale_kernel(__gm__ int64_t* ffts_addr, {SIGNATURE})" in text
    assert "scale_impl(x, y, workspace, tiling, ffts_addr);" in text
    without = written("ascend910b", KernelType.MIX_AIC_1_2, "vec")
    assert f"ascendc_auto_gen_scale_kernel(__gm__ int64_t* ffts_addr, {SIGNATURE})" in without
    assert "scale_impl(x, y, workspace, tiling);" in without


def test_cores_of_one_key_differ_in_symbol_and_guard_alone():
    cube = written("ascend950", KernelType.MIX_AIC_1_2, "cube")
    vector = written("ascend950", KernelType.MIX_AIC_1_2, "vec")
    assert cube.replace("mix_aic", "mix_aiv").replace("__DAV_CUBE__", "__DAV_VEC__") == vector


def test_dfx_of_tensors_workspace_and_tiling():
    """Section 4.7: type 5, number of words, then kind and point in one word, big-endian."""
    unknown = 2**64 - 1
    expected = struct.pack(">HHQQ", 5, 2, 1 << 16 | 2, unknown) + struct.pack(">HHQQ", 5, 2, 1 << 16 | 3, unknown)
    expected += struct.pack(">HHQ", 5, 1, 1 << 16 | 4) + struct.pack(">HHQQ", 5, 2, 1 << 16 | 7, 32)
    assert dfx.section(ARGUMENTS, 32) == expected


def test_dfx_of_a_list_of_tensors_has_the_size_of_its_elements():
    listed = dfx.Argument(dfx.Kind.INPUT, element_size=2)
    assert dfx.section([listed], 0) == struct.pack(">HHQQQ", 5, 3, 3 << 16 | 2, 2**64 - 1, 2)
    assert (SOCS["ascend910b"].dtype_unit, SOCS["ascend950"].dtype_unit) == (1, 8)


def test_dfx_size_of_the_tiling_data():
    assert dfx.tiling_size(17, ARGUMENTS, oom=False) == 25
    assert dfx.tiling_size(17, ARGUMENTS, oom=True) == 24 + 8 + 8 * 3
