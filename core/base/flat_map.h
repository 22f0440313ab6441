// A map whose entries lie side by side: few of them are looked through, and a table of hashes finds one among many. Adding or erasing an entry
// moves others, so that a pointer to a value is good until then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace orlop {

// Of texts, whatever holds them.
struct HashText {
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

template <typename Key, typename Value, typename Hash = std::hash<Key>>
class FlatMap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  // The entries, as pairs, in no order that means anything.
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  // nullptr: there is none. `Like` is hashed and compared as Key is.
  template <typename Like>
  const Value* find(const Like& key) const {
    const std::size_t place = place_of(key);
    return place < entries_.size() ? &entries_[place].second : nullptr;
  }
  template <typename Like>
  Value* find(const Like& key) {
    return const_cast<Value*>(std::as_const(*this).find(key));
  }
  bool contains(const Key& key) const { return find(key) != nullptr; }

  // The value under the key, added if there is none.
  Value& operator[](const Key& key) {
    if (Value* const known = find(key)) return *known;
    return add(key, Value());
  }
  // `key` is not there yet.
  Value& add(const Key& key, Value value) {
    if (entries_.capacity() == 0) entries_.reserve(usual);
    const std::size_t count = entries_.size() + 1;
    if (count > few && count * 2 > slots_.size()) index(count * 4);
    entries_.emplace_back(key, std::move(value));
    if (!slots_.empty()) slots_[slot_for(entries_.size() - 1)] = static_cast<std::uint32_t>(entries_.size());
    return entries_.back().second;
  }
  template <typename Like>
  void erase(const Like& key) {
    const std::size_t place = place_of(key);
    if (place == entries_.size()) return;
    const std::size_t last = entries_.size() - 1;
    if (!slots_.empty()) {
      free_slot(slot_of(place));
      if (place != last) slots_[slot_of(last)] = static_cast<std::uint32_t>(place + 1);
    }
    if (place != last) entries_[place] = std::move(entries_[last]);
    entries_.pop_back();
  }
  // Erases the entries for which `is_gone` says so.
  template <typename IsGone>
  void erase_if(const IsGone& is_gone) {
    for (std::size_t place = 0; place < entries_.size();) {
      if (is_gone(std::as_const(entries_[place]))) erase(Key(entries_[place].first));
      else ++place;
    }
  }
  // Before so many more, which are more than there are: so that they are not moved while they come.
  void make_room(std::size_t count) {
    if (count > entries_.size()) entries_.reserve(entries_.size() + count);
  }
  void clear() {
    entries_.clear();
    slots_.clear();
  }

 private:
  static constexpr std::size_t usual = 4;  // entries that need no more memory than one
  static constexpr std::size_t few = 8;    // entries that are looked through

  // The first slot of a key. The highest bits of a hash are mixed best.
  template <typename Like>
  std::size_t home_of(const Like& key) const {
    return Hash()(key) >> shift_;
  }
  std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

  // The place among the entries; their number if there is none.
  template <typename Like>
  std::size_t place_of(const Like& key) const {
    if (slots_.empty()) {
      std::size_t place = 0;
      while (place < entries_.size() && !(entries_[place].first == key)) ++place;
      return place;
    }
    for (std::size_t slot = home_of(key); slots_[slot] != 0; slot = after(slot)) {
      if (entries_[slots_[slot] - 1].first == key) return slots_[slot] - 1;
    }
    return entries_.size();
  }
  std::size_t slot_of(std::size_t place) const {
    std::size_t slot = home_of(entries_[place].first);
    while (slots_[slot] != place + 1) slot = after(slot);
    return slot;
  }
  // A free slot for the entry at this place.
  std::size_t slot_for(std::size_t place) const {
    std::size_t slot = home_of(entries_[place].first);
    while (slots_[slot] != 0) slot = after(slot);
    return slot;
  }
  // Those behind it that were not at home move up, so that no search ends too early.
  void free_slot(std::size_t free) {
    for (std::size_t slot = after(free); slots_[slot] != 0; slot = after(slot)) {
      const std::size_t home = home_of(entries_[slots_[slot] - 1].first);
      const bool is_between = free <= slot ? home > free && home <= slot : home > free || home <= slot;
      if (is_between) continue;
      slots_[free] = slots_[slot];
      free = slot;
    }
    slots_[free] = 0;
  }
  void index(std::size_t at_least) {
    unsigned bits = 1;
    while ((std::size_t{1} << bits) < at_least) ++bits;
    slots_.assign(std::size_t{1} << bits, 0);
    shift_ = std::numeric_limits<std::size_t>::digits - static_cast<int>(bits);
    for (std::size_t place = 0; place < entries_.size(); ++place) slots_[slot_for(place)] = static_cast<std::uint32_t>(place + 1);
  }

  std::vector<std::pair<Key, Value>> entries_;
  std::vector<std::uint32_t> slots_;  // place + 1; 0: free. None while few are looked through
  int shift_ = 0;
};

}  // namespace orlop
