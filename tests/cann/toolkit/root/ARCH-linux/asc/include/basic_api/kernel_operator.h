// Stand-in for AscendC's kernel_operator.h: what generated kernel sources name, so that a host compiler takes them.
#pragma once

#include <cstdint>

#define __gm__
#define __aicore__
#define __global__
#define AICORE
#define GM_ADDR uint8_t*

struct half {
    uint16_t bits;
};
struct bfloat16_t {
    uint16_t bits;
};

enum KernelMetaType {
    KERNEL_TYPE_AIV_ONLY,
    KERNEL_TYPE_AIC_ONLY,
    KERNEL_TYPE_MIX_AIV_1_0,
    KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1,
    KERNEL_TYPE_MIX_AIC_1_2,
};
#define KERNEL_TASK_TYPE_DEFAULT(type) static_assert(static_cast<KernelMetaType>(type) == (type), "a kernel type")

enum FunMetaType { F_TYPE_KTYPE = 1, F_TYPE_MIX_TASK_RATION = 3 };
enum KernelType {
    K_TYPE_AICORE = 1,
    K_TYPE_AIC = 2,
    K_TYPE_AIV = 3,
    K_TYPE_MIX_AIC_MAIN = 4,
    K_TYPE_MIX_AIV_MAIN = 5,
};
enum BinaryMetaType {
    B_TYPE_BIN_VERSION_INFO,
    B_TYPE_DEBUG_INFO,
    B_TYPE_DYNAMIC_PARAM,
    B_TYPE_OPTIONAL_PARAM,
};

struct BaseTlv {
    unsigned short type;
    unsigned short len;
};

// A function's records: each is a structure of its own, since they are initialised with braces around each.
struct KTypeRecord {
    BaseTlv head;
    unsigned int ktype;
};
struct TaskRationRecord {
    BaseTlv head;
    unsigned short aic;
    unsigned short aiv;
};
struct FunLevelKType {
    KTypeRecord ktype;
};
struct FunLevelMixCoreType {
    KTypeRecord ktype;
    TaskRationRecord ration;
};

struct BinaryMetaVersion {
    BaseTlv head;
    unsigned int version;
};
struct BinaryMetaDebug {
    BaseTlv head;
    unsigned int a;
    unsigned int b;
};
struct BinaryMetaDynamicParam {
    BaseTlv head;
    unsigned short a;
    unsigned short b;
};
struct BinaryMetaOptionalParam {
    BaseTlv head;
    unsigned short a;
    unsigned short b;
};
