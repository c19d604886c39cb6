// Chooses the tile by the number of elements; a division takes tiles of at most 1024 (is_valid of the kernel).
#include <algorithm>

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "util/math_util.h"

namespace optiling {

struct ScaleByCompileInfo {};

static ge::graphStatus ScaleByTilingFunc(gert::TilingContext* context)
{
    const gert::StorageShape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    const gert::StorageShape* w = context->GetInputShape(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, w);
    OP_CHECK_IF(x->GetStorageShape() != w->GetStorageShape(),
                OP_LOGE(context, "x and w have different shapes: %s and %s",
                        Ops::Base::ToString(x->GetStorageShape()).c_str(),
                        Ops::Base::ToString(w->GetStorageShape()).c_str()),
                return ge::GRAPH_FAILED);
    const bool* divide = context->GetAttrs()->GetBool(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, divide);

    ScaleByTiling* tiling = context->GetTilingData<ScaleByTiling>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->total = x->GetStorageShape().GetShapeSize();

    const int64_t largest = *divide ? 1024 : 4096;
    const int64_t tile = tiling->total <= 256 ? 256 : std::min<int64_t>(largest, tiling->total <= 8192 ? 1024 : 4096);
    context->SetTilingKey(GET_TPL_TILING_KEY(*divide ? 1 : 0, tile));

    const int64_t cores = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
    const int64_t tiles = std::max<int64_t>(Ops::Base::CeilDiv(tiling->total, tile), 1);
    context->SetBlockDim(static_cast<uint32_t>(std::min(cores, tiles)));
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ScaleBy).Tiling(ScaleByTilingFunc).TilingParse<ScaleByCompileInfo>([](gert::TilingParseContext*) {
    return ge::GRAPH_SUCCESS;
});

}  // namespace optiling
