// All of the twin run time, and `run`, which an entry point calls.
#ifndef PYPTO_TWIN_RUNTIME_H_
#define PYPTO_TWIN_RUNTIME_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pypto_twin/abi.h"
#include "pypto_twin/block.h"
#include "pypto_twin/control.h"
#include "pypto_twin/memory.h"
#include "pypto_twin/ops_cast.h"
#include "pypto_twin/ops_elementwise.h"
#include "pypto_twin/ops_misc.h"
#include "pypto_twin/ops_move.h"
#include "pypto_twin/schedule.h"
#include "pypto_twin/soc.h"
#include "pypto_twin/tile.h"
#include "pypto_twin/types.h"

namespace pypto_twin {

struct NoTiling {};

namespace detail {

__attribute__((noinline, cold, format(printf, 2, 3))) inline int32_t refuse(pypto_twin_launch* launch,
                                                                            const char* format, ...) {
  va_list values;
  va_start(values, format);
  write_message(launch, format, values);
  va_end(values);
  return kBadLaunch;
}

// What the caller must have got right before a kernel may run.
inline int32_t check_launch(pypto_twin_launch* launch, uint32_t args, uint64_t tiling_bytes) {
  if (launch->struct_size != sizeof(pypto_twin_launch))
    return kBadLaunch;  // another layout: even `message` may lie elsewhere
  launch->site = -1;
  if (launch->message != nullptr && launch->message_bytes != 0) launch->message[0] = 0;
  if (launch->block_dim < 1 || launch->block_dim > kMaxBlockDim) {
    return refuse(launch, "launch: block_dim is %u; allowed are 1 to %u", launch->block_dim, kMaxBlockDim);
  }
  if (launch->arg_count != args) {
    return refuse(launch, "launch: %u pointer arguments given, the kernel has %u (workspace included, tiling not)",
                  launch->arg_count, args);
  }
  if (launch->tiling_bytes != tiling_bytes || (tiling_bytes != 0 && launch->tiling == nullptr)) {
    return refuse(launch, "launch: TilingData of %llu bytes given, the kernel reads %llu",
                  static_cast<unsigned long long>(launch->tiling_bytes), static_cast<unsigned long long>(tiling_bytes));
  }
  for (uint32_t index = 0; index < args; ++index) {
    if (launch->arg_bytes[index] > static_cast<uint64_t>(INT64_MAX) ||
        (launch->args[index] == nullptr && launch->arg_bytes[index] != 0)) {
      return refuse(
          launch,
          "launch: pointer argument %u has address %p and %llu bytes; give the buffer, or no address and 0 bytes",
          index, launch->args[index], static_cast<unsigned long long>(launch->arg_bytes[index]));
    }
  }
  return kDone;
}

}  // namespace detail

// Runs the kernel body for every block; in a mixed kernel first on the block's cube core, then on its vector cores.
template <const soc::Model& kSoc, core kCore, uint32_t kArgs, class Tiling>
inline int32_t run(pypto_twin_launch* launch, void (*body)(Block&, const Tiling&)) {
  constexpr bool kNoTiling = std::is_same<Tiling, NoTiling>::value;
  const int32_t checked = detail::check_launch(launch, kArgs, kNoTiling ? 0 : sizeof(Tiling));
  if (checked != detail::kDone) return checked;
  Tiling tiling = {};
  if (!kNoTiling) memcpy(static_cast<void*>(&tiling), launch->tiling, sizeof tiling);
  const auto call = [](Block& block, const detail::Work& work) {
    reinterpret_cast<void (*)(Block&, const Tiling&)>(work.body)(block, *static_cast<const Tiling*>(work.tiling));
  };
  const detail::Work work = {launch, &kSoc, kCore, reinterpret_cast<void (*)()>(body), &tiling, call};
  return detail::run_all(work);
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_RUNTIME_H_
