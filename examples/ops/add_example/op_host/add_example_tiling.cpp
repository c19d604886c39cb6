// How the elements are dealt out to the vector cores. AddExampleTilingData and GET_TPL_TILING_KEY come from
// op_kernel/add_example.py: the build puts the generated headers in front of this file.
#include <algorithm>

#include "exe_graph/runtime/tiling_context.h"
#include "log/log.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "util/math_util.h"

namespace optiling {

struct AddExampleCompileInfo {};

constexpr int64_t MIN_ELEMENTS_PER_CORE = 512;  // fewer are not worth a core
constexpr int64_t TILE = 4096;                  // elements of the kernel's largest tile
constexpr uint64_t SINGLE = 0;
constexpr uint64_t DOUBLE = 1;

static ge::graphStatus CheckShapes(gert::TilingContext* context, int64_t& total)
{
    const gert::StorageShape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    const gert::StorageShape* y = context->GetInputShape(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, y);
    OP_CHECK_IF(x->GetStorageShape() != y->GetStorageShape(),
                OP_LOGE(context, "x has the shape %s and y %s; they must be the same",
                        Ops::Base::ToString(x->GetStorageShape()).c_str(),
                        Ops::Base::ToString(y->GetStorageShape()).c_str()),
                return ge::GRAPH_FAILED);
    total = x->GetStorageShape().GetShapeSize();
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus AddExampleTilingFunc(gert::TilingContext* context)
{
    fe::PlatFormInfos* platform = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platform);
    const int64_t cores = platform_ascendc::PlatformAscendC(platform).GetCoreNumAiv();
    OP_CHECK_IF(cores == 0, OP_LOGE(context, "the platform has no vector cores"), return ge::GRAPH_FAILED);

    int64_t total = 0;
    if (CheckShapes(context, total) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    // An empty tensor needs a block, too: it finds nothing to do.
    const int64_t wanted = std::max<int64_t>(Ops::Base::CeilDiv(total, MIN_ELEMENTS_PER_CORE), 1);
    const int64_t blocks = std::min(cores, wanted);

    AddExampleTilingData* tiling = context->GetTilingData<AddExampleTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->total_length = total;
    tiling->tile_num = std::max<int64_t>(Ops::Base::CeilDiv(Ops::Base::CeilDiv(total, blocks), TILE), 1);

    // With more than one tile in a core, the next can be loaded while one is added.
    context->SetTilingKey(GET_TPL_TILING_KEY(tiling->tile_num > 1 ? DOUBLE : SINGLE));
    context->SetBlockDim(static_cast<uint32_t>(blocks));

    size_t* workspace = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
    workspace[0] = 0;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TilingParseForAddExample([[maybe_unused]] gert::TilingParseContext* context)
{
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(AddExample).Tiling(AddExampleTilingFunc).TilingParse<AddExampleCompileInfo>(TilingParseForAddExample);

}  // namespace optiling
