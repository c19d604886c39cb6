"""Includes, names and macros as public operator projects have spelt them over time: all compile, none warns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.host_sdk.harness import compile_library

# Macros with a semicolon behind them, and without.
DATA = """
struct Generated {{ int64_t rows; int64_t columns; }};
namespace optiling {{
BEGIN_TILING_DATA_DEF(ByHand){0}
TILING_DATA_FIELD_DEF(int64_t, rows){0}
TILING_DATA_FIELD_DEF_ARR(int32_t, 4, sizes){0}
END_TILING_DATA_DEF{0}
REGISTER_TILING_DATA_CLASS(Op, ByHand)
struct CompileInfo {{}};
static ge::graphStatus Parse([[maybe_unused]] gert::TilingParseContext* context) {{ return ge::GRAPH_SUCCESS; }}
static ge::graphStatus Tile(gert::TilingContext* context)
{{
    ByHand data;
    data.set_rows(3);
    auto raw = context->GetRawTilingData();
    OP_CHECK_NULL_WITH_CONTEXT(context, raw);
    data.SaveToBuffer(raw->GetData(), raw->GetCapacity());
    raw->SetDataSize(data.GetDataSize());
    return context->GetTilingData<Generated>() == nullptr ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
}}
IMPL_OP_OPTILING(Op)
    .Tiling(Tile)
    .TilingParse<CompileInfo>(Parse);
}}
"""

PLATFORM = """
namespace optiling {
using namespace {0};
struct CompileInfo { int64_t cores; bool regbase; };
static ge::graphStatus Parse(gert::TilingParseContext* context)
{
    auto info = context->GetCompiledInfo<CompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    info->cores = platform.GetCoreNumAiv();
    info->regbase = platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND910_95;
    OP_LOGD(context, "cores:%ld", info->cores);
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus Tile(gert::TilingContext* context)
{
    OP_CHECK_IF(context == nullptr, OP_LOGE("Op", "no context"), return ge::GRAPH_FAILED);
    auto info = reinterpret_cast<const CompileInfo*>(context->GetCompileInfo());
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    const auto shape = EnsureNotScalar(context->GetInputShape(0)->GetStorageShape());
    const std::set<ge::DataType> known = {ge::DT_FLOAT, ge::DT_BF16};
    const int64_t block = Ops::Base::GetUbBlockSize(context) + Ops::Base::GetVRegSize(context);
    const int64_t cut = Ops::Base::FloorAlign(Ops::Base::FloorDiv(shape.GetShapeSize(), int64_t{4}), block);
    context->SetBlockDim(static_cast<uint32_t>(Ops::Base::CeilDiv(cut, info->cores) + known.size()));
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(Op).Tiling(Tile).TilingParse<CompileInfo>(Parse);
}
"""

SHAPES = """
using namespace ge;
using namespace Ops::Base;
namespace ops {
static ge::graphStatus Dtype(gert::InferDataTypeContext *context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
static ge::graphStatus Shapes(gert::InferShapeContext *context)
{
    const gert::Shape *x = context->GetInputShape(0U);
    gert::Shape *y = context->GetOutputShape(0U);
    OP_LOGD(context->GetNodeName(), "x is %s", Ops::Base::ToString(*x).c_str());
    if (IsUnknownRank(*x)) {
        SetUnknownRank(*y);
        return GRAPH_SUCCESS;
    }
    const bool *last = context->GetAttrs()->GetAttrPointer<bool>(0);
    OP_CHECK_IF(last == nullptr || x->GetDim(0) == ge::UNKNOWN_DIM, OP_LOGE(context, "no"), return GRAPH_FAILED);
    return context->GetInputTensor(0)->GetOriginFormat() == FORMAT_NDHWC ? GRAPH_FAILED : GRAPH_SUCCESS;
}
static ge::graphStatus Ranges(gert::InferShapeRangeContext *context)
{
    auto x = context->GetInputShapeRange(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x->GetMin());
    context->GetOutputShapeRange(0)->GetMin()->SetDimNum(x->GetMax()->GetDimNum());
    return GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(Op).InferDataType(Dtype).InferShape(Shapes).InferShapeRange(Ranges);
}
"""


def included(*headers: str) -> str:
    return "".join(f'#include "{header}"\n' for header in headers)


@pytest.mark.parametrize("semicolon", ["", ";"])
@pytest.mark.parametrize("entry", ["exe_graph/runtime/tiling_context.h", "register/op_impl_registry.h"])
def test_tiling_data_by_hand(semicolon: str, entry: str, tmp_path: Path) -> None:
    headers = (entry, "register/op_def_registry.h", "register/tilingdata_base.h", "log/log.h")
    compile_library(tmp_path, included(*headers) + DATA.format(semicolon))


@pytest.mark.parametrize("namespace", ["Ops::Math::OpTiling", "Ops::Cv::OpTiling", "Ops::NN::Optiling"])
@pytest.mark.parametrize("utilities", ["tiling_base/tiling_util.h", "op_host/tiling_util.h"])
@pytest.mark.parametrize("log", ["log/log.h", "op_common/log/log.h"])
def test_helpers_of_tiling(namespace: str, utilities: str, log: str, tmp_path: Path) -> None:
    prefix = "op_common/op_host/" if log.startswith("op_common") else ""
    headers = (log, f"{prefix}util/math_util.h", f"{prefix}util/platform_util.h", utilities, "tiling/tiling_api.h")
    compile_library(tmp_path, included(*headers) + PLATFORM.replace("{0}", namespace))


@pytest.mark.parametrize("shapes", ["util/shape_util.h", "op_common/op_host/util/shape_util.h"])
def test_infer_shape(shapes: str, tmp_path: Path) -> None:
    compile_library(tmp_path, included("log/log.h", "register/op_impl_registry.h", shapes) + SHAPES)
