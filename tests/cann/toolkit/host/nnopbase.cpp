// The stand-in's nnopbase: links, and refuses to run.
#include "standin_nnopbase.h"

extern "C" {
void* NnopbaseGetExecutor(const char*) { return nullptr; }
aclnnStatus NnopbaseAddInput(void*, const aclTensor*, uint32_t) { return 1; }
aclnnStatus NnopbaseAddOutput(void*, const aclTensor*, uint32_t) { return 1; }
aclnnStatus NnopbaseAddDynamicInput(void*, const aclTensorList*, uint32_t) { return 1; }
aclnnStatus NnopbaseAddDynamicOutput(void*, const aclTensorList*, uint32_t) { return 1; }
aclnnStatus NnopbaseAddAttr(void*, const void*, uint32_t) { return 1; }
aclnnStatus NnopbaseRunForWorkspace(void*, uint64_t*) { return 1; }
aclnnStatus NnopbaseRunWithWorkspace(void*, aclrtStream, void*, uint64_t) { return 1; }
}
