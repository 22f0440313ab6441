// Index of a list by the hashes of its items: an open-addressing table. The list belongs to the caller, who passes the
// hash of each index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace orlop {

class PlaceIndex {
 public:
  static constexpr std::size_t none = SIZE_MAX;

  bool empty() const { return slots_.empty(); }

  // Returns the first index with this hash for which `fits` is true, or `none`. `fits` is also called for other hashes.
  template <typename Fits>
  std::size_t find(std::size_t hash, const Fits& fits) const {
    if (slots_.empty()) return none;
    for (std::size_t slot = home_of(hash); slots_[slot] != 0; slot = after(slot)) {
      if (fits(slots_[slot] - 1)) return slots_[slot] - 1;
    }
    return none;
  }

  // Call before an index is added. `count` includes it; `for_each` visits the indexes without it.
  template <typename ForEach>
  void make_room(std::size_t count, const ForEach& for_each) {
    if (count * 2 <= slots_.size()) return;
    unsigned bits = 1;
    while ((std::size_t{1} << bits) < count * 4) ++bits;
    std::vector<std::uint32_t> slots(std::size_t{1} << bits, 0);
    slots_.swap(slots);
    shift_ = std::numeric_limits<std::size_t>::digits - static_cast<int>(bits);
    for_each([this](std::size_t place, std::size_t hash) { add(place, hash); });
  }
  // Requires room.
  void add(std::size_t place, std::size_t hash) { slots_[slot_for(hash)] = static_cast<std::uint32_t>(place + 1); }
  // Replaces index `from` by `to`.
  void move(std::size_t from, std::size_t to, std::size_t hash) {
    slots_[slot_of(from, hash)] = static_cast<std::uint32_t>(to + 1);
  }

  // `hash_at` returns the hash of an index. Later entries that are not in their home slot move up, so that searches
  // reach them.
  template <typename HashAt>
  void erase(std::size_t place, const HashAt& hash_at) {
    std::size_t free = slot_of(place, hash_at(place));
    for (std::size_t slot = after(free); slots_[slot] != 0; slot = after(slot)) {
      const std::size_t home = home_of(hash_at(slots_[slot] - 1));
      const bool is_between = free <= slot ? home > free && home <= slot : home > free || home <= slot;
      if (is_between) continue;
      slots_[free] = slots_[slot];
      free = slot;
    }
    slots_[free] = 0;
  }
  void clear() { slots_.clear(); }

 private:
  static constexpr std::size_t usual = 3;

  // Returns the first slot of a hash. Takes its highest bits, which are mixed best.
  std::size_t home_of(std::size_t hash) const { return hash >> shift_; }
  std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  std::size_t slot_of(std::size_t place, std::size_t hash) const {
    std::size_t slot = home_of(hash);
    while (slots_[slot] != place + 1) slot = after(slot);
    return slot;
  }
  std::size_t slot_for(std::size_t hash) const {
    std::size_t slot = home_of(hash);
    while (slots_[slot] != 0) slot = after(slot);
    return slot;
  }

  std::vector<std::uint32_t> slots_;  // index + 1; 0: free
  int shift_ = 0;
};

}  // namespace orlop
