// Moves between global memory and UB tiles. Docs: operation/memory_data_movement/{load,load_tile,store,store_tile}.md.
// Only the valid region moves. Offsets are absolute element coordinates, or tile numbers on the two tile axes for the
// *_tile forms.
#ifndef PYPTO_TWIN_OPS_MOVE_H_
#define PYPTO_TWIN_OPS_MOVE_H_

#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "pypto_twin/memory.h"
#include "pypto_twin/tile.h"

namespace pypto_twin {

// The tensor axes of a tile's rows and columns: `order` of the loads, `tile_dims` of the stores.
struct Axes {
  int rows;
  int cols;
};

namespace detail {

struct View {
  const Place& place;
  const int64_t* shape;
  const int64_t* stride;
  int rank;
  int64_t element_bytes;
};

struct Transfer {
  const char* operation;
  bool in_tiles;
  bool is_store;
};

// The last two axes; a 1-D tensor is one row.
inline Axes default_axes(int rank) { return Axes{rank - 2, rank - 1}; }

inline void check_axes(Block& block, int32_t site, const Transfer& how, const View& view, Axes axes) {
  const char* keyword = how.is_store ? "tile_dims" : "order";
  if (axes.rows < 0 || axes.cols < 0 || axes.rows >= view.rank || axes.cols >= view.rank || axes.rows == axes.cols) {
    fail(block, site, how.operation, "%s=[%d, %d] must name two different axes of the tensor, which has %d (0 to %d)",
         keyword, axes.rows, axes.cols, view.rank, view.rank - 1);
  }
  if (axes.rows > axes.cols) {
    fail(block, site, how.operation,
         "%s=[%d, %d] transposes, which a row-major UB tile cannot do; write the axes in ascending order", keyword,
         axes.rows, axes.cols);
  }
}

// The offset along one axis in elements, checked against the axis: `extent` elements from it are moved.
inline int64_t axis_offset(Block& block, int32_t site, const Transfer& how, const View& view, int axis, int64_t offset,
                           int64_t unit, int64_t extent, const char* what) {
  int64_t start = 0;
  int64_t end = 0;
  if (offset < 0) fail(block, site, how.operation, "offset %lld on axis %d is negative", static_cast<ll>(offset), axis);
  const int64_t size = view.shape[axis];
  const bool overflow = __builtin_mul_overflow(offset, unit, &start) || __builtin_add_overflow(start, extent, &end);
  if (overflow || (what == nullptr && end > size)) {
    fail(block, site, how.operation,
         "offset %lld on axis %d is outside the tensor, which has %lld elements there (argument %u)",
         static_cast<ll>(offset), axis, static_cast<ll>(size), view.place.argument);
  }
  if (end > size) {
    fail(block, site, how.operation,
         "offset %lld on axis %d plus %lld valid %s ends at %lld, but the tensor has %lld elements there "
         "(argument %u); give a tail tile its size with set_validshape or end the loop earlier",
         static_cast<ll>(start), axis, static_cast<ll>(extent), what, static_cast<ll>(end), static_cast<ll>(size),
         view.place.argument);
  }
  return start;
}

inline void check_strides(Block& block, int32_t site, const Transfer& how, const View& view, const TileState& tile,
                          Axes axes) {
  // Docs: make_tensor.md, note: moves cover views whose last axis is contiguous.
  if (tile.valid_cols > 1 && view.stride[axes.cols] != 1) {
    fail(block, site, how.operation,
         "the tile's columns lie on axis %d, whose stride is %lld; moves need stride 1 there", axes.cols,
         static_cast<ll>(view.stride[axes.cols]));
  }
  if (how.is_store && tile.valid_rows > 1 && view.stride[axes.rows] < tile.valid_cols) {
    fail(block, site, how.operation,
         "stride %lld of axis %d is less than the %lld valid columns, so the rows would overwrite each other",
         static_cast<ll>(view.stride[axes.rows]), axes.rows, static_cast<ll>(tile.valid_cols));
  }
}

// The byte offset of the first element in the buffer, after every check.
inline int64_t locate(Block& block, int32_t site, const Transfer& how, const View& view, const TileState& tile,
                      const int64_t* offsets, Axes axes) {
  int64_t first = 0;
  bool overflow = false;
  for (int axis = 0; axis < view.rank; ++axis) {
    const bool is_rows = axis == axes.rows;
    const bool on_tile = is_rows || axis == axes.cols;
    const int64_t unit = !how.in_tiles || !on_tile ? 1 : is_rows ? tile.info->rows : tile.info->cols;
    const int64_t extent = !on_tile ? 1 : is_rows ? tile.valid_rows : tile.valid_cols;
    const char* what = !on_tile ? nullptr : is_rows ? "rows" : "columns";
    const int64_t start = axis_offset(block, site, how, view, axis, offsets[axis], unit, extent, what);
    int64_t step = 0;
    overflow |= __builtin_mul_overflow(start, view.stride[axis], &step);
    overflow |= __builtin_add_overflow(first, step, &first);
  }
  if (view.rank == 1 && tile.valid_rows != 1) {
    fail(block, site, how.operation,
         "the tile has %lld valid rows, but a tensor of one axis is one row; use a two-axis tensor",
         static_cast<ll>(tile.valid_rows));
  }
  check_strides(block, site, how, view, tile, axes);
  int64_t last = 0;
  int64_t bytes = 0;
  overflow |= axes.rows >= 0 && __builtin_mul_overflow(tile.valid_rows - 1, view.stride[axes.rows], &last);
  overflow |= __builtin_add_overflow(last, first, &last) || __builtin_add_overflow(last, tile.valid_cols, &last);
  overflow |= __builtin_mul_overflow(last, view.element_bytes, &bytes) ||
              __builtin_add_overflow(bytes, view.place.offset, &bytes);
  if (overflow || bytes > view.place.bytes) {
    fail(block, site, how.operation,
         "the region ends at byte %lld of the buffer of pointer argument %u, which has %lld bytes; the tensor's shape "
         "and stride promise more than the buffer holds",
         overflow ? -1LL : static_cast<ll>(bytes), view.place.argument, static_cast<ll>(view.place.bytes));
  }
  return view.place.offset + first * view.element_bytes;
}

// Moves write whole 32-byte blocks of UB: what lies behind the valid columns in the last one is the padding value, or
// unknown.
inline void fill_block_tail(const TileState& tile, uint8_t* row) {
  const int64_t bytes = tile.info->element_bytes;
  const int64_t begin = tile.valid_cols * bytes;
  const int64_t end = (begin + 31) / 32 * 32;
  if (tile.info->padding == pad::null) {
    memset(row + begin, kPoison, static_cast<size_t>(end - begin));
    return;
  }
  for (int64_t at = begin; at < end; at += bytes)
    memcpy(row + at, &tile.info->padding_bits, static_cast<size_t>(bytes));
}

[[noreturn]] __attribute__((noinline, cold)) inline void fail_race(Block& block, int32_t site, const Transfer& how,
                                                                   const View& view, uintptr_t address,
                                                                   const char* what) {
  fail(block, site, how.operation,
       "%s at byte %lld of the buffer of pointer argument %u; blocks run at the same time on the device, so give each "
       "its own part",
       what, static_cast<ll>(address - reinterpret_cast<uintptr_t>(view.place.base)), view.place.argument);
}

inline void note_load(Block& block, int32_t site, const Transfer& how, const View& view, const uint8_t* global,
                      size_t length) {
  Accesses& seen = block.accesses();
  const uintptr_t begin = reinterpret_cast<uintptr_t>(global);
  const Range range = {begin, begin + length};
  for (Range left = range; left.begin != left.end;) {
    const Range taken = seen.earlier_writes.shared(left);
    if (taken.begin == taken.end) break;
    seen.writes.tidy();  // what the block has written itself, it may read
    if (!seen.writes.covers(taken)) fail_race(block, site, how, view, taken.begin, "reads what an earlier block wrote");
    left.begin = taken.end;
  }
  block.need(seen.reads.add(range));
}

inline void note_store(Block& block, int32_t site, const Transfer& how, const View& view, const uint8_t* global,
                       const uint8_t* local, size_t length) {
  Accesses& seen = block.accesses();
  const uintptr_t begin = reinterpret_cast<uintptr_t>(global);
  block.need(seen.writes.add(Range{begin, begin + length}));
  size_t from = 0;
  size_t to = length;
  while (from < to && global[from] == local[from]) ++from;
  while (to > from && global[to - 1] == local[to - 1]) --to;
  const Range changed = {begin + from, begin + to};
  const Range written = seen.earlier_writes.shared(changed);
  if (written.begin != written.end)
    fail_race(block, site, how, view, written.begin, "changes what an earlier block wrote");
  const Range read = seen.earlier_reads.shared(changed);
  if (read.begin != read.end) fail_race(block, site, how, view, read.begin, "changes what an earlier block read");
}

inline void transfer(Block& block, int32_t site, const Transfer& how, const View& view, const TileState& tile,
                     const int64_t* offsets, Axes axes) {
  const int64_t first = locate(block, site, how, view, tile, offsets, axes);
  const int64_t tile_step = tile.info->cols * view.element_bytes;
  const int64_t view_step = axes.rows >= 0 ? view.stride[axes.rows] * view.element_bytes : 0;
  const size_t length = static_cast<size_t>(tile.valid_cols * view.element_bytes);
  const bool shared = block.block_num > 1;
  uint8_t* global = view.place.base + first;
  uint8_t* local = tile.data;
  for (int64_t row = 0; row < tile.valid_rows; ++row, global += view_step, local += tile_step) {
    if (how.is_store) {
      if (shared) note_store(block, site, how, view, global, local, length);
      memcpy(global, local, length);
    } else {
      if (shared) note_load(block, site, how, view, global, length);
      memcpy(local, global, length);
      fill_block_tail(tile, local);
    }
  }
}

template <class Type, class T, int N>
inline void move(Block& block, int32_t site, const Transfer& how, const Tensor<T, N>& tensor, Tile<Type> tile,
                 const Dims<N>& offsets, const Axes* axes) {
  static_assert(std::is_same<typename Type::element, T>::value,
                "pl.load/pl.store: tensor and tile must have the same dtype");
  static_assert(Type::kSpace == space::vec, "pl.load/pl.store: the twin moves UB tiles (MemorySpace.Vec) only");
  const Ptr<T> ptr = tensor.ptr();
  const View view = {ptr.place, tensor.shapes().at, tensor.strides().at, N, sizeof(T)};
  if (axes != nullptr) check_axes(block, site, how, view, *axes);
  transfer(block, site, how, view, *tile.state, offsets.at, axes == nullptr ? default_axes(N) : *axes);
}

}  // namespace detail

template <class Type, class T, int N>
inline void load(Block& block, int32_t site, Tile<Type> dst, const Tensor<T, N>& src, const Dims<N>& offsets) {
  detail::move(block, site, {"load", false, false}, src, dst, offsets, nullptr);
}
template <class Type, class T, int N>
inline void load(Block& block, int32_t site, Tile<Type> dst, const Tensor<T, N>& src, const Dims<N>& offsets,
                 Axes order) {
  detail::move(block, site, {"load", false, false}, src, dst, offsets, &order);
}

template <class Type, class T, int N>
inline void load_tile(Block& block, int32_t site, Tile<Type> dst, const Tensor<T, N>& src, const Dims<N>& offsets) {
  detail::move(block, site, {"load_tile", true, false}, src, dst, offsets, nullptr);
}
template <class Type, class T, int N>
inline void load_tile(Block& block, int32_t site, Tile<Type> dst, const Tensor<T, N>& src, const Dims<N>& offsets,
                      Axes order) {
  detail::move(block, site, {"load_tile", true, false}, src, dst, offsets, &order);
}

template <class Type, class T, int N>
inline void store(Block& block, int32_t site, const Tensor<T, N>& dst, Tile<Type> src, const Dims<N>& offsets) {
  detail::move(block, site, {"store", false, true}, dst, src, offsets, nullptr);
}
template <class Type, class T, int N>
inline void store(Block& block, int32_t site, const Tensor<T, N>& dst, Tile<Type> src, const Dims<N>& offsets,
                  Axes tile_dims) {
  detail::move(block, site, {"store", false, true}, dst, src, offsets, &tile_dims);
}

template <class Type, class T, int N>
inline void store_tile(Block& block, int32_t site, const Tensor<T, N>& dst, Tile<Type> src, const Dims<N>& offsets) {
  detail::move(block, site, {"store_tile", true, true}, dst, src, offsets, nullptr);
}
template <class Type, class T, int N>
inline void store_tile(Block& block, int32_t site, const Tensor<T, N>& dst, Tile<Type> src, const Dims<N>& offsets,
                       Axes tile_dims) {
  detail::move(block, site, {"store_tile", true, true}, dst, src, offsets, &tile_dims);
}

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_OPS_MOVE_H_
