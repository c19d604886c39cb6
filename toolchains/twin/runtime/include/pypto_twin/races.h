// Which parts of global memory the blocks touch. On the device blocks run at the same time, so what one writes and
// another reads or writes is a race, which the order of the simulation would hide. Writing the bytes that are there
// already is none: blocks may compute an overlapping tail, or a table, alike.
#ifndef PYPTO_TWIN_RACES_H_
#define PYPTO_TWIN_RACES_H_

#include <stdint.h>
#include <stdlib.h>

namespace pypto_twin {
namespace detail {

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

inline int compare_ranges(const void* left, const void* right) {
  const Range& a = *static_cast<const Range*>(left);
  const Range& b = *static_cast<const Range*>(right);
  return a.begin != b.begin ? (a.begin < b.begin ? -1 : 1) : 0;
}

// A set of addresses. Questions need it tidy: sorted, and joined where ranges touch.
class Ranges {
 public:
  Ranges() = default;
  Ranges(const Ranges&) = delete;
  Ranges& operator=(const Ranges&) = delete;
  ~Ranges() { free(items_); }

  // False when there is no memory for it.
  bool add(Range range) {
    if (count_ != 0 && items_[count_ - 1].end == range.begin) {
      items_[count_ - 1].end = range.end;
      return true;
    }
    if (count_ == capacity_ && !make_room()) return false;
    items_[count_++] = range;
    return true;
  }

  void tidy() {
    if (count_ < 2) return;
    qsort(items_, count_, sizeof(Range), compare_ranges);
    size_t last = 0;
    for (size_t at = 1; at < count_; ++at) {
      if (items_[at].begin > items_[last].end) items_[++last] = items_[at];
      else if (items_[at].end > items_[last].end) items_[last].end = items_[at].end;
    }
    count_ = last + 1;
  }

  // Takes the other's ranges over; both are tidy, and the other is empty after it.
  bool take(Ranges& other) {
    for (size_t at = 0; at < other.count_; ++at) {
      if (!add(other.items_[at])) return false;
    }
    other.count_ = 0;
    tidy();
    return true;
  }

  // The first part that `range` shares with the set, or an empty range.
  Range shared(Range range) const {
    size_t low = 0;
    size_t high = count_;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (items_[middle].end > range.begin) high = middle;
      else low = middle + 1;
    }
    if (low == count_ || items_[low].begin >= range.end) return Range{range.begin, range.begin};
    const Range& found = items_[low];
    return Range{found.begin > range.begin ? found.begin : range.begin, found.end < range.end ? found.end : range.end};
  }

  // Whether any address is in both; both are tidy.
  bool meets(const Ranges& other) const {
    for (size_t at = 0; at < other.count_; ++at) {
      const Range part = shared(other.items_[at]);
      if (part.begin != part.end) return true;
    }
    return false;
  }

  bool covers(Range range) const {
    const Range part = shared(range);
    return part.begin == range.begin && part.end == range.end;
  }

 private:
  static constexpr size_t kTidyAbove = 4096;

  bool make_room() {
    if (count_ > kTidyAbove) {
      tidy();
      if (count_ < capacity_ / 2) return true;
    }
    const size_t wanted = capacity_ == 0 ? 256 : capacity_ * 2;
    void* bytes = realloc(items_, wanted * sizeof(Range));
    if (bytes == nullptr) return false;
    items_ = static_cast<Range*>(bytes);
    capacity_ = wanted;
    return true;
  }

  Range* items_ = nullptr;
  size_t count_ = 0;
  size_t capacity_ = 0;
};

// The accesses of the block that runs, and of those before it.
struct Accesses {
  Ranges reads;
  Ranges writes;
  Ranges earlier_reads;
  Ranges earlier_writes;

  bool finish_block() {
    reads.tidy();
    writes.tidy();
    return earlier_reads.take(reads) && earlier_writes.take(writes);
  }
};

}  // namespace detail
}  // namespace pypto_twin

#endif  // PYPTO_TWIN_RACES_H_
