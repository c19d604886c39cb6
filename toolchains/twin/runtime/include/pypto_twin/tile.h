// Tiles: regions of on-chip memory with a dtype, a shape and a valid part of it. Row-major (ND).
// Docs: basic_data_structures/{TileType,Tile,CompactMode}.md,
// operation/resource_management/{make_tile,make_tile_group}.md,
// operation/memory_vector_computation/transpose_and_element_access/set_validshape.md.
#ifndef PYPTO_TWIN_TILE_H_
#define PYPTO_TWIN_TILE_H_

#include <stdint.h>

#include "pypto_twin/block.h"
#include "pypto_twin/memory.h"
#include "pypto_twin/types.h"

namespace pypto_twin {

namespace detail {

// The bits of an element with the padding value. Docs: TilePad.md: zero, or the dtype's largest or smallest (finite)
// value.
template <class T>
constexpr uint64_t padding_bits(pad padding) {
  if (padding == pad::null || padding == pad::zero) return 0;
  const bool top = padding == pad::max;
  switch (dtype<T>::index) {
    case dtype<half>::index:
      return top ? 0x7bffu : 0xfbffu;
    case dtype<bfloat16>::index:
      return top ? 0x7f7fu : 0xff7fu;
    case dtype<float>::index:
      return top ? 0x7f7fffffu : 0xff7fffffu;
    case dtype<boolean>::index:
      return top ? 1 : 0;
    default:
      return static_cast<uint64_t>(top ? max_of<typename dtype<T>::compute>() : min_of<typename dtype<T>::compute>());
  }
}

}  // namespace detail

template <class T, int64_t kRowCount, int64_t kColCount, space kWhere = space::vec, int64_t kValidRows = -1,
          int64_t kValidCols = -1, int kCompactMode = 0, pad kPadding = pad::null>
struct TileType {
  static_assert(kRowCount > 0 && kColCount > 0, "pl.TileType: every size of a shape must be positive");
  // Docs: operation/memory_data_movement/load.md, `dst_tile`: the shape must be aligned, the valid shape need not be.
  static_assert(kColCount * sizeof(T) % 32 == 0, "pl.TileType: a row of a tile must be a multiple of 32 bytes");
  static_assert(kValidRows >= -1 && kValidRows != 0 && kValidRows <= kRowCount,
                "pl.TileType: valid_shape[0] must be -1 or 1..shape[0]");
  static_assert(kValidCols >= -1 && kValidCols != 0 && kValidCols <= kColCount,
                "pl.TileType: valid_shape[1] must be -1 or 1..shape[1]");
  // Docs: CompactMode.md: 2 (row_plus_one) is for NZ tiles, whose layout the twin does not model.
  static_assert(kCompactMode >= 0 && kCompactMode <= 1, "pl.TileType: compact must be None, 0 or 1");

  using element = T;
  static constexpr int64_t kRows = kRowCount;
  static constexpr int64_t kCols = kColCount;
  static constexpr space kSpace = kWhere;
  static constexpr int64_t kBytes = kRowCount * kColCount * static_cast<int64_t>(sizeof(T));
  static constexpr TileInfo kInfo = {
      dtype<T>::name, sizeof(T), kRowCount,    kColCount, kValidRows,
      kValidCols,     kWhere,    kCompactMode, kPadding,  detail::padding_bits<T>(kPadding)};
};

template <class Type>
struct Tile {
  TileState* state;
};

template <class Type, int N>
class TileGroup {
 public:
  Tile<Type> slots[N];
  TileState* rotation;  // addr holds the slot last selected; it starts at the last one, so that the first next()
                        // selects slot 0

  Tile<Type> next() const {
    rotation->addr = (rotation->addr + 1) % N;
    return current();
  }
  Tile<Type> current() const { return slots[rotation->addr]; }
  Tile<Type> previous() const { return slots[(rotation->addr + N - 1) % N]; }

  // group[i]: a slot by number; the rotation stays where it is.
  Tile<Type> at(Block& block, int32_t site, int64_t index) const {
    if (index < 0 || index >= N) {
      fail(block, site, "make_tile_group", "index %lld is outside the group, which has %d tiles (0 to %d)",
           static_cast<ll>(index), N, N - 1);
    }
    return slots[index];
  }
};

namespace detail {

inline TileState* place_tile(Block& block, int32_t site, const char* operation, const TileInfo& info, int64_t addr,
                             int64_t size) {
  const SpaceRule& rule = rule_of(info.where);
  const int64_t needed = info.rows * info.cols * info.element_bytes;
  const int64_t capacity = block.capacity(info.where);
  if (addr < 0 || addr % rule.alignment != 0) {
    fail(block, site, operation,
         "address %lld is not a multiple of %lld, which %s demands; the next free address is %lld",
         static_cast<ll>(addr), static_cast<ll>(rule.alignment), rule.name,
         static_cast<ll>(addr < 0 ? 0 : (addr / rule.alignment + 1) * rule.alignment));
  }
  if (size < needed) {
    fail(block, site, operation, "size=%lld is too small: a tile of shape [%lld, %lld] and %s has %lld bytes",
         static_cast<ll>(size), static_cast<ll>(info.rows), static_cast<ll>(info.cols), info.dtype,
         static_cast<ll>(needed));
  }
  if (size > capacity || addr > capacity - size) {
    fail(block, site, operation,
         "bytes %lld to %lld lie outside %s of %s, which has %lld bytes; use a smaller tile or address",
         static_cast<ll>(addr), static_cast<ll>(addr) + static_cast<ll>(size), rule.name, block.model().name,
         static_cast<ll>(capacity));
  }
  TileState* state = block.new_tile_state();
  // Not set yet, a dynamic valid shape is the whole tile.
  *state = TileState{&info, block.memory(info.where) + addr, addr, info.static_rows < 0 ? info.rows : info.static_rows,
                     info.static_cols < 0 ? info.cols : info.static_cols};
  return state;
}

inline TileState* new_rotation(Block& block, int64_t start) {
  TileState* state = block.new_tile_state();
  *state = TileState{nullptr, nullptr, start, 0, 0};
  return state;
}

inline void set_valid(Block& block, int32_t site, TileState* tile, int64_t rows, int64_t cols) {
  const TileInfo& info = *tile->info;
  if (rows < 1 || cols < 1 || rows > info.rows || cols > info.cols) {
    fail(block, site, "set_validshape",
         "[%lld, %lld] is outside the tile: its shape is [%lld, %lld] and both values must be at least 1",
         static_cast<ll>(rows), static_cast<ll>(cols), static_cast<ll>(info.rows), static_cast<ll>(info.cols));
  }
  if ((info.static_rows >= 0 && rows != info.static_rows) || (info.static_cols >= 0 && cols != info.static_cols)) {
    fail(block, site, "set_validshape",
         "[%lld, %lld] differs from the tile's fixed valid_shape [%lld, %lld]; declare the TileType with "
         "valid_shape=[-1, -1]",
         static_cast<ll>(rows), static_cast<ll>(cols), static_cast<ll>(info.static_rows),
         static_cast<ll>(info.static_cols));
  }
  tile->valid_rows = rows;
  tile->valid_cols = cols;
}

}  // namespace detail

template <class Type>
inline Tile<Type> make_tile(Block& block, int32_t site, int64_t addr, int64_t size) {
  return Tile<Type>{detail::place_tile(block, site, "make_tile", Type::kInfo, addr, size)};
}

template <class Type, int N>
inline TileGroup<Type, N> make_tile_group(Block& block, int32_t site, const Dims<N>& addrs) {
  TileGroup<Type, N> group = {};
  for (int slot = 0; slot < N; ++slot) {
    group.slots[slot].state =
        detail::place_tile(block, site, "make_tile_group", Type::kInfo, addrs.at[slot], Type::kBytes);
  }
  group.rotation = detail::new_rotation(block, N - 1);
  return group;
}

template <class Type, int N>
inline TileGroup<Type, N> make_tile_group(Block& block, int32_t site, int64_t base) {
  Dims<N> addrs = {};
  for (int slot = 0; slot < N; ++slot) addrs.at[slot] = base + slot * Type::kBytes;
  return make_tile_group<Type, N>(block, site, addrs);
}

template <class Type>
inline void set_validshape(Block& block, int32_t site, Tile<Type> tile, int64_t rows, int64_t cols) {
  detail::set_valid(block, site, tile.state, rows, cols);
}

template <class Type, int N>
inline void set_validshape(Block& block, int32_t site, const TileGroup<Type, N>& group, int64_t rows, int64_t cols) {
  for (int slot = 0; slot < N; ++slot) detail::set_valid(block, site, group.slots[slot].state, rows, cols);
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_TILE_H_
