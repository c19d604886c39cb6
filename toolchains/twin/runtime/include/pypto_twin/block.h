// One block (or sub-block) of a launch: the on-chip memories of its core, filled with poison at its start, and its
// tiles' states.
#ifndef PYPTO_TWIN_BLOCK_H_
#define PYPTO_TWIN_BLOCK_H_

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pypto_twin/error.h"
#include "pypto_twin/races.h"
#include "pypto_twin/soc.h"

namespace pypto_twin {

// Docs: basic_data_structures/MemorySpace.md.
enum class space { vec, mat, left, right, acc };
inline constexpr int kSpaces = 5;

// Docs: basic_data_structures/TilePad.md.
enum class pad { null, zero, max, min };

// An uninitialised read must not look right: NaN in every float type, so that arithmetic cannot make it vanish; -1 in integers.
inline constexpr int kPoison = 0xFF;

// What a TileType says, shared by all its tiles.
struct TileInfo {
  const char* dtype;
  int64_t element_bytes;
  int64_t rows;
  int64_t cols;
  int64_t static_rows;  // -1: set at run time
  int64_t static_cols;
  space where;
  int compact;
  pad padding;
  uint64_t padding_bits;  // one element of it
};

// One tile. Handles point here, so that aliases see the same valid shape, as in Python.
struct TileState {
  const TileInfo* info;
  uint8_t* data;
  int64_t addr;
  int64_t valid_rows;
  int64_t valid_cols;
};

namespace detail {

struct SpaceRule {
  const char* name;
  int64_t alignment;  // docs: operation/resource_management/make_tile.md, `addr`
};

inline const SpaceRule& rule_of(space where) {
  static constexpr SpaceRule kRules[kSpaces] = {{"Vec (UB)", kVecAlignment},
                                                {"Mat (L1)", kMatAlignment},
                                                {"Left (L0A)", kLeftAlignment},
                                                {"Right (L0B)", kRightAlignment},
                                                {"Acc (L0C)", kAccAlignment}};
  return kRules[static_cast<int>(where)];
}

}  // namespace detail

class Block : public Context {
 public:
  Block(pypto_twin_launch* with, const soc::Model& model) : soc_(model) { launch = with; }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    for (Memory& memory : memories_) free(memory.bytes);
    while (first_ != nullptr) {
      Chunk* next = first_->next;
      free(first_);
      first_ = next;
    }
  }

  // A new block starts: its memories hold poison (filled when first used), its tiles are gone.
  void start(int64_t index, int64_t count, int64_t sub_index, int64_t sub_count, bool on_vector_core) {
    block_idx = index;
    block_num = count;
    subblock_idx = sub_index;
    subblock_num = sub_count;
    vector_core = on_vector_core;
    for (Memory& memory : memories_) memory.fresh = false;
    chunk_ = first_;
    used_ = 0;
  }

  const soc::Model& model() const { return soc_; }

  detail::Accesses& accesses() { return accesses_; }

  void need(bool got_memory) {
    if (!got_memory) fail(*this, -1, "launch", "no memory to follow what the blocks access");
  }

  int64_t capacity(space where) const {
    const int64_t bytes[kSpaces] = {soc_.vec_bytes, soc_.mat_bytes, soc_.left_bytes, soc_.right_bytes, soc_.acc_bytes};
    return bytes[static_cast<int>(where)];
  }

  uint8_t* memory(space where) {
    Memory& memory = memories_[static_cast<int>(where)];
    const size_t size = static_cast<size_t>(capacity(where));
    if (memory.bytes == nullptr) memory.bytes = static_cast<uint8_t*>(allocate(size));
    if (!memory.fresh) memset(memory.bytes, kPoison, size);
    memory.fresh = true;
    return memory.bytes;
  }

  TileState* new_tile_state() {
    if (chunk_ == nullptr || used_ == kChunkTiles) next_chunk();
    return &chunk_->tiles[used_++];
  }

 private:
  static constexpr int kChunkTiles = 64;
  struct Memory {
    uint8_t* bytes = nullptr;
    bool fresh = false;
  };
  struct Chunk {
    Chunk* next;
    TileState tiles[kChunkTiles];
  };

  void* allocate(size_t size) {
    void* bytes = aligned_alloc(64, (size + 63) / 64 * 64);
    if (bytes == nullptr) fail(*this, -1, "launch", "no memory for %zu bytes of the model's buffers", size);
    return bytes;
  }

  void next_chunk() {
    Chunk* following = chunk_ == nullptr ? first_ : chunk_->next;
    if (following == nullptr) {
      following = static_cast<Chunk*>(allocate(sizeof(Chunk)));
      following->next = nullptr;
      (chunk_ == nullptr ? first_ : chunk_->next) = following;
    }
    chunk_ = following;
    used_ = 0;
  }

  const soc::Model& soc_;
  detail::Accesses accesses_;
  Memory memories_[kSpaces];
  Chunk* first_ = nullptr;
  Chunk* chunk_ = nullptr;
  int used_ = 0;
};

// Docs: operation/system_variables/{get_block_idx,get_block_num,get_subblock_idx,get_subblock_num}.md. On the vector
// cores of a mixed kernel the block index is the logical number block * sub-blocks + sub-block.
inline int64_t get_block_idx(const Block& block) { return block.block_idx * block.subblock_num + block.subblock_idx; }
inline int64_t get_block_num(const Block& block) { return block.block_num; }
inline int64_t get_subblock_idx(const Block& block) { return block.subblock_idx; }
inline int64_t get_subblock_num(const Block& block) { return block.subblock_num; }

// Docs: operation/controlflow/section_vector_section_cube.md.
inline bool section_vector(const Block& block) { return block.vector_core; }
inline bool section_cube(const Block& block) { return !block.vector_core; }

}  // namespace pypto_twin

#endif  // PYPTO_TWIN_BLOCK_H_
