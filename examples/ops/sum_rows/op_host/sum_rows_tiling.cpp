// The columns are dealt out to the vector cores. A sum of many rows is taken in two passes: partial sums go to the
// workspace, whose size is known here alone.
#include <algorithm>

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "util/math_util.h"

namespace optiling {

struct SumRowsCompileInfo {
    int64_t cores = 0;
    uint64_t systemWorkspace = 0;
};

constexpr int64_t TILE = 2048;       // columns of the kernel's tile
constexpr int64_t CHUNK_ROWS = 64;   // rows of a partial sum
constexpr uint64_t ONE_PASS = 0;
constexpr uint64_t TWO_PASSES = 1;

static ge::graphStatus TilingParseForSumRows(gert::TilingParseContext* context)
{
    auto* info = context->GetCompiledInfo<SumRowsCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    fe::PlatFormInfos* platformInfo = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platformInfo);
    const auto platform = platform_ascendc::PlatformAscendC(platformInfo);
    info->cores = platform.GetCoreNumAiv();
    info->systemWorkspace = platform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus CheckBias(gert::TilingContext* context, int64_t columns, bool& hasBias)
{
    const gert::StorageShape* bias = context->GetOptionalInputShape(1);
    hasBias = bias != nullptr;
    OP_CHECK_IF(hasBias && bias->GetStorageShape().GetShapeSize() != columns,
                OP_LOGE(context, "bias has %ld elements; x has %ld columns", bias->GetStorageShape().GetShapeSize(),
                        columns),
                return ge::GRAPH_FAILED);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus SumRowsTilingFunc(gert::TilingContext* context)
{
    const auto* info = context->GetCompileInfo<SumRowsCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    const gert::StorageShape* input = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, input);
    const gert::Shape& x = input->GetStorageShape();
    OP_CHECK_IF(x.GetDimNum() == 0, OP_LOGE(context, "x is a scalar; it has no rows to sum"),
                return ge::GRAPH_FAILED);
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
    const float* scale = attrs->GetAttrPointer<float>(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, scale);

    const int64_t rows = x.GetDim(0);
    int64_t columns = 1;
    for (size_t i = 1; i < x.GetDimNum(); i++) {
        columns *= x.GetDim(i);
    }
    bool hasBias = false;
    if (CheckBias(context, columns, hasBias) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }

    SumRowsTiling* tiling = context->GetTilingData<SumRowsTiling>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->rows = rows;
    tiling->columns = columns;
    tiling->chunk_rows = CHUNK_ROWS;
    tiling->chunks = Ops::Base::CeilDiv(rows, CHUNK_ROWS);
    tiling->scale = *scale;

    const uint64_t passes = tiling->chunks > 1 ? TWO_PASSES : ONE_PASS;
    context->SetTilingKey(GET_TPL_TILING_KEY(passes, hasBias ? 1 : 0));
    const int64_t tiles = std::max<int64_t>(Ops::Base::CeilDiv(columns, TILE), 1);
    context->SetBlockDim(static_cast<uint32_t>(std::min(info->cores, tiles)));

    size_t* workspace = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
    const uint64_t partialSums = passes == TWO_PASSES ? tiling->chunks * columns * sizeof(float) : 0;
    workspace[0] = partialSums == 0 ? 0 : partialSums + info->systemWorkspace;
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(SumRows).Tiling(SumRowsTilingFunc).TilingParse<SumRowsCompileInfo>(TilingParseForSumRows);

}  // namespace optiling
