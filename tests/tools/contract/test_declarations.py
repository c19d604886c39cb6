"""The twin's `pypto_pro`: every public name is there, and says what it is for when used at the wrong time."""

from __future__ import annotations

import pypto_pro
import pypto_pro.language as pl
import pytest
from pypto_pro.runtime import tilingkey

PUBLIC = """
function inline program vector_function parse parser loads parse_program loads_program Tensor Tile Ptr Scalar DYNAMIC
STATIC system simt mutex TileType make_tile make_tensor make_ptr addptr struct make_tuple struct_array FunctionType
MemRef MemorySpace TilePad PipeType TensorLayout ND DN NZ ZN NN ZZ ReluPreMode AtomicType STPhase AccPhase AccToVecMode
RoundMode QuantMode CrossCoreSyncMode SyncCoreType SyncAllMode CacheLine DcciDst DT_FP4 DT_FP8E4M3FN DT_FP8E5M2
DT_FP8E8M0 DT_FP4E2M1 DT_FP4E1M2 DT_FP16 DT_FP32 DT_BF16 DT_HF4 DT_HF8 DT_INT4 DT_INT8 DT_INT16 DT_INT32 DT_INT64
DT_UINT4 DT_UINT8 DT_UINT16 DT_UINT32 DT_UINT64 DT_BOOL load load_tile store store_tile move insert ssbuf_store
ssbuf_load add sub mul div maximum minimum and_ shl shr xor expands neg abs exp log sqrt rsqrt recip relu fillpad
FillPadMode cast add_relu_cast sub_relu_cast mul_cast eq ne lt le gt ge select add_relu sub_relu addc mul_add_dst
fused_mul_add fused_mul_add_relu axpy partadd partmax partmin partmul matmul matmul_acc matmul_mx matmul_mx_acc
transpose sum argmax argmin expand_max expand_min expand_mul expand_sub expand_div gather gatherb gathermask scatter
mrgsort mrgsort2 sort32 histogram quant dequant getval setval set_validshape set_stride set_mask_count set_mask_norm
set_vec_mask reset_mask fill_index Vf pto_assert printf dump_data trap min max const range section_vector section_cube
get_block_idx get_subblock_idx get_block_num get_subblock_num make_tile_group kernel KernelDef jit pipeline MaskPattern
MergeMode ReduceMode CompareMode DuplicatePos CastLayout VFRoundMode SaturateMode BinType HistType SqueezeMode PackPart
MaskWidth LoadDist StoreDist DataCopyMode MemBarMode IndexOrder
"""


@pytest.mark.parametrize("name", PUBLIC.split())
def test_public_name(name):
    assert hasattr(pl, name) and name in pl.__all__


def test_it_is_the_front_end_of_this_repository():
    assert "toolchains/twin/frontend" in str(pypto_pro.__file__)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pl.load(None, None, [0]),
        lambda: pl.range(3),
        lambda: pl.section_vector(),
        lambda: pl.system.bar_all(),
        lambda: pl.Vf.add(1, 2, 3),
        lambda: pl.simt.thread_idx(),
        lambda: pl.jit(lambda x: x)(1),
        lambda: pl.jit(lambda x: x)[None, 8],
    ],
)
def test_operations_refuse_to_run(call):
    with pytest.raises(RuntimeError, match="kernel body"):
        call()


def test_misspelt_names_suggest_the_right_one():
    with pytest.raises(AttributeError, match="did you mean RoundMode"):
        _ = pl.RoundMod
    with pytest.raises(AttributeError, match="CAST_RINT"):
        _ = pl.RoundMode.CAST_RIN
    with pytest.raises(AttributeError, match="FP16"):
        _ = pl.DataType.FP17


def test_jit_keeps_every_option_for_the_contract():
    kernel = pl.jit(arch="a3", auto_mutex=True, anything=1)(lambda x: x)
    assert kernel.options == {"arch": "a3", "auto_mutex": True, "anything": 1}


def test_annotations_are_described():
    assert pl.Ptr[pl.DT_FP16].dtype is pl.DT_FP16
    assert pl.Tensor[[4, pl.DYNAMIC], pl.DT_FP32, pl.NZ].shape == [4, pl.DYNAMIC]
    with pytest.raises(TypeError, match="shape and a dtype"):
        _ = pl.Tensor[[4]]


def test_module_level_values():
    assert [item.a for item in pl.struct_array(2, "Name", a=3)] == [3, 3]
    assert pl.struct("Name", a=1).a == pl.make_tuple(a=1).a == 1
    assert pypto_pro.DT_BF16 is pl.DT_BF16 and str(pl.DT_BF16) == "bfloat16"
    assert tilingkey.TilingKeySchema(
        type("K", (), {"a": tilingkey.TilingKeyField(bits=1, values=[0])})
    ).field_names() == ["a"]
