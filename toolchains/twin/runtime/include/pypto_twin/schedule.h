// Deals the blocks of a launch out: one after the other, or to threads with the same results.
#ifndef PYPTO_TWIN_SCHEDULE_H_
#define PYPTO_TWIN_SCHEDULE_H_

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "pypto_twin/abi.h"
#include "pypto_twin/block.h"
#include "pypto_twin/error.h"
#include "pypto_twin/soc.h"

namespace pypto_twin {

// The cores a kernel runs on: its sections decide.
enum class core { vector, cube, mix };

namespace detail {

enum Result : int32_t { kDone = 0, kRuleBroken = 1, kBadLaunch = 2 };

inline constexpr uint32_t kMostThreads = 64;

// A launch, and the kernel body behind types that every kernel shares.
struct Work {
  pypto_twin_launch* launch;
  const soc::Model* model;
  core cores;
  void (*body)();
  const void* tiling;
  void (*call)(Block&, const Work&);
};

// One block on all its cores.
inline void run_block(Block& block, const Work& work, int64_t index, int64_t blocks) {
  if (work.cores != core::vector) {
    block.start(index, blocks, 0, 1, false);
    work.call(block, work);
  }
  const int64_t sub_blocks = work.cores == core::cube     ? 0
                             : work.cores == core::vector ? 1
                                                          : work.model->vector_per_cube;
  for (int64_t sub = 0; sub < sub_blocks; ++sub) {
    block.start(index, blocks, sub, sub_blocks, true);
    work.call(block, work);
  }
  block.need(block.accesses().finish_block());
}

inline int32_t run_range(Block& block, const Work& work, int64_t begin, int64_t end) {
  try {
    for (int64_t index = begin; index < end; ++index) run_block(block, work, index, work.launch->block_dim);
  } catch (const Failure&) {
    return kRuleBroken;
  }
  return kDone;
}

inline int32_t run_in_turn(const Work& work) {
  Block block(work.launch, *work.model);
  return run_range(block, work, 0, work.launch->block_dim);
}

// The buffers as they were before the launch.
class Copies {
 public:
  explicit Copies(const pypto_twin_launch& launch) : launch_(launch) {
    copies_ = static_cast<void**>(calloc(launch.arg_count == 0 ? 1 : launch.arg_count, sizeof(void*)));
    complete_ = copies_ != nullptr;
    for (uint32_t index = 0; complete_ && index < launch.arg_count; ++index) {
      const size_t bytes = static_cast<size_t>(launch.arg_bytes[index]);
      if (bytes == 0) continue;
      copies_[index] = malloc(bytes);
      complete_ = copies_[index] != nullptr;
      if (complete_) memcpy(copies_[index], launch.args[index], bytes);
    }
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    for (uint32_t index = 0; copies_ != nullptr && index < launch_.arg_count; ++index) free(copies_[index]);
    free(copies_);
  }

  bool complete() const { return complete_; }
  void restore() const {
    for (uint32_t index = 0; index < launch_.arg_count; ++index) {
      if (copies_[index] == nullptr) continue;
      memcpy(launch_.args[index], copies_[index], static_cast<size_t>(launch_.arg_bytes[index]));
    }
  }

 private:
  const pypto_twin_launch& launch_;
  void** copies_ = nullptr;
  bool complete_ = false;
};

// A thread's share of the blocks. Its errors go nowhere: a launch with one is repeated in turn.
struct Share {
  Share(const Work& of, int64_t first, int64_t last) : launch(*of.launch), work(of), begin(first), end(last) {
    launch.message = nullptr;
    launch.message_bytes = 0;
    work.launch = &launch;
  }
  static void* run(void* share) {
    Share& self = *static_cast<Share*>(share);
    self.result = run_range(self.block, self.work, self.begin, self.end);
    return nullptr;
  }

  pypto_twin_launch launch;
  Work work;
  int64_t begin;
  int64_t end;
  Block block{&launch, *work.model};
  int32_t result = kDone;
  pthread_t thread = {};
  bool started = false;
};

// Whether no block touched what another one wrote.
inline bool are_apart(Share* const* shares, uint32_t count) {
  for (uint32_t one = 0; one < count; ++one) {
    for (uint32_t other = 0; other < count; ++other) {
      if (one == other) continue;
      const Accesses& seen = shares[other]->block.accesses();
      const Ranges& written = shares[one]->block.accesses().earlier_writes;
      if (seen.earlier_reads.meets(written) || (one < other && seen.earlier_writes.meets(written))) return false;
    }
  }
  return true;
}

// All shares at the same time. False when that went wrong or says nothing: the launch has to be repeated in turn.
inline bool run_at_once(const Work& work, uint32_t threads) {
  Share* shares[kMostThreads] = {};
  const int64_t blocks = work.launch->block_dim;
  bool good = true;
  for (uint32_t index = 0; index < threads; ++index) {
    shares[index] = new (std::nothrow) Share(work, blocks * index / threads, blocks * (index + 1) / threads);
    good = good && shares[index] != nullptr;
    if (!good) continue;
    shares[index]->started = pthread_create(&shares[index]->thread, nullptr, Share::run, shares[index]) == 0;
    good = shares[index]->started;
  }
  for (Share* share : shares) {
    if (share == nullptr || !share->started) continue;
    pthread_join(share->thread, nullptr);
    good = good && share->result == kDone;
  }
  good = good && are_apart(shares, threads);
  for (Share* share : shares) delete share;
  return good;
}

// What threads find out about each other depends on their timing; in turn, every error and every race is always the same.
// So a launch that was not clean is put back and repeated in turn, where equal bytes are told from a race, too.
inline int32_t run_all(const Work& work) {
  const uint32_t wanted = work.launch->threads < kMostThreads ? work.launch->threads : kMostThreads;
  const uint32_t threads = wanted < work.launch->block_dim ? wanted : work.launch->block_dim;
  if (threads < 2) return run_in_turn(work);
  const Copies before(*work.launch);
  if (!before.complete()) return run_in_turn(work);
  if (run_at_once(work, threads)) return kDone;
  before.restore();
  return run_in_turn(work);
}

}  // namespace detail
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_SCHEDULE_H_
