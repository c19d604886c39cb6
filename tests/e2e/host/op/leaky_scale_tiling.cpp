#include "log/log.h"
#include "register/op_impl_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    const gert::StorageShape* x = context->GetInputShape(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    const int64_t total = x->GetStorageShape().GetShapeSize();

    LeakyScaleTiling* tiling = context->GetTilingData<LeakyScaleTiling>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->total = total;
    tiling->per_core = 128;
    tiling->alpha = *context->GetAttrs()->GetFloat(0);

    const uint64_t tail = total / 128 % 2 != 0;
    const uint64_t tile = 128;
    context->SetTilingKey(GET_TPL_TILING_KEY(tail, tile));
    context->SetBlockDim(1);
    size_t* workspace = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, workspace);
    workspace[0] = total;
    return ge::GRAPH_SUCCESS;
}

struct CompileInfo {};
static ge::graphStatus Parse(gert::TilingParseContext*) { return ge::GRAPH_SUCCESS; }

IMPL_OP_OPTILING(LeakyScale).Tiling(TilingFunc).TilingParse<CompileInfo>(Parse);
}  // namespace optiling
