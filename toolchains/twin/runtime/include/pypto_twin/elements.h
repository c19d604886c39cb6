// Loops over the valid elements of tiles, and the checks that all vector operations share.
#ifndef PYPTO_TWIN_ELEMENTS_H_
#define PYPTO_TWIN_ELEMENTS_H_

#include <stdint.h>

#include "pypto_twin/tile.h"
#include "pypto_twin/types.h"

namespace pypto_twin {
namespace detail {

// Elements go through small arrays: all reads of a chunk come before its writes (out may be an operand), and the fixed
// trip count lets the compiler vectorise at -O2.
inline constexpr int kChunk = 16;

template <class Out, class A, class F>
inline void map_run(uint8_t* out, const uint8_t* a, int64_t count, F f) {
  typename dtype<A>::compute x[kChunk];
  typename dtype<Out>::compute y[kChunk];
  int64_t at = 0;
  for (; at + kChunk <= count; at += kChunk) {
    for (int k = 0; k < kChunk; ++k) x[k] = read<A>(a + (at + k) * static_cast<int64_t>(sizeof(A)));
    for (int k = 0; k < kChunk; ++k) y[k] = f(x[k]);
    for (int k = 0; k < kChunk; ++k) write<Out>(out + (at + k) * static_cast<int64_t>(sizeof(Out)), y[k]);
  }
  for (; at < count; ++at) {
    write<Out>(out + at * static_cast<int64_t>(sizeof(Out)), f(read<A>(a + at * static_cast<int64_t>(sizeof(A)))));
  }
}

template <class T, class F>
inline void zip_run(uint8_t* out, const uint8_t* a, const uint8_t* b, int64_t count, F f) {
  constexpr int64_t kSize = sizeof(T);
  typename dtype<T>::compute x[kChunk];
  typename dtype<T>::compute y[kChunk];
  int64_t at = 0;
  for (; at + kChunk <= count; at += kChunk) {
    for (int k = 0; k < kChunk; ++k) x[k] = read<T>(a + (at + k) * kSize);
    for (int k = 0; k < kChunk; ++k) y[k] = read<T>(b + (at + k) * kSize);
    for (int k = 0; k < kChunk; ++k) x[k] = f(x[k], y[k]);
    for (int k = 0; k < kChunk; ++k) write<T>(out + (at + k) * kSize, x[k]);
  }
  for (; at < count; ++at) write<T>(out + at * kSize, f(read<T>(a + at * kSize), read<T>(b + at * kSize)));
}

// Calls visit(first element, count) for runs of valid elements: one run for full rows, else one a row.
template <class Visit>
inline void for_runs(const TileState& tile, Visit visit) {
  const int64_t cols = tile.info->cols;
  if (tile.valid_cols == cols) return visit(int64_t{0}, tile.valid_rows * cols);
  for (int64_t row = 0; row < tile.valid_rows; ++row) visit(row * cols, tile.valid_cols);
}

// Position of the first valid element for which bad(value) holds, -1 if none.
template <class T, class Bad>
inline int64_t find_element(const TileState& tile, Bad bad) {
  int64_t found = -1;
  for_runs(tile, [&](int64_t first, int64_t count) {
    if (found >= 0) return;
    const uint8_t* from = tile.data + first * static_cast<int64_t>(sizeof(T));
    unsigned any = 0;
    for (int64_t k = 0; k < count; ++k)
      any |= static_cast<unsigned>(bad(read<T>(from + k * static_cast<int64_t>(sizeof(T)))));
    for (int64_t k = 0; any != 0 && found < 0; ++k) {
      if (bad(read<T>(from + k * static_cast<int64_t>(sizeof(T))))) found = first + k;
    }
  });
  return found;
}

[[noreturn]] __attribute__((noinline, cold)) inline void fail_element(Block& block, int32_t site, const char* operation,
                                                                      const TileState& tile, int64_t position,
                                                                      double value, const char* rule) {
  fail(block, site, operation, "element [%lld, %lld] of the tile is %g; %s",
       static_cast<ll>(position / tile.info->cols), static_cast<ll>(position % tile.info->cols), value, rule);
}

inline int64_t end_of(const TileState& tile) {
  return tile.addr + ((tile.valid_rows - 1) * tile.info->cols + tile.valid_cols) * tile.info->element_bytes;
}

inline bool overlap(const TileState& a, const TileState& b) { return a.addr < end_of(b) && b.addr < end_of(a); }

// The docs ask for equal shapes (checked when compiled) and allow `out` to be the operand itself, so a partial overlap
// is an error.
inline void check_operand(Block& block, int32_t site, const char* operation, const TileState& out,
                          const TileState& operand, const char* name) {
  if (out.valid_rows != operand.valid_rows || out.valid_cols != operand.valid_cols) {
    fail(block, site, operation,
         "valid shapes differ: out [%lld, %lld], %s [%lld, %lld]; give them the same with set_validshape",
         static_cast<ll>(out.valid_rows), static_cast<ll>(out.valid_cols), name, static_cast<ll>(operand.valid_rows),
         static_cast<ll>(operand.valid_cols));
  }
  const bool same = out.addr == operand.addr && out.info->element_bytes == operand.info->element_bytes;
  if (!same && overlap(out, operand)) {
    fail(block, site, operation,
         "out (bytes %lld to %lld of UB) overlaps %s (bytes %lld to %lld); use the same tile or separate ones",
         static_cast<ll>(out.addr), static_cast<ll>(end_of(out)), name, static_cast<ll>(operand.addr),
         static_cast<ll>(end_of(operand)));
  }
}

// What the types of out and operand must have in common; the generator has refused the rest with file and line before.
template <class Out, class Operand>
inline constexpr bool same_shape = Out::kRows == Operand::kRows && Out::kCols == Operand::kCols;
template <class Out, class Operand>
inline constexpr bool same_dtype = std::is_same<typename Out::element, typename Operand::element>::value;

}  // namespace detail
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_ELEMENTS_H_
