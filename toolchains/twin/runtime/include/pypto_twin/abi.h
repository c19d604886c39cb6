// The contract between a compiled twin variant and whoever loads it (the test library, through ctypes).
// Plain C, so that any language can declare it; change the layout only together with its readers.
#ifndef PYPTO_TWIN_ABI_H_
#define PYPTO_TWIN_ABI_H_

#include <stdint.h>

#define PYPTO_TWIN_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pypto_twin_launch {
  uint32_t struct_size; /* sizeof(pypto_twin_launch): version check */
  uint32_t block_dim;
  uint32_t arg_count; /* pointer parameters in order, workspace last, without tiling */
  uint32_t threads; /* 0 or 1: blocks one after the other; n: up to n at the same time, with the same results */
  void* const* args;
  const uint64_t* arg_bytes; /* size of each buffer in bytes: bounds of every load and store */
  const void* tiling;
  uint64_t tiling_bytes;
  char* message; /* receives the error text, NUL-terminated, cut to message_bytes */
  uint64_t message_bytes;
  int32_t site; /* out: site id of the failing operation, -1 if none */
} pypto_twin_launch;

/* 0 = done; 1 = the kernel broke a rule (message, site); 2 = the launch itself is wrong (message). */
typedef int32_t (*pypto_twin_entry)(pypto_twin_launch*);

#ifdef __cplusplus
}
#endif

#endif  // PYPTO_TWIN_ABI_H_
